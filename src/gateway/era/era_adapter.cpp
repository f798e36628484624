#include "gateway/era/era_adapter.hpp"

#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "gateway/era/subscription_stream.hpp"
#include "gateway/upstream/upstream_errors.hpp"

namespace fairlead::gateway {

EraAdapter::EraAdapter(const EventLoop& loop, session::Service& chain, const EraAdapterOptions& options)
    : ForwardingService(chain), loop_(loop), tasks_(options.tasks), suspended_calls_(loop, options.suspended_calls) {
  if (!tasks_.seal) tasks_.seal = std::make_shared<const TaskSeal>(TaskSeal::random());
  task_handles_ = std::make_shared<TaskHandles>(target(), tasks_);
}

void EraAdapter::set_chain(std::shared_ptr<session::Service> chain) {
  task_handles_ = std::make_shared<TaskHandles>(chain, tasks_);
  set_target(std::move(chain));
}

session::Service& EraAdapter::chain_for(const Call& call) const {
  return TaskHandles::concerns(call) ? *task_handles_ : chain();
}

Task<Result<Reply>> EraAdapter::call(Call& call) {
  call.dependencies.reserve(2);
  call.dependencies.push_back(task_handles_);
  const bool needs_server_info = call.context.revision->lifecycle == protocol::Lifecycle::stateless;
  if (needs_server_info && server_info() == nullptr && call.method != protocol::Discover::method)
    return call_after_discover(call);
  if (call.method == protocol::Listen::method) return serve_subscription_stream(loop_, call, *task_handles_);
  auto& chain = chain_for(call);
  return suspended_calls_.handles(call, *this) ? suspended_calls_.call(call, chain) : chain.call(call);
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
