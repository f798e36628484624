#include "gateway/aggregate/backend_with_server_uris.hpp"

#include <fairlead/protocol/model/methods.hpp>

#include "base/change_result.hpp"
#include "gateway/model/server_uri.hpp"

namespace fairlead::gateway {
namespace {

// The URI that a request is about, if it contains a server.
std::optional<NamedSpan> server_uri_of(const Call& call) {
  if (!call.params.text().contains("://") || call.method == protocol::CallTool::method) return std::nullopt;
  auto named = string_member(call.params, "uri");
  if (!named && call.method == protocol::Complete::method) {
    auto reference = completion_reference(call.params);
    if (reference && !reference->is_prompt) named = std::move(reference->named);
  }
  return named && names_its_server(named->name) ? named : std::nullopt;
}

/// The client's end of a session: updates of resources name the server.
class PeerWithServerUris final : public session::Service {
 public:
  PeerWithServerUris(session::PeerHandle peer, std::string server, std::shared_ptr<const bool> among_several)
      : peer_(std::move(peer)), server_(std::move(server)), among_several_(std::move(among_several)) {}

  Task<Result<Reply>> call(Call& call) override { return peer_->call(call); }
  Task<void> notify(session::Notification& notice) override {
    if (*among_several_ && notice.method == protocol::ResourceUpdated::method) {
      notice.params = add_server_names(std::move(notice.params), server_);
    }
    return peer_->notify(notice);
  }

 private:
  session::PeerHandle peer_;
  std::string server_;
  std::shared_ptr<const bool> among_several_;
};

}  // namespace

Task<Result<Reply>> BackendWithServerUris::call(Call& call) {
  if (!*among_several_) return target()->call(call);
  if (auto uri = server_uri_of(call)) return call_with_own_uri(call, std::move(*uri));
  return change_result(target()->call(call), [target = target()](Result<Reply>& reply) {
    if (reply) reply->body = add_server_names(std::move(reply->body), target->name());
  });
}

Task<Result<Reply>> BackendWithServerUris::call_with_own_uri(Call& call, NamedSpan uri) {
  const auto kept = target();
  const auto own = remove_server_name(uri.name, name());
  const ScopedRename at_server(call, uri.span, own);
  auto reply = co_await kept->call(call);
  if (reply) reply->body = add_server_names(std::move(reply->body), kept->name());
  co_return reply;
}

std::unique_ptr<session::SessionHook> BackendWithServerUris::on_session_open(session::SessionRef session) {
  session.peer = std::make_shared<PeerWithServerUris>(session.peer, name(), among_several_);
  return target()->on_session_open(std::move(session));
}

}  // namespace fairlead::gateway
