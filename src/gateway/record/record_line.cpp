#include "gateway/record/record_line.hpp"

#include <algorithm>

#include "gateway/model/call_label.hpp"

namespace fairlead::gateway {
namespace {

using protocol::ResultKind;
using session::Reply;

constexpr std::string_view input_required = "input_required";

RecordedError recorded_error(const Error& error) {
  RecordedError line{.kind = error.kind, .code = error.code, .message = error.message};
  if (!error.data.empty()) line.data = json::Payload::trusted(error.data);
  if (error.cause != 0) line.cause = error.cause;
  if (!error.subject.empty()) line.subject = error.subject;
  return line;
}

}  // namespace

void put_outcome(RecordLine& line, const Result<Reply>& outcome) {
  if (!outcome) {
    line.error = recorded_error(outcome.error());
    return;
  }
  line.result = outcome->body.empty() ? json::Payload::trusted("{}") : outcome->body;
  if (outcome->kind == ResultKind::input_required) line.type = input_required;
  if (outcome->kind == ResultKind::other) line.type = outcome->other_kind;
}

Result<Reply> outcome_of(const RecordLine& line) {
  if (line.error) {
    return std::unexpected(Error{.kind = line.error->kind,
                                 .message = line.error->message,
                                 .code = line.error->code,
                                 .data = std::string(line.error->data ? line.error->data->text() : ""),
                                 .cause = static_cast<std::uint8_t>(line.error->cause.value_or(0)),
                                 .subject = line.error->subject.value_or("")});
  }
  Reply reply{.body = line.result.value_or(json::Payload::trusted("{}"))};
  if (!line.type) return reply;
  reply.kind = *line.type == input_required ? ResultKind::input_required : ResultKind::other;
  if (reply.kind == ResultKind::other) reply.other_kind = *line.type;
  return reply;
}

RecordedCaller recorded(const protocol::ClientIdentity& caller) {
  return {.revision = caller.revision,
          .capabilities = caller.capabilities,
          .info = caller.info,
          .logLevel = caller.log_level};
}

std::shared_ptr<const protocol::ClientIdentity> caller_of(const RecordedCaller& recorded) {
  return std::make_shared<protocol::ClientIdentity>(protocol::ClientIdentity{.revision = recorded.revision,
                                                                             .capabilities = recorded.capabilities,
                                                                             .info = recorded.info,
                                                                             .log_level = recorded.logLevel});
}

std::string single_line(std::string json) {
  // Unescaped line breaks in JSON are white space.
  std::ranges::replace_if(json, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return json;
}

Result<RecordLine> read_line(std::string_view valid_text) {
  return json::decode<RecordLine>(valid_text);
}

std::string describe_line(const RecordLine& line) {
  const session::Call call{.method = line.method.value_or(""), .params = line.params.value_or(json::Payload())};
  return call_label(call);
}

}  // namespace fairlead::gateway
