#include "base/nested_task.hpp"
#include "server/loop_proxy.hpp"
#include "server/run_handler.hpp"

namespace fairlead::server {

void watch_for_cancellation(ContextState& state, StopToken waiting) {
  state.is_cancelled = [waiting] { return waiting.stop_requested(); };
}

Task<void> run_cancellable(ContextState& state, Task<void> work) {
  NestedTask nested(co_await this_task::context);
  const auto on_stop = [&] {
    state.cancelled = true;
    if (state.loop_proxy != nullptr) state.loop_proxy->cancel();
    nested.request_stop();
  };
  co_await nested.run(std::move(work), on_stop);
}

}  // namespace fairlead::server
