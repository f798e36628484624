#include <fairlead/base/log.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/gateway/record.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "gateway/chain/hop.hpp"
#include "gateway/middleware/pause.hpp"
#include "gateway/record/casting.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;
using Answer = Promise<Result<Reply>>;

// What a call that nobody ever answered waits for is its cancellation.
constexpr Duration very_long = std::chrono::hours{24};

json::Payload with_member(const json::Payload& payload, std::string_view name, std::string value) {
  json::ObjectEdit edit(payload.text());
  return json::Payload::trusted(edit.set(name, std::move(value)).text());
}

/// One call while it is played.
struct Scene {
  std::size_t begun = 0;
  Call& call;
  TimePoint start = {};
  std::map<std::uint64_t, std::shared_ptr<Answer>> asked = {};
  std::optional<Result<Reply>> reply = {};
};

/// A recorded server. On one loop.
class ReplayedServer final : public Middleware, public Signing {
 public:
  ReplayedServer(Recording recording, const ReplayOptions& options, Loop loop)
      : script_(std::move(recording)),
        casting_(script_, options.lenient, options.ignore),
        speed_(options.speed),
        loop_(std::move(loop)) {}

  Task<Result<Reply>> call(Call& call, Service&) override { return play(call); }
  Task<void> notify(session::Notice& notice, Service&) override {
    if (const auto line = casting_.notice(notice)) cue(*line);
    co_return;
  }
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation, Service&) override;
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view, Service&) override {
    return script_.header_params(tool);
  }
  const protocol::Implementation* self() const override { return self_ ? &*self_ : nullptr; }

 private:
  struct Attending;

  Task<Result<Reply>> play(Call& call);
  Task<void> act(Scene& scene, TaskScope& tasks);
  Task<bool> its_time(const Scene& scene, const RecordLine& line);
  static Task<void> put(session::Backchannel& back, const RecordLine& line, std::shared_ptr<Answer> answer);
  void check_answer(std::size_t index, const Result<Reply>& answer);
  Result<Reply> answer_of(const Scene& scene, const RecordLine& line);

  /// What the server does of its own accord after this line.
  void cue(std::size_t index);
  Task<void> speak(session::PeerHandle peer, std::vector<std::size_t> lines);

  Script script_;
  Casting casting_;
  double speed_;
  Loop loop_;
  std::map<std::uint64_t, Attending*> attending_;
  std::optional<protocol::Implementation> self_;
};

struct ReplayedServer::Attending final : session::Attendance {
  Attending(ReplayedServer& at, const session::Conversation& conversation)
      : server(at), key(conversation.key), peer(conversation.peer), tasks(conversation.tasks) {
    server.attending_[key] = this;
    server.casting_.enter(key);
  }
  Attending(const Attending&) = delete;
  Attending& operator=(const Attending&) = delete;
  ~Attending() override {
    server.attending_.erase(key);
    server.casting_.leave(key);
  }

  ReplayedServer& server;
  std::uint64_t key;
  session::PeerHandle peer;
  TaskScope& tasks;
};

std::unique_ptr<session::Attendance> ReplayedServer::attend(session::Conversation conversation, Service&) {
  return std::make_unique<Attending>(*this, conversation);
}

Task<Result<Reply>> ReplayedServer::play(Call& call) {
  const auto begun = casting_.call(call);
  if (!begun) {
    log(loop_.log, LogLevel::warning, "replay", [&] { return begun.error().message; });
    co_return std::unexpected(begun.error());
  }
  cue(*begun);
  Scene scene{.begun = *begun, .call = call, .start = loop_.timers.clock().now()};
  co_await with_scope(loop_.log, "replay", [this, &scene](TaskScope& tasks) { return act(scene, tasks); });
  if (scene.reply) co_return std::move(*scene.reply);
  co_return fail(ErrorKind::closed, script_.recording().place(*begun) + ": the recording ends before the answer");
}

