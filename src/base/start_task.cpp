#include <fairlead/base/start_task.hpp>

namespace fairlead {

StopSource::~StopSource() {
  if (target_ != nullptr) target_->source_ = nullptr;
}

void StopSource::request_stop() {
  requested_ = true;
  if (target_ != nullptr) target_->request_stop();
}

StopSource::Target::Target(const boost::asio::any_io_executor& executor, StopSource* source)
    : RootTask(executor), source_(source) {
  if (source_ == nullptr) return;
  source_->target_ = this;
  if (source_->requested_) request_stop();
}

StopSource::Target::~Target() {
  if (source_ != nullptr) source_->target_ = nullptr;
}

}  // namespace fairlead
