#include <fairlead/base/log.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/gateway/record.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>

#include "gateway/chain/middleware_link.hpp"
#include "gateway/middleware/async_sleep.hpp"
#include "gateway/record/replay_matcher.hpp"

namespace fairlead::gateway {
namespace {

using Answer = Promise<Result<Reply>>;

// A call whose recorded outcome is its cancellation waits to be cancelled.
constexpr Duration very_long = std::chrono::hours{24};

json::Payload with_member(const json::Payload& payload, std::string_view name, std::string value) {
  json::ObjectEdit edit(payload.text());
  return json::Payload::trusted(edit.set(name, std::move(value)).text());
}

/// A call that is being replayed.
struct ServedCall {
  std::size_t call_line = 0;
  Call& call;
  TimePoint start = {};
  std::map<std::uint64_t, std::shared_ptr<Answer>> server_calls = {};
  std::optional<Result<Reply>> reply = {};
};

/// Replays the recorded server. On one loop.
class ReplayedServer final : public Middleware, public ServerInfoSource {
 public:
  ReplayedServer(Recording recording, const ReplayOptions& options, EventLoop loop)
      : index_(std::move(recording)),
        matcher_(index_, options.lenient, options.ignore),
        speed_(options.speed),
        loop_(std::move(loop)) {}

  Task<Result<Reply>> call(Call& call, Service&) override { return play(call); }
  Task<void> notify(session::Notification& notice, Service&) override {
    if (const auto line = matcher_.notification(notice)) play_after(*line);
    co_return;
  }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef opened, Service&) override;
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view, Service&) override {
    return index_.header_params(tool);
  }
  const protocol::Implementation* server_info() const override { return self_ ? &*self_ : nullptr; }

 private:
  struct ReplayedSessionHook;

  Task<Result<Reply>> play(Call& call);
  Task<void> play_lines(ServedCall& served, TaskScope& tasks);
  Task<bool> wait_until_due(const ServedCall& served, const RecordLine& line);
  static Task<void> send_server_call(session::PeerChannel& back, const RecordLine& line,
                                     std::shared_ptr<Answer> answer);
  void check_answer(std::size_t index, const Result<Reply>& answer);
  Result<Reply> answer_of(const ServedCall& served, const RecordLine& line);

  /// Sends the server's calls and notifications that follow this line.
  void play_after(std::size_t index);
  Task<void> play_to_peer(session::PeerHandle peer, std::vector<std::size_t> lines);

  RecordingIndex index_;
  ReplayMatcher matcher_;
  double speed_;
  EventLoop loop_;
  std::map<std::uint64_t, ReplayedSessionHook*> session_hooks_;
  std::optional<protocol::Implementation> self_;
};

struct ReplayedServer::ReplayedSessionHook final : session::SessionHook, private NonCopyable {
  ReplayedSessionHook(ReplayedServer& at, const session::SessionRef& opened)
      : server(at), key(opened.key), peer(opened.peer), tasks(opened.tasks) {
    server.session_hooks_[key] = this;
    server.matcher_.session_opened(key);
  }
  ~ReplayedSessionHook() override {
    server.session_hooks_.erase(key);
    server.matcher_.session_closed(key);
  }

  ReplayedServer& server;
  std::uint64_t key;
  session::PeerHandle peer;
  TaskScope& tasks;
};

std::unique_ptr<session::SessionHook> ReplayedServer::on_session_open(session::SessionRef opened, Service&) {
  return std::make_unique<ReplayedSessionHook>(*this, opened);
}

Task<Result<Reply>> ReplayedServer::play(Call& call) {
  const auto call_line = matcher_.call(call);
  if (!call_line) {
    log(loop_.log, LogLevel::warning, "replay", [&] { return call_line.error().message; });
    co_return std::unexpected(call_line.error());
  }
  play_after(*call_line);
  ServedCall served{.call_line = *call_line, .call = call, .start = loop_.timers.clock().now()};
  co_await with_scope(loop_.log, "replay", [this, &served](TaskScope& tasks) { return play_lines(served, tasks); });
  if (served.reply) co_return std::move(*served.reply);
  co_return fail(ErrorKind::closed, index_.recording().place(*call_line) + ": the recording ends before the reply");
}

