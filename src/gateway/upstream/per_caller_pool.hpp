#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "gateway/model/session_registration.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {

struct PerCallerPoolOptions {
  std::string name = "server";
  std::size_t max_servers = 64;  ///< Server processes at a time; one principal may use its fair share of them.
  /// Called before each call; an error refuses it. Optional.
  std::function<Result<void>(const session::Call&)> admit = {};
};

/// Runs a separate server for each caller: for each session of the handshake era, and for each principal of stateless
/// requests. A server stops when its session ends. Used on one event loop.
class PerCallerPool final : public ManagedBackend {
 public:
  /// Makes a server for the caller of this call.
  using Make = std::function<std::shared_ptr<Upstream>(const session::Call&)>;

  PerCallerPool(EventLoop loop, Make make, PerCallerPoolOptions options);
  PerCallerPool(const PerCallerPool&) = delete;
  PerCallerPool& operator=(const PerCallerPool&) = delete;

  Task<void> stop() override;

  const std::string& name() const override { return options_.name; }
  /// Uses a server that is shared by requests without a principal, and keeps it running.
  Task<Result<client::ServerDescription>> describe() override;
  Task<Result<client::ServerDescription>> describe_for(const session::Call& call) override;
  const client::ServerDescription* last_description() const override;

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notification& notice) override;
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef ref) override;

  std::vector<UpstreamState> states() const override;

 private:
  /// An open session, and its server after the first call.
  struct CallerSession {
    session::SessionRef ref;
    std::shared_ptr<Upstream> server = {};
    std::unique_ptr<session::SessionHook> attendance = {};
  };

  Result<std::shared_ptr<Upstream>> server_of(const session::Call& call);
  Result<std::shared_ptr<Upstream>> server_of_principal(const session::Call& call);
  void open_principal_session(CallerSession& session);
  Result<std::shared_ptr<Upstream>> make(const session::Call& call);
  /// Of all callers, or of one principal.
  std::size_t running_count(const std::string* principal = nullptr) const;
  void close_session(std::uint64_t session_key);

  EventLoop loop_;
  Make make_;
  PerCallerPoolOptions options_;
  TaskScope scope_;
  bool stopped_ = false;  // Permanent: no server is made any more.
  std::map<std::uint64_t, CallerSession> sessions_;
  std::map<std::string, std::shared_ptr<Upstream>> by_principal_;
};

}  // namespace fairlead::gateway
