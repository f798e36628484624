#include "base/reactor_descriptor.hpp"

#include <boost/asio/execution/context.hpp>
#include <boost/asio/query.hpp>

namespace fairlead {
namespace asio = boost::asio;

void ReactorDescriptor::CoroutineWait::begin() {
  next_ = std::exchange(descriptor->first_, this);
  cancellation_key_ = this;
  descriptor->start(what_, *this);
}

void ReactorDescriptor::CoroutineWait::unlink() {
  if (descriptor == nullptr) return;
  auto* link_to = &descriptor->first_;
  while (*link_to != this) link_to = &(*link_to)->next_;
  *link_to = next_;
  descriptor = nullptr;
}

void ReactorDescriptor::CoroutineWait::complete(void* owner, Operation* base, const boost::system::error_code&,
                                                std::size_t) {
  auto& self = static_cast<CoroutineWait&>(*static_cast<Wait*>(base));
  self.unlink();
  // Without an owner the loop is being destroyed, and the coroutine with it. With one, this runs on the waiter's loop.
  auto waiting = std::move(self.waiting_);
  if (owner != nullptr) std::move(waiting).resume();
}

void ReactorDescriptor::CoroutineWait::stop() {
  if (descriptor != nullptr)
    descriptor->reactor_.cancel_ops_by_key(descriptor->descriptor_, descriptor->data_, what_, this);
}

ReactorDescriptor::ReactorDescriptor(const asio::any_io_executor& executor)
    : reactor_(asio::use_service<Reactor>(asio::query(executor, asio::execution::context))) {
  reactor_.init_task();
}

void ReactorDescriptor::open(Descriptor descriptor) {
  drained_ = false;
  if (reactor_.register_descriptor(descriptor.get(), data_) == 0) {
    descriptor_ = descriptor.release();
  } else {
    reactor_.cleanup_descriptor_data(data_);
  }
}

int ReactorDescriptor::release() noexcept {
  if (!is_open()) return -1;
  for (; first_ != nullptr; first_ = first_->next_) first_->descriptor = nullptr;
  reactor_.deregister_descriptor(descriptor_, data_, false);
  reactor_.cleanup_descriptor_data(data_);
  return std::exchange(descriptor_, -1);
}

void ReactorDescriptor::cancel() {
  reactor_.cancel_ops(descriptor_, data_);
}

}  // namespace fairlead
