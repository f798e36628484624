#include "gateway/chain/middleware_link.hpp"

#include <utility>

#include "gateway/model/forwarding_service.hpp"

namespace fairlead::gateway {
namespace {

class MiddlewareLink final : public ForwardingService {
 public:
  MiddlewareLink(std::shared_ptr<Middleware> middleware, std::shared_ptr<Service> next)
      : ForwardingService(std::move(next)),
        middleware_(std::move(middleware)),
        info_source_(dynamic_cast<const ServerInfoSource*>(middleware_.get())) {}

  Task<Result<session::Reply>> call(session::Call& call) override { return middleware_->call(call, *target()); }
  Task<void> notify(session::Notification& notice) override { return middleware_->notify(notice, *target()); }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override {
    return middleware_->on_session_open(std::move(session), *target());
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return middleware_->header_params(tool, principal, *target());
  }
  const protocol::Implementation* server_info() const override {
    return info_source_ ? info_source_->server_info() : ForwardingService::server_info();
  }
  std::optional<std::string> backend_name_of(ListKind kind, std::string_view name) const override {
    return ForwardingService::backend_name_of(kind, name_behind(kind, name));
  }
  bool may_send_requests(ListKind kind, std::string_view name) const override {
    return ForwardingService::may_send_requests(kind, name_behind(kind, name));
  }

 private:
  std::string name_behind(ListKind kind, std::string_view name) const {
    return kind == ListKind::tools ? middleware_->upstream_name(name) : std::string(name);
  }

  std::shared_ptr<Middleware> middleware_;
  const ServerInfoSource* info_source_;
};

}  // namespace

std::shared_ptr<Service> link_middleware(std::shared_ptr<Middleware> middleware, std::shared_ptr<Service> next) {
  if (middleware->as_bidirectional() != nullptr) next = reverse_link(middleware, std::move(next));
  return std::make_shared<MiddlewareLink>(std::move(middleware), std::move(next));
}

}  // namespace fairlead::gateway
