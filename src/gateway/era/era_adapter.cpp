#include "gateway/era/era_adapter.hpp"

#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "gateway/era/subscription_stream.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;

}  // namespace

EraAdapter::EraAdapter(EventLoop loop, session::Service& next, EraAdapterOptions options)
    : loop_(loop), next_(next), suspended_calls_(loop, next, options.suspended_calls) {}

EraAdapter::~EraAdapter() = default;

Task<void> EraAdapter::stop() {
  return suspended_calls_.stop();
}

Task<Result<Reply>> EraAdapter::call(Call& call) {
  const bool needs_server_info = call.context.revision->lifecycle == protocol::Lifecycle::stateless;
  if (needs_server_info && next_.server_info() == nullptr && call.method != protocol::Discover::method)
    return call_after_discover(call);
  if (call.method == protocol::Listen::method) return serve_subscription_stream(loop_, call, next_);
  return suspended_calls_.handles(call) ? suspended_calls_.call(call) : next_.call(call);
}

// Results of the stateless revisions contain the server info, so it must be known first.
Task<Result<Reply>> EraAdapter::call_after_discover(Call& call) {
  Call discover{.method = std::string(protocol::Discover::method), .context = call.context};
  auto found = co_await next_.call(discover);
  if (!found) co_return std::unexpected(std::move(found.error()));
  if (next_.server_info() == nullptr) co_return fail(ErrorKind::malformed, "the server did not send its server info");
  co_return co_await this->call(call);
}

Task<void> EraAdapter::notify(session::Notification& notice) {
  return next_.notify(notice);
}

std::unique_ptr<session::SessionHook> EraAdapter::on_session_open(session::SessionRef session) {
  return next_.on_session_open(std::move(session));
}

std::vector<protocol::HeaderParam> EraAdapter::header_params(std::string_view tool, std::string_view principal) {
  return next_.header_params(tool, principal);
}

const protocol::Implementation* EraAdapter::server_info() const {
  return next_.server_info();
}

}  // namespace fairlead::gateway
