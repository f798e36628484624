#include "transport/http_server/push_transport.hpp"

#include <exception>
#include <utility>

namespace fairlead::transport {

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
  const auto shield = co_await this_task::shield;
  co_await session.end();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace fairlead::transport
