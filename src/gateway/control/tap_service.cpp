#include "gateway/control/tap_service.hpp"

#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/gateway/chain.hpp>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "gateway/model/backend_lookup.hpp"
#include "gateway/model/request_target.hpp"
#include "gateway/model/utc_time.hpp"
#include "gateway/record/recorder.hpp"

namespace fairlead::gateway {
namespace {

/// Start of a pending call.
struct TapCall {
  TapLine line = {};
  std::int64_t started_us = 0;
};

/// The client of a session.
struct TapPeer {
  std::optional<std::string> caller = {}, client = {}, revision = {};
};

/// Converts record lines into tap lines.
class TapLineSink final : public LineSink {
 public:
  TapLineSink(std::shared_ptr<TapHub> tap, const session::Service& backends, std::string endpoint)
      : tap_(std::move(tap)), backends_(backends), endpoint_(std::move(endpoint)) {}

  bool wanted() const override { return tap_->has_subscribers(); }

  void write(RecordLine recorded, bool is_metadata) override {
    learn_peer(recorded);
    auto line = line_of(recorded);
    if (wanted()) tap_->publish(line, is_metadata);
    if (recorded.kind == LineKind::close) forget(recorded.session);
  }

  void forget(std::uint64_t session) override { peers_.erase(session); }

 private:
  void learn_peer(const RecordLine& recorded) {
    if (!recorded.principal && !recorded.caller && !recorded.revision) return;
    auto& peer = peers_[recorded.session];
    if (recorded.principal) peer.caller = recorded.principal;
    if (recorded.revision) peer.revision = recorded.revision;
    if (recorded.caller && recorded.caller->info) peer.client = recorded.caller->info->name;
  }

  TapLine line_of(RecordLine& recorded) {
    TapLine line{.time = utc_text_milliseconds(std::chrono::system_clock::now()), .endpoint = endpoint_};
    line.session = recorded.session;
    line.from = recorded.from;
    line.kind = recorded.kind;
    line.call = recorded.call;
    line.server_call = recorded.server_call;
    if (const auto peer = peers_.find(recorded.session); peer != peers_.end()) {
      line.caller = peer->second.caller;
      line.client = peer->second.client;
      line.revision = peer->second.revision;
    }
    line.method = recorded.method;
    line.id = recorded.id;
    line.bytes = size_of_body(recorded);
    put_call_fields(line, recorded);
    line.params = std::move(recorded.params);
    line.result = std::move(recorded.result);
    line.type = std::move(recorded.type);
    line.error = std::move(recorded.error);
    return line;
  }

  void put_call_fields(TapLine& line, const RecordLine& recorded) {
    if (recorded.kind == LineKind::call) {
      put_target(line, recorded);
      calls_[*recorded.call] = {line, recorded.us};
      return;
    }
    if (const auto call = recorded.call ? calls_.find(*recorded.call) : calls_.end(); call != calls_.end()) {
      line.tool = call->second.line.tool;
      line.prompt = call->second.line.prompt;
      line.resource = call->second.line.resource;
      line.server = call->second.line.server;
    }
    if (recorded.kind == LineKind::server_call) server_calls_[*recorded.server_call] = {line, recorded.us};
    if (recorded.kind == LineKind::reply) put_outcome_fields(line, recorded, calls_, *recorded.call);
    if (recorded.kind == LineKind::server_reply)
      put_outcome_fields(line, recorded, server_calls_, *recorded.server_call);
  }

  void put_target(TapLine& line, const RecordLine& recorded) const {
    const session::Call call{.method = recorded.method.value_or(""),
                             .params = recorded.params.value_or(json::Payload())};
    const auto target = target_of(call);
    if (!target) return;
    auto& field = target->kind == ListKind::tools     ? line.tool
                  : target->kind == ListKind::prompts ? line.prompt
                                                      : line.resource;
    field = target->named.name;
    line.server = backend_name_of(backends_, target->kind, target->named.name);
  }

  static void put_outcome_fields(TapLine& line, const RecordLine& recorded, std::map<std::uint64_t, TapCall>& pending,
                                 std::uint64_t number) {
    line.status = status_word(outcome_of(recorded));
    const auto started = pending.extract(number);
    if (!started) return;
    line.method = started.mapped().line.method;
    line.id = started.mapped().line.id;
    line.ms = static_cast<double>(recorded.us - started.mapped().started_us) / 1000;
  }

  std::shared_ptr<TapHub> tap_;
  const session::Service& backends_;
  std::string endpoint_;
  std::map<std::uint64_t, TapPeer> peers_;
  std::map<std::uint64_t, TapCall> calls_, server_calls_;
};

std::string session_label(std::uint64_t session_key, const std::string& principal) {
  return fmt::format("session {}{}{}", session_key, principal.empty() ? "" : " of ", principal);
}

}  // namespace

TapService::TapService(session::Service& next, const EventLoop& loop, std::string endpoint,
                       std::shared_ptr<const ObserverList> observers, std::shared_ptr<TapHub> tap)
    : ForwardingService(next),
      log_(loop.log),
      endpoint_(std::move(endpoint)),
      observing_(std::move(observers), loop.timers.clock(), next),
      tap_(std::move(tap)) {
  auto sink = std::make_shared<TapLineSink>(tap_, next, endpoint_);
  std::shared_ptr<Middleware> middleware =
      recorder(std::make_shared<RecordLineBuilder>(std::move(sink), endpoint_, tap_->loop()));
  tapped_ = chain().then(std::move(middleware)).then(static_cast<session::Service&>(observing_));
}

Task<Result<session::Reply>> TapService::call_and_log(session::Call& call) {
  const auto from = session_label(call.context.session_key, call.context.principal);
  const auto id = call.context.id ? call.context.id->to_json() : "none";
  log_.write(LogLevel::debug, endpoint_,
             fmt::format("{} request id={} {} {}", from, id, call.method, call.params.text()));
  auto reply = co_await forward(call);
  log_.write(LogLevel::debug, endpoint_,
             reply ? fmt::format("{} reply id={} {}", from, id, reply->body.text())
                   : fmt::format("{} error id={}: {}", from, id, reply.error().message));
  co_return reply;
}

Task<void> TapService::notify(session::Notification& notice) {
  log(log_, LogLevel::debug, endpoint_, [&] {
    return fmt::format("{} notification {} {}", session_label(notice.session_key, notice.principal), notice.method,
                       notice.params.text());
  });
  return tap_->has_subscribers() ? tapped_->notify(notice) : target()->notify(notice);
}

}  // namespace fairlead::gateway
