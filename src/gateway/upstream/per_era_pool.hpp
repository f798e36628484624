#pragma once

#include <array>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <map>

#include "gateway/model/session_registration.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {

/// A server that may support both eras. Each era that clients use gets a connection of its own, opened by its first
/// call. Clients of the handshake era use a connection with a handshake, so that the server can send them requests, log
/// messages and changes as without a gateway. A server that supports one era has one connection. Used on one event
/// loop.
class PerEraPool final : public ManagedBackend {
 public:
  /// Makes an upstream that prefers an era: `handshake_first` or `automatic`.
  using Make = std::function<std::shared_ptr<Upstream>(client::EraPreference)>;

  PerEraPool(EventLoop loop, std::string name, Make make);
  PerEraPool(const PerEraPool&) = delete;
  PerEraPool& operator=(const PerEraPool&) = delete;

  Task<void> stop() override;

  const std::string& name() const override { return name_; }
  Task<Result<client::ServerDescription>> describe() override { return describe_era(default_era()); }
  Task<Result<client::ServerDescription>> describe_for(const session::Call& call) override;
  const client::ServerDescription* last_description() const override;
  bool is_connected() const override;
  void expect_revision(const protocol::Revision& revision) override { expected_ = revision.lifecycle; }

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notification& notice) override;
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef ref) override;

  std::vector<UpstreamState> states() const override;
  void reset_backoff() override;

 private:
  using Lifecycle = protocol::Lifecycle;

  struct EraSession {
    session::SessionRef ref;
    std::array<std::unique_ptr<session::SessionHook>, 2> hooks = {};
  };

  /// The era to use for this call.
  Lifecycle preferred_era(const session::Call& call) const;
  Lifecycle default_era() const;
  static constexpr std::size_t index_of(Lifecycle era) { return static_cast<std::size_t>(era); }
  std::shared_ptr<Upstream>& upstream(Lifecycle era) { return upstreams_[index_of(era)]; }
  const std::shared_ptr<Upstream>& upstream(Lifecycle era) const { return upstreams_[index_of(era)]; }
  std::vector<std::shared_ptr<Upstream>> distinct() const;
  std::shared_ptr<Upstream> open(Lifecycle era);
  /// Returns the upstream for this era after negotiation.
  Task<Result<std::shared_ptr<Upstream>>> connect(Lifecycle era);
  Task<Result<client::ServerDescription>> describe_era(Lifecycle era);
  Task<Result<session::Reply>> connect_and_call(session::Call& call, Lifecycle era);
  /// Keeps a single upstream for both eras if the server answered in the other era than requested.
  void merge_if_single_era(Lifecycle era);

  EventLoop loop_;
  std::string name_;
  Make make_;
  TaskScope scope_;
  std::array<std::shared_ptr<Upstream>, 2> upstreams_ =
      {};  // By era; both entries are equal if the server supports one era only.
  Lifecycle expected_ = Lifecycle::stateless;
  bool stopped_ = false;
  std::map<std::uint64_t, EraSession> sessions_;
};

}  // namespace fairlead::gateway
