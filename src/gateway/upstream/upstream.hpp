#pragma once

#include <cstddef>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/client/connection.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bell.hpp"
#include "gateway/member.hpp"
#include "gateway/task_owners.hpp"
#include "gateway/upstream/audience.hpp"
#include "gateway/upstream/restarts.hpp"
#include "gateway/upstream/turnstile.hpp"
#include "gateway/upstream/visit.hpp"

namespace fairlead::gateway {

/// How often a server was started, by all that have stood in its place.
struct UpstreamTally {
  std::size_t starts = 0;
  std::size_t restarts = 0;
  std::size_t failures = 0;
};

struct UpstreamOptions {
  std::string name = "server";
  client::ClientOptions client = {};  ///< What it is to speak, and how to reach it over HTTP.
  /// What the callers can do for the server, if they are all alike; everything by default.
  std::optional<protocol::ClientCapabilities> offers = {};
  session::Patience patience = {.idle = std::chrono::minutes{5}, .cap = std::chrono::hours{1}};
  std::size_t max_in_flight = 256;        ///< Calls at a time; the others wait,
  std::size_t max_waiting = 1024;         ///< but no more of them than that.
  std::size_t max_rounds = 16;            ///< How often it may answer one call with questions.
  std::vector<std::string> secrets = {};  ///< What it is told of us, and no caller may be, however it fails.
  RestartOptions restart = {};
  Duration idle_stop = {};        ///< How long it may be unused before it is stopped; zero for ever.
  Turnstile* starting = nullptr;  ///< So that not all servers start at once; outlives it.
  std::shared_ptr<UpstreamTally> tally = std::make_shared<UpstreamTally>();
};

/// What an operator wants to know of a server.
struct UpstreamState {
  std::string state = {};  ///< "idle", "starting", "ready", "failing", or "gone" without having been told to.
  pid_t pid = 0;
  std::string revision = {};
  std::size_t in_flight = 0;
  std::size_t waiting = 0;  ///< Calls that are not made yet.
  std::size_t starts = 0;
  std::size_t failures = 0;
  std::string last_error = {};
};

/// An external server that all callers share, on one loop. Started by its first call.
///
/// Each call gets an id of its own there, so that callers with the same ids never meet. What the server asks belongs to
/// the call that it says it does, or to the only client with calls under way; where that cannot be told it is refused,
/// because it might be another's secret.
class Upstream final : public Member {
 public:
  Upstream(Loop loop, client::Endpoint endpoint, UpstreamOptions options);
  Upstream(const Upstream&) = delete;
  Upstream& operator=(const Upstream&) = delete;
  ~Upstream() override;

  /// Hangs up; a child has ended afterwards. To be awaited before it is destroyed, while the loop runs.
  Task<void> stop();

  const std::string& name() const override { return options_.name; }
  Task<Result<client::ServerDescription>> describe() override;
  const client::ServerDescription* known() const override;
  bool awake() const override { return connection_.is_open(); }

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notice& notice) override;
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override;

  UpstreamState state() const;

  /// Somebody has looked after a server that kept failing.
  void forgive() { restarts_.forgive(); }

 private:
  class Answering;

  // upstream.cpp
  struct TaskOwner {
    std::uint64_t conversation = 0;
    std::string principal;
  };

  Task<Result<void>> reach();
  Task<Result<void>> start();
  void note_failure(std::string why) {
    restarts_.failed(std::move(why));
    ++options_.tally->failures;
  }
  Task<Result<session::Reply>> pass_on(session::Call& call);
  Result<void> knows_its_state(const session::Call& call) const;
  /// How long until a question that comes can be this call's.
  Duration unsettled_for(const session::Call& call) const;
  Task<void> settled(const session::Call& call);
  Task<Result<session::Reply>> answer_questions(Visit& visit, session::Call& out, session::Reply first);
  void watch_progress(session::Call& out, const Visit& visit) const;
  void rest();
  void note_sent(const session::Call& call, const jsonrpc::Id& id) const;
  void note_answer(const Visit& visit, const Result<session::Reply>& reply) const;

  // wishes.cpp
  Task<Result<session::Reply>> set_level(session::Call& call);
  Task<Result<session::Reply>> follow(session::Call& call);
  Task<Result<session::Reply>> unfollow(session::Call& call);
  Task<void> forget(std::vector<std::string> uris);
  Task<Result<void>> want_level(protocol::LoggingLevel level);
  std::shared_ptr<const protocol::Caller> caller_for(const session::Call& call);

  // tasks.cpp
  Task<Result<session::Reply>> call_task(session::Call& call);
  bool is_anothers(std::string_view task, const session::Call& call) const;
  void leave_out_others(session::Reply& reply, const session::Call& call) const;

  // answering.cpp
  Task<Result<session::Reply>> answer(session::Call& question);
  void hear(const session::Notice& notice);
  void hear_log(const session::Notice& notice);
  void hear_of_task(const session::Notice& notice);

  Loop loop_;
  UpstreamOptions options_;
  std::unique_ptr<Answering> answering_;
  TaskScope scope_;
  client::Connection connection_;
  Turnstile calls_;
  Visits visits_;
  Audience audience_;
  TaskOwners<TaskOwner> tasks_;
  Restarts restarts_;
  Timer idle_;
  std::size_t starts_ = 0;
  Bell started_;
  bool starting_ = false;
  bool reached_ = false;  // Since it last failed.
  bool known_ = false;
  std::optional<protocol::LoggingLevel> level_ = {};  // What it was last told.
  std::shared_ptr<const protocol::Caller> last_caller_ = {};
  std::shared_ptr<const protocol::Caller> last_lowered_ = {};
};

}  // namespace fairlead::gateway
