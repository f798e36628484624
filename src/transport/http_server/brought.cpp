#include "transport/http_server/brought.hpp"

#include <boost/asio/this_coro.hpp>
#include <exception>
#include <utility>

namespace fairlead::transport {
namespace asio = boost::asio;

Task<void> converse(Hosted& hosted, Task<void> work) {
  hosted.open();
  std::exception_ptr failure;
  try {
    co_await std::move(work);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) hosted.close();
  // Whoever was cancelled must wait for the handlers all the same: they refer to what goes next.
  const bool throws = co_await asio::this_coro::throw_if_cancelled();
  co_await asio::this_coro::throw_if_cancelled(false);
  co_await hosted.end();
  co_await asio::this_coro::throw_if_cancelled(throws);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace fairlead::transport
