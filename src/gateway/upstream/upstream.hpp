#pragma once

#include <cstddef>
#include <fairlead/base/diagnosis.hpp>
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
#include "gateway/upstream/call_slots.hpp"
#include "gateway/upstream/callers.hpp"
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

/// Who began a task, and in which session, which hears how it is doing.
struct TaskOwner {
  CallerId caller;
  std::uint64_t conversation = 0;
};

struct UpstreamOptions {
  std::string name = "server";
  client::ClientOptions client = {};  ///< What it is to speak, and how to reach it over HTTP.
  /// What the callers can do for the server, if they are all alike; everything by default.
  std::optional<protocol::ClientCapabilities> offers = {};
  session::Patience patience = {.idle = std::chrono::minutes{5}, .cap = std::chrono::hours{1}};
  std::size_t max_in_flight = 256;                                ///< Calls at a time; the others wait,
  std::size_t max_waiting = 1024;                                 ///< but no more of them than that.
  std::size_t max_rounds = 16;                                    ///< How often it may answer one call with questions.
  Duration question_timeout = session::default_question_timeout;  ///< For what it asks outside a call.
  std::vector<std::string> secrets = {};  ///< What it is told of us, and no caller may be, however it fails.
  RestartOptions restart = {};
  Duration idle_stop = {};                           ///< How long it may be unused before it is stopped; zero for ever.
  Duration stop_timeout = std::chrono::seconds{10};  ///< For its end; then what is left of it is cut off.
  std::shared_ptr<const bool> gateway_ends = std::make_shared<bool>(false);  ///< Why it is stopped.
  Turnstile* starting = nullptr;  ///< So that not all servers start at once; outlives it.
  std::shared_ptr<UpstreamTally> tally = std::make_shared<UpstreamTally>();
  /// Whose its tasks are; for a server that outlives this object, the same as before.
  std::shared_ptr<TaskOwners<TaskOwner>> tasks = std::make_shared<TaskOwners<TaskOwner>>();
  bool one_caller = false;  ///< It serves one caller, as `share: caller` says.
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
  std::shared_ptr<const Diagnosis> diagnosis = {};  ///< Of the last failure; null for none.
};

/// An external server that all callers share, on one loop. Started by its first call.
///
/// Each call gets an id of its own there, so that callers with the same ids never meet. What the server asks or logs
/// belongs to the call that it says it does, or else to the only caller that has used this connection (see `Callers`).
/// Where there are several, questions are refused and log messages dropped, because they might be another's secret.
class Upstream final : public Member {
 public:
  Upstream(Loop loop, client::Endpoint endpoint, UpstreamOptions options);
  Upstream(const Upstream&) = delete;
  Upstream& operator=(const Upstream&) = delete;
  ~Upstream() override;

  /// Hangs up; a child has ended afterwards. To be awaited before it is destroyed, while the loop runs. Nothing reaches
  /// the server from then on: calls fail with an error that says so.
  Task<void> stop();

  const std::string& name() const override { return options_.name; }
  Task<Result<client::ServerDescription>> describe() override;
  const client::ServerDescription* known() const override;
  bool awake() const override { return connection_.is_open(); }
  /// Whether it is started, or just being started.
  bool running() const { return starting_ || awake(); }

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notice& notice) override;
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override;

  UpstreamState state() const;

  /// Somebody has looked after a server that kept failing.
  void forgive() { restarts_.forgive(); }

 private:
  class Answering;

  // upstream.cpp
  Task<Result<void>> reach();
  Task<Result<void>> start();
  void note_failure(std::string why) {
    restarts_.failed(std::move(why));
    ++options_.tally->failures;
  }
  /// It has gone without having been told to.
  void lost(const Error& error);
  Task<Result<session::Reply>> pass_on(session::Call& call);
  Result<void> knows_its_state(const session::Call& call) const;
  /// How long until a question that comes can be this call's.
  Duration unsettled_for(const session::Call& call) const;
  Task<void> settled(const session::Call& call);
  Task<Result<session::Reply>> answer_questions(Visit& visit, session::Call& out, session::Reply first, Deadline until);
  Task<Result<json::Payload>> answer_one(Visit& visit, const protocol::InputRequest& request, const std::string& key,
                                         Deadline until);
  void watch_progress(session::Call& out, const Visit& visit) const;
  void rest();
  class Leaving;
  void note_used(const CallerId& caller);
  /// A session has ended, or a call: one that has neither any more counts as gone.
  void note_gone(std::uint64_t conversation);
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
  bool is_own(std::string_view task, const session::Call& call) const;
  void leave_out_others(session::Reply& reply, const session::Call& call) const;

  // answering.cpp
  Task<Result<session::Reply>> answer(session::Call& question);
  /// The caller of all that is said without naming a request; nothing where there may be several.
  std::optional<CallerId> only_caller() const;
  Visit* visit_of(const std::optional<jsonrpc::Id>& about, const std::optional<CallerId>& caller) const;
  void note_refused(std::string_view method) const;
  bool wants(const Visit& visit, protocol::LoggingLevel level) const;
  void hear(const session::Notice& notice);
  void hear_of_task(const session::Notice& notice);

  Loop loop_;
  UpstreamOptions options_;
  std::unique_ptr<Answering> answering_;
  TaskScope scope_;
  client::Connection connection_;
  CallSlots calls_;
  Visits visits_;
  Audience audience_;
  Callers callers_;
  Restarts restarts_;
  Timer idle_;
  std::size_t starts_ = 0;
  Bell started_;
  bool starting_ = false;
  bool stopped_ = false;                        // For good: nothing may connect it again.
  bool reached_ = false;                        // Since it last failed.
  std::string loss_;                            // Why it has gone, without what it printed.
  std::shared_ptr<const Diagnosis> diagnosis_;  // Of its last failure, for the operator.
  std::optional<Error> start_failure_;          // Of the start that others wait for.
  bool known_ = false;
  std::optional<protocol::LoggingLevel> level_ = {};  // What it was last told.
  std::shared_ptr<const protocol::Caller> last_caller_ = {};
  std::shared_ptr<const protocol::Caller> last_lowered_ = {};
};

}  // namespace fairlead::gateway
