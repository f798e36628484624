#include "gateway/era/era_adapter.hpp"

#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "gateway/era/subscription_stream.hpp"
#include "gateway/upstream/upstream_errors.hpp"

namespace fairlead::gateway {

EraAdapter::EraAdapter(const EventLoop& loop, session::Service& chain, const EraAdapterOptions& options)
    : ForwardingService(chain), loop_(loop), tasks_(options.tasks), suspended_calls_(loop, options.suspended_calls) {
  if (!tasks_.seal) tasks_.seal = std::make_shared<const TaskSeal>(TaskSeal::random());
  set_target(with_task_handles(target()));
}

std::shared_ptr<session::Service> EraAdapter::with_task_handles(std::shared_ptr<session::Service> chain) const {
  return std::make_shared<TaskHandles>(std::move(chain), tasks_);
}

Task<Result<Reply>> EraAdapter::call(Call& call) {
  call.dependencies.reserve(2);
  call.dependencies.push_back(target());
  const bool needs_server_info = call.context.revision->lifecycle == protocol::Lifecycle::stateless;
  if (needs_server_info && server_info() == nullptr && call.method != protocol::Discover::method)
    return call_after_discover(call);
  if (call.method == protocol::Listen::method) return serve_subscription_stream(loop_, call, chain());
  return suspended_calls_.handles(call, *this) ? suspended_calls_.call(call, chain()) : chain().call(call);
}

// Results of the stateless revisions contain the server info, so it must be known first.
Task<Result<Reply>> EraAdapter::call_after_discover(Call& call) {
  Call discover{.method = std::string(protocol::Discover::method), .context = call.context};
  auto found = co_await chain().call(discover);
  if (!found) co_return sign_in_reply(std::move(found.error()), call);
  if (server_info() == nullptr) co_return fail(ErrorKind::malformed, "the server did not send its server info");
  co_return co_await this->call(call);
}

Task<void> EraAdapter::notify(session::Notification& notice) {
  const auto chain_of_notice = target();
  co_await chain_of_notice->notify(notice);
}

}  // namespace fairlead::gateway
