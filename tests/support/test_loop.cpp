#include "support/test_loop.hpp"

#include <boost/asio/co_spawn.hpp>

namespace fairlead::test {

void spawn(boost::asio::io_context& context, Task<void> task) {
  boost::asio::co_spawn(context, std::move(task), [](const std::exception_ptr& failure) {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace fairlead::test
