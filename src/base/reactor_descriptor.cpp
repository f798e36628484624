#include "base/reactor_descriptor.hpp"

#include <boost/asio/execution/context.hpp>
#include <boost/asio/query.hpp>

namespace fairlead {
namespace asio = boost::asio;

ReactorDescriptor::ReactorDescriptor(const asio::any_io_executor& executor)
    : native_(std::make_shared<Native>(
          static_cast<asio::io_context&>(asio::query(executor, asio::execution::context)).get_executor())) {}

void ReactorDescriptor::open(Descriptor descriptor) {
  boost::system::error_code error;
  native_->assign(descriptor.get(), error);
  if (!error) descriptor.release();
}

int ReactorDescriptor::release() noexcept {
  return is_open() ? native_->release() : -1;
}

void ReactorDescriptor::cancel() {
  boost::system::error_code ignored;
  native_->cancel(ignored);
}

}  // namespace fairlead