Task<void> ReplayedServer::act(Scene& scene, TaskScope& tasks) {
  auto* const back = scene.call.context.back;
  for (const auto index : script_.during(scene.begun)) {
    const auto& line = script_.line(index);
    if (!co_await its_time(scene, line)) co_return;
    if (line.kind == LineKind::tell && back != nullptr) {
      auto params = line.params.value_or(json::Payload());
      const auto& token = scene.call.context.progress_token;
      if (token && line.method == protocol::Progress::method) {
        params = with_member(params, "progressToken", token->to_json());
      }
      co_await back->tell(*line.method, std::move(params));
    } else if (line.kind == LineKind::ask && back != nullptr) {
      const auto answer = std::make_shared<Answer>();
      scene.asked[*line.ask] = answer;
      tasks.spawn(put(*back, line, answer));
    } else if (line.kind == LineKind::answer && scene.asked.contains(*line.ask)) {
      Result<Reply> nobody = fail(ErrorKind::cancelled, "cancelled");
      const auto answer = co_await scene.asked[*line.ask]->wait(std::move(nobody));
      check_answer(index, answer);
      cue(index);
    } else if (line.kind == LineKind::reply) {
      if (line.error && line.error->kind == ErrorKind::cancelled) co_await pause(loop_.timers, very_long);
      scene.reply = answer_of(scene, line);
      cue(index);
    }
  }
}

Task<void> ReplayedServer::put(session::Backchannel& back, const RecordLine& line, std::shared_ptr<Answer> answer) {
  auto given = co_await back.ask(*line.method, line.params.value_or(json::Payload()));
  answer->set(std::move(given));
}

// False if nobody waits any more.
Task<bool> ReplayedServer::its_time(const Scene& scene, const RecordLine& line) {
  if (speed_ <= 0) co_return true;
  const std::chrono::duration<double, std::micro> after(static_cast<double>(line.us - script_.line(scene.begun).us) /
                                                        speed_);
  const auto left = scene.start + std::chrono::duration_cast<Duration>(after) - loop_.timers.clock().now();
  co_return left <= Duration{} || co_await pause(loop_.timers, left);
}

void ReplayedServer::check_answer(std::size_t index, const Result<Reply>& answer) {
  const auto recorded = outcome_of(script_.line(index));
  std::vector<std::string> found;
  if (recorded && answer) {
    found = casting_.likeness().differences(recorded->body, answer->body);
  } else if (recorded.has_value() != answer.has_value()) {
    found.push_back(answer ? "an answer instead of an error" : answer.error().message);
  }
  if (found.empty()) return;
  log(loop_.log, LogLevel::warning, "replay",
      [&] { return script_.recording().place(index) + ": the client answers otherwise: " + found.front(); });
}

Result<Reply> ReplayedServer::answer_of(const Scene& scene, const RecordLine& line) {
  if (line.server) self_ = line.server;
  auto reply = outcome_of(line);
  const auto* revision = scene.call.context.revision;
  if (reply && revision != nullptr && scene.call.method == protocol::Initialize::method) {
    reply->body = with_member(reply->body, "protocolVersion", json::encode(std::string(revision->name)));
  }
  return reply;
}

void ReplayedServer::cue(std::size_t index) {
  std::map<std::uint64_t, std::vector<std::size_t>> by_conversation;
  for (const auto each : script_.after(index)) by_conversation[script_.line(each).conversation].push_back(each);
  for (auto& [recorded, lines] : by_conversation) {
    const auto live = casting_.live(recorded);
    const auto found = live ? attending_.find(*live) : attending_.end();
    if (found != attending_.end()) found->second->tasks.spawn(speak(found->second->peer, std::move(lines)));
  }
}

Task<void> ReplayedServer::speak(session::PeerHandle peer, std::vector<std::size_t> lines) {
  for (const auto index : lines) {
    const auto& line = script_.line(index);
    auto params = line.params.value_or(json::Payload());
    if (line.kind == LineKind::tell) {
      session::Notice notice{.method = *line.method, .params = std::move(params)};
      co_await peer->notify(notice);
      continue;
    }
    Call question{.method = *line.method, .params = std::move(params)};
    const auto answer = co_await peer->call(question);
    const auto recorded = script_.answer_to(index);
    if (!recorded) continue;
    check_answer(*recorded, answer);
    cue(*recorded);
  }
}

}  // namespace

Result<std::unique_ptr<Middleware>> replay(ReplayOptions options, Loop loop) {
  auto recording = read_recording(options.path);
  if (!recording) return std::unexpected(std::move(recording.error()));
  return std::make_unique<ReplayedServer>(std::move(*recording), options, std::move(loop));
}

}  // namespace fairlead::gateway
