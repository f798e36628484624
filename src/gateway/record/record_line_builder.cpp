#include "gateway/record/record_line_builder.hpp"

#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/gateway/transformers.hpp>

namespace fairlead::gateway {

RecordLineBuilder::RecordLineBuilder(std::shared_ptr<LineSink> sink, std::string hop, EventLoop loop)
    : sink_(std::move(sink)), hop_(std::move(hop)), loop_(std::move(loop)), start_(loop_.timers.clock().now()) {}

RecordLine RecordLineBuilder::line(LineKind kind, Sender from, std::uint64_t session) const {
  RecordLine made{.hop = hop_, .session = session, .from = from, .kind = kind};
  made.us = std::chrono::duration_cast<std::chrono::microseconds>(loop_.timers.clock().now() - start_).count();
  return made;
}

void RecordLineBuilder::open(const session::SessionRef& session) {
  if (!wanted()) return;
  auto opened = line(LineKind::open, Sender::client, session.key);
  if (!session.principal.empty()) opened.principal = session.principal;
  sink_->write(std::move(opened), false);
}

void RecordLineBuilder::close(std::uint64_t session) {
  callers_.erase(session);
  if (!wanted()) return sink_->forget(session);
  sink_->write(line(LineKind::close, Sender::client, session), false);
}

std::uint64_t RecordLineBuilder::call_started(const Call& call) {
  const auto& context = call.context;
  auto begun = line(LineKind::call, Sender::client, context.session_key);
  begun.call = ++calls_;
  begun.method = call.method;
  begun.id = context.id;
  begun.progressToken = context.progress_token;
  if (!call.params.empty()) begun.params = call.params;
  if (context.revision != nullptr) begun.revision = std::string(context.revision->name);
  if (!context.principal.empty()) begun.principal = context.principal;
  auto caller = recorded(*context.caller);
  auto as_text = json::encode(caller);
  auto& last = callers_[context.session_key];
  if (last != as_text) begun.caller = std::move(caller);
  last = std::move(as_text);
  if (context.id) pending_[{context.session_key, context.id->to_json()}] = calls_;
  sink_->write(std::move(begun), false);
  return calls_;
}

void RecordLineBuilder::call_ended(std::uint64_t number, const Call& call, const Result<session::Reply>& outcome,
                                   const protocol::Implementation* server) {
  const auto& context = call.context;
  auto ended = line(LineKind::reply, Sender::server, context.session_key);
  ended.call = number;
  put_outcome(ended, outcome);
  auto signer = server != nullptr ? json::encode(*server) : server_;
  if (signer != server_) ended.server = *server;
  server_ = std::move(signer);
  if (context.id) pending_.erase({context.session_key, context.id->to_json()});
  sink_->write(std::move(ended), is_metadata(call.method));
}

void RecordLineBuilder::notification(const session::Notification& notice) {
  if (!wanted()) return;
  auto notification_line = line(LineKind::notification, Sender::client, notice.session_key);
  notification_line.method = notice.method;
  if (notice.revision != nullptr) notification_line.revision = std::string(notice.revision->name);
  if (!notice.params.empty()) notification_line.params = notice.params;
  sink_->write(std::move(notification_line), false);
}

std::uint64_t RecordLineBuilder::server_call_started(const Call& request) {
  auto request_line = line(LineKind::server_call, Sender::server, request.context.session_key);
  request_line.call = call_at(request.context.session_key, request.context.related_request);
  request_line.server_call = ++server_calls_;
  request_line.method = request.method;
  if (!request.params.empty()) request_line.params = request.params;
  sink_->write(std::move(request_line), false);
  return server_calls_;
}

void RecordLineBuilder::server_call_ended(std::uint64_t number, const Call& request,
                                          const Result<session::Reply>& outcome) {
  auto answered = line(LineKind::server_reply, Sender::client, request.context.session_key);
  answered.call = call_at(request.context.session_key, request.context.related_request);
  answered.server_call = number;
  put_outcome(answered, outcome);
  sink_->write(std::move(answered), false);
}

void RecordLineBuilder::server_notification(const session::Notification& notice) {
  if (!wanted()) return;
  auto server_line = line(LineKind::server_notification, Sender::server, notice.session_key);
  server_line.call = call_at(notice.session_key, notice.related_request);
  server_line.method = notice.method;
  if (!notice.params.empty()) server_line.params = notice.params;
  sink_->write(std::move(server_line), false);
}

std::optional<std::uint64_t> RecordLineBuilder::call_at(std::uint64_t session,
                                                        const std::optional<jsonrpc::Id>& id) const {
  const auto found = id ? pending_.find({session, id->to_json()}) : pending_.end();
  return found == pending_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace fairlead::gateway
