#include "transport/http_server/push_transport.hpp"

#include <boost/asio/this_coro.hpp>
#include <exception>
#include <utility>

namespace fairlead::transport {
namespace asio = boost::asio;

Task<void> run_session(ServerSession& session, Task<void> work) {
  session.open();
  std::exception_ptr failure;
  try {
    co_await std::move(work);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) session.close();
  // Waits for the handlers even if cancelled: they use objects that are destroyed next.
  const bool throws = co_await asio::this_coro::throw_if_cancelled();
  co_await asio::this_coro::throw_if_cancelled(false);
  co_await session.end();
  co_await asio::this_coro::throw_if_cancelled(throws);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace fairlead::transport
