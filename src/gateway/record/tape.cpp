#include "gateway/record/tape.hpp"

#include <chrono>
#include <ctime>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/gateway/transformers.hpp>

namespace fairlead::gateway {
namespace {

using session::Call;

std::string utc_now() {
  const auto now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::string text(32, '\0');
  text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts));
  return text;
}

void hide_all(std::string& text, std::string_view secret) {
  for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at + Redactor::mark.size())) {
    text.replace(at, secret.size(), Redactor::mark);
  }
}

}  // namespace

Tape::Tape(std::shared_ptr<RecordFile> file, const RecordOptions& options, Loop loop)
    : file_(std::move(file)), hop_(options.hop), loop_(std::move(loop)), start_(loop_.timers.clock().now()) {
  for (const auto& key : options.keys) redactor_.add_key(key);
  for (const auto& secret : options.secrets) {
    if (!redactor_.add_secret(secret)) continue;
    auto in_json = json::encode(secret);
    secrets_.push_back(in_json.substr(1, in_json.size() - 2));
  }
  const RecordHead head{.mcpl = recording_version, .fairlead = FAIRLEAD_VERSION, .started = utc_now()};
  file_->write(json::encode(head));
}

RecordLine Tape::line(LineKind kind, Speaker from, std::uint64_t conversation) const {
  RecordLine made{.hop = hop_, .conversation = conversation, .from = from, .kind = kind};
  made.us = std::chrono::duration_cast<std::chrono::microseconds>(loop_.timers.clock().now() - start_).count();
  return made;
}

// The name of an argument is no secret, and a schema without it is another: lists are searched for values alone.
std::string Tape::clean(const RecordLine& line, bool is_metadata) const {
  auto text = written(line);
  if (!is_metadata) return redactor_.redact(text);
  for (const auto& secret : secrets_) hide_all(text, secret);
  return text;
}

void Tape::put(RecordLine line, bool is_metadata) {
  auto text = clean(line, is_metadata);
  if (json::scan(text)) {
    // Of a text that would no longer be one, nothing is shown.
    const auto nothing = json::Payload::trusted("{}");
    if (line.params) line.params = nothing;
    if (line.result) line.result = nothing;
    if (line.error) line.error = RecordedError{.kind = line.error->kind, .code = line.error->code};
    text = clean(line, is_metadata);
  }
  file_->write(std::move(text));
}

void Tape::open(const session::Conversation& conversation) {
  auto opened = line(LineKind::open, Speaker::client, conversation.key);
  if (!conversation.principal.empty()) opened.principal = conversation.principal;
  put(std::move(opened));
}

void Tape::close(std::uint64_t conversation) {
  callers_.erase(conversation);
  put(line(LineKind::close, Speaker::client, conversation));
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
  put(std::move(begun));
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
  put(std::move(ended), is_metadata(call.method));
}

void Tape::notice(const session::Notice& notice) {
  auto said = line(LineKind::notice, Speaker::client, notice.conversation);
  said.method = notice.method;
  if (notice.revision != nullptr) said.revision = std::string(notice.revision->name);
  if (!notice.params.empty()) said.params = notice.params;
  put(std::move(said));
}

std::uint64_t Tape::ask(const Call& question) {
  auto asked = line(LineKind::ask, Speaker::server, question.context.conversation);
  asked.call = call_at(question.context.conversation, question.context.about);
  asked.ask = ++asks_;
  asked.method = question.method;
  if (!question.params.empty()) asked.params = question.params;
  put(std::move(asked));
  return asks_;
}

void Tape::answer(std::uint64_t number, const Call& question, const Result<session::Reply>& outcome) {
  auto answered = line(LineKind::answer, Speaker::client, question.context.conversation);
  answered.call = call_at(question.context.conversation, question.context.about);
  answered.ask = number;
  put_outcome(answered, outcome);
  put(std::move(answered));
}

void Tape::tell(const session::Notice& notice) {
  auto told = line(LineKind::tell, Speaker::server, notice.conversation);
  told.call = call_at(notice.conversation, notice.about);
  told.method = notice.method;
  if (!notice.params.empty()) told.params = notice.params;
  put(std::move(told));
}

std::optional<std::uint64_t> Tape::call_at(std::uint64_t conversation, const std::optional<jsonrpc::Id>& id) const {
  const auto found = id ? under_way_.find({conversation, id->to_json()}) : under_way_.end();
  return found == under_way_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace fairlead::gateway
