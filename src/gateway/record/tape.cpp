#include "gateway/record/tape.hpp"

#include <chrono>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/gateway/transformers.hpp>

namespace fairlead::gateway {
namespace {

using session::Call;

}  // namespace

Tape::Tape(std::shared_ptr<LineTaker> taker, std::string hop, Loop loop)
    : taker_(std::move(taker)), hop_(std::move(hop)), loop_(std::move(loop)), start_(loop_.timers.clock().now()) {}

RecordLine Tape::line(LineKind kind, Speaker from, std::uint64_t conversation) const {
  RecordLine made{.hop = hop_, .conversation = conversation, .from = from, .kind = kind};
  made.us = std::chrono::duration_cast<std::chrono::microseconds>(loop_.timers.clock().now() - start_).count();
  return made;
}

void Tape::open(const session::Conversation& conversation) {
  if (!wanted()) return;
  auto opened = line(LineKind::open, Speaker::client, conversation.key);
  if (!conversation.principal.empty()) opened.principal = conversation.principal;
  taker_->take(std::move(opened), false);
}

void Tape::close(std::uint64_t conversation) {
  callers_.erase(conversation);
  if (!wanted()) return taker_->forget(conversation);
  taker_->take(line(LineKind::close, Speaker::client, conversation), false);
}

std::uint64_t Tape::begin(const Call& call) {
  const auto& context = call.context;
  auto begun = line(LineKind::call, Speaker::client, context.conversation);
  begun.call = ++calls_;
  begun.method = call.method;
  begun.id = context.id;
  begun.progressToken = context.progress_token;
  if (!call.params.empty()) begun.params = call.params;
  if (context.revision != nullptr) begun.revision = std::string(context.revision->name);
  if (!context.principal.empty()) begun.principal = context.principal;
  auto caller = recorded(*context.caller);
  auto as_text = json::encode(caller);
  auto& last = callers_[context.conversation];
  if (last != as_text) begun.caller = std::move(caller);
  last = std::move(as_text);
  if (context.id) under_way_[{context.conversation, context.id->to_json()}] = calls_;
  taker_->take(std::move(begun), false);
  return calls_;
}

void Tape::end(std::uint64_t number, const Call& call, const Result<session::Reply>& outcome,
               const protocol::Implementation* server) {
  const auto& context = call.context;
  auto ended = line(LineKind::reply, Speaker::server, context.conversation);
  ended.call = number;
  put_outcome(ended, outcome);
  auto signer = server != nullptr ? json::encode(*server) : server_;
  if (signer != server_) ended.server = *server;
  server_ = std::move(signer);
  if (context.id) under_way_.erase({context.conversation, context.id->to_json()});
  taker_->take(std::move(ended), is_metadata(call.method));
}

void Tape::notice(const session::Notice& notice) {
  if (!wanted()) return;
  auto said = line(LineKind::notice, Speaker::client, notice.conversation);
  said.method = notice.method;
  if (notice.revision != nullptr) said.revision = std::string(notice.revision->name);
  if (!notice.params.empty()) said.params = notice.params;
  taker_->take(std::move(said), false);
}

std::uint64_t Tape::ask(const Call& question) {
  auto asked = line(LineKind::ask, Speaker::server, question.context.conversation);
  asked.call = call_at(question.context.conversation, question.context.about);
  asked.ask = ++asks_;
  asked.method = question.method;
  if (!question.params.empty()) asked.params = question.params;
  taker_->take(std::move(asked), false);
  return asks_;
}

void Tape::answer(std::uint64_t number, const Call& question, const Result<session::Reply>& outcome) {
  auto answered = line(LineKind::answer, Speaker::client, question.context.conversation);
  answered.call = call_at(question.context.conversation, question.context.about);
  answered.ask = number;
  put_outcome(answered, outcome);
  taker_->take(std::move(answered), false);
}

void Tape::tell(const session::Notice& notice) {
  if (!wanted()) return;
  auto told = line(LineKind::tell, Speaker::server, notice.conversation);
  told.call = call_at(notice.conversation, notice.about);
  told.method = notice.method;
  if (!notice.params.empty()) told.params = notice.params;
  taker_->take(std::move(told), false);
}

std::optional<std::uint64_t> Tape::call_at(std::uint64_t conversation, const std::optional<jsonrpc::Id>& id) const {
  const auto found = id ? under_way_.find({conversation, id->to_json()}) : under_way_.end();
  return found == under_way_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace fairlead::gateway
