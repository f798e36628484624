#include "server/tasks/task_outcome.hpp"

#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <utility>

namespace fairlead::server {
namespace {

using protocol::TaskStatus;

json::Payload error_payload(std::int64_t code, std::string_view message) {
  std::string text;
  {
    json::ObjectWriter object(text);
    object.raw("code", std::to_string(code));
    object.text("message", message);
  }
  return json::Payload::trusted(std::move(text));
}

json::Payload error_payload(const jsonrpc::ErrorObject& error) {
  auto payload = error_payload(error.code, error.message);
  if (!error.data) return payload;
  return json::Payload::trusted(json::ObjectEdit(payload.text()).set("data", std::string(error.data->text())).text());
}

void set_result(TaskRecord& record, json::Payload body, const session::Call& call, std::size_t max_result) {
  const auto& revision = *call.context.revision;
  const protocol::ResultEnvelope envelope{.method = call.method};
  auto result = revision.codec->encode_result(std::move(body), envelope, revision);
  const auto size = result.text().size();
  if (size <= max_result) {
    record.status = TaskStatus::completed;
    record.result = std::move(result);
    return;
  }
  record.status = TaskStatus::failed;
  record.error =
      error_payload(jsonrpc::code::internal_error,
                    "the result has " + std::to_string(size) + " bytes; a task can keep " + std::to_string(max_result));
}

}  // namespace

void set_outcome(TaskRecord& record, const Result<session::Reply>& reply, const session::Call& call,
                 std::size_t max_result) {
  record.questions.clear();
  if (reply) return set_result(record, reply->body, call, max_result);
  if (reply.error().kind == ErrorKind::cancelled) {
    record.status = TaskStatus::cancelled;
    return;
  }
  auto encoded = protocol::encode_error(reply.error(), *call.context.revision);
  if (auto* body = std::get_if<json::Payload>(&encoded)) return set_result(record, std::move(*body), call, max_result);
  record.status = TaskStatus::failed;
  record.error = error_payload(std::get<protocol::WireError>(encoded).error);
}

}  // namespace fairlead::server
