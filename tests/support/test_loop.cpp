#include "support/test_loop.hpp"

#include <fairlead/base/asio_task.hpp>

namespace fairlead::test {

void spawn(boost::asio::io_context& context, Task<void> task) {
  async_start(context, std::move(task), [](const std::exception_ptr& failure) {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace fairlead::test
