#pragma once

#include <fairlead/base/non_copyable.hpp>
#include <fairlead/session/service.hpp>
#include <utility>

#include "gateway/model/backend.hpp"
#include "gateway/model/backend_lookup.hpp"

namespace fairlead::gateway {

/// Passes all functions of a service on to a target that is a `Base` too. Not copyable: a copy would forward to the
/// target of the other service, not to that service.
template <class Base>
class Forwarding : public Base, NonCopyable {
 public:
  explicit Forwarding(std::shared_ptr<Base> target) : target_(std::move(target)) {}

  const std::shared_ptr<Base>& target() const { return target_; }

  Task<Result<session::Reply>> call(session::Call& call) override { return target_->call(call); }
  Task<void> notify(session::Notification& notice) override { return target_->notify(notice); }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override {
    return target_->on_session_open(std::move(session));
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override {
    return target_->header_params(tool, principal);
  }
  const protocol::Implementation* server_info() const override { return target_->server_info(); }

 protected:
  void set_target(std::shared_ptr<Base> target) { target_ = std::move(target); }

 private:
  std::shared_ptr<Base> target_;
};

/// Passes everything on to another service. Base of services that change some of it.
class ForwardingService : public Forwarding<session::Service>, public BackendLookup {
 public:
  explicit ForwardingService(std::shared_ptr<session::Service> target)
      : Forwarding(std::move(target)), backends_(*Forwarding::target()) {}
  /// `target` outlives it.
  explicit ForwardingService(session::Service& target)
      : ForwardingService(std::shared_ptr<session::Service>(std::shared_ptr<void>(), &target)) {}

  std::optional<std::string> backend_name_of(ListKind kind, std::string_view name) const override {
    return backends_(kind, name);
  }
  bool may_send_requests(ListKind kind, std::string_view name) const override {
    return backends_.may_send_requests(kind, name);
  }
  bool offers_extension(std::string_view id) const override { return backends_.offers_extension(id); }

 protected:
  void set_target(std::shared_ptr<session::Service> target) {
    backends_ = CachedBackendLookup(*target);
    Forwarding::set_target(std::move(target));
  }

 private:
  CachedBackendLookup backends_;
};

/// Passes everything on to another backend. Base of backends that change some of it.
class ForwardingBackend : public Forwarding<Backend> {
 public:
  using Forwarding::Forwarding;

  const std::string& name() const override { return target()->name(); }
  Task<Result<client::ServerDescription>> describe() override { return target()->describe(); }
  Task<Result<client::ServerDescription>> describe_for(const session::Call& call) override {
    return target()->describe_for(call);
  }
  bool may_send_requests(ListKind kind, std::string_view name) const override {
    return target()->may_send_requests(kind, name);
  }
  bool offers_extension(std::string_view id) const override { return target()->offers_extension(id); }
  const client::ServerDescription* last_description() const override { return target()->last_description(); }
  bool accepts_headers() const override { return target()->accepts_headers(); }
  void expect_revision(const protocol::Revision& revision) override { target()->expect_revision(revision); }
  bool is_connected() const override { return target()->is_connected(); }
};

}  // namespace fairlead::gateway