Task<void> ReplayedServer::play_lines(ServedCall& served, TaskScope& tasks) {
  auto* const back = served.call.context.peer;
  for (const auto index : index_.during(served.call_line)) {
    const auto& line = index_.line(index);
    if (!co_await wait_until_due(served, line)) co_return;
    if (line.kind == LineKind::server_notification && back != nullptr) {
      auto params = line.params.value_or(json::Payload());
      const auto& token = served.call.context.progress_token;
      if (token && line.method == protocol::Progress::method) {
        params = with_member(params, "progressToken", token->to_json());
      }
      co_await back->notify(*line.method, std::move(params));
    } else if (line.kind == LineKind::server_call && back != nullptr) {
      const auto answer = std::make_shared<Answer>();
      served.server_calls[*line.server_call] = answer;
      tasks.spawn(send_server_call(*back, line, answer));
    } else if (line.kind == LineKind::server_reply && served.server_calls.contains(*line.server_call)) {
      const auto& pending = served.server_calls[*line.server_call];
      const auto answer = co_await pending->wait();
      check_answer(index, answer.value_or(fail(ErrorKind::cancelled, "cancelled")));
      play_after(index);
    } else if (line.kind == LineKind::reply) {
      if (line.error && line.error->kind == ErrorKind::cancelled) co_await async_sleep(loop_.timers, very_long);
      served.reply = answer_of(served, line);
      play_after(index);
    }
  }
}

Task<void> ReplayedServer::send_server_call(session::PeerChannel& back, const RecordLine& line,
                                            std::shared_ptr<Answer> answer) {
  auto given = co_await back.request(*line.method, line.params.value_or(json::Payload()));
  answer->set(std::move(given));
}

// Returns false if the call was cancelled.
Task<bool> ReplayedServer::wait_until_due(const ServedCall& served, const RecordLine& line) {
  if (speed_ <= 0) co_return true;
  const std::chrono::duration<double, std::micro> after(
      static_cast<double>(line.us - index_.line(served.call_line).us) / speed_);
  const auto left = served.start + std::chrono::duration_cast<Duration>(after) - loop_.timers.clock().now();
  co_return left <= Duration{} || co_await async_sleep(loop_.timers, left);
}

void ReplayedServer::check_answer(std::size_t index, const Result<Reply>& answer) {
  const auto recorded = outcome_of(index_.line(index));
  std::vector<std::string> found;
  if (recorded && answer) {
    found = matcher_.diff().differences(recorded->body, answer->body);
  } else if (recorded.has_value() != answer.has_value()) {
    found.push_back(answer ? "a result instead of an error" : answer.error().message);
  }
  if (found.empty()) return;
  log(loop_.log, LogLevel::warning, "replay",
      [&] { return index_.recording().place(index) + ": the client replied differently: " + found.front(); });
}

Result<Reply> ReplayedServer::answer_of(const ServedCall& served, const RecordLine& line) {
  if (line.server) self_ = line.server;
  auto reply = outcome_of(line);
  const auto* revision = served.call.context.revision;
  if (reply && revision != nullptr && served.call.method == protocol::Initialize::method) {
    reply->body = with_member(reply->body, "protocolVersion", json::encode(std::string(revision->name)));
  }
  return reply;
}

void ReplayedServer::play_after(std::size_t index) {
  std::map<std::uint64_t, std::vector<std::size_t>> by_session;
  for (const auto each : index_.after(index)) by_session[index_.line(each).session].push_back(each);
  for (auto& [recorded, lines] : by_session) {
    const auto live = matcher_.live(recorded);
    const auto found = live ? session_hooks_.find(*live) : session_hooks_.end();
    if (found != session_hooks_.end()) found->second->tasks.spawn(play_to_peer(found->second->peer, std::move(lines)));
  }
}

Task<void> ReplayedServer::play_to_peer(session::PeerHandle peer, std::vector<std::size_t> lines) {
  for (const auto index : lines) {
    const auto& line = index_.line(index);
    auto params = line.params.value_or(json::Payload());
    if (line.kind == LineKind::server_notification) {
      session::Notification notice{.method = *line.method, .params = std::move(params)};
      co_await peer->notify(notice);
      continue;
    }
    Call request{.method = *line.method, .params = std::move(params)};
    const auto answer = co_await peer->call(request);
    const auto recorded = index_.answer_to(index);
    if (!recorded) continue;
    check_answer(*recorded, answer);
    play_after(*recorded);
  }
}

}  // namespace

Result<std::unique_ptr<Middleware>> replay(ReplayOptions options, EventLoop loop) {
  auto recording = read_recording(options.path);
  if (!recording) return std::unexpected(std::move(recording.error()));
  return std::make_unique<ReplayedServer>(std::move(*recording), options, std::move(loop));
}

}  // namespace fairlead::gateway
