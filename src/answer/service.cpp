#include "answer/service.hpp"

#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <utility>

#include "answer/tools.hpp"

namespace fairlead::answer {
namespace {

using session::Call;
using session::Reply;

/// Declares tools without listChanged, because the tools never change.
Result<Reply> with_tools_capability_only(Result<Reply> reply) {
  if (!reply) return reply;
  json::ObjectEdit edit(reply->body.text());
  edit.set("capabilities", R"({"tools":{}})");
  reply->body = json::Payload::trusted(edit.text());
  return reply;
}

/// Changes `query: is required` to `query is required`, which clients of this dialect expect.
std::string reword_required(std::string message) {
  constexpr std::string_view ours = ": is required";
  for (auto at = message.find(ours); at != std::string::npos; at = message.find(ours)) message.erase(at, 1);
  return message;
}

Result<Reply> adapt_reply(const std::string& method, Result<Reply> reply) {
  if (method == protocol::Initialize::method || method == protocol::Discover::method) {
    return with_tools_capability_only(std::move(reply));
  }
  if (!reply && protocol::protocol_error_of(reply.error()) == protocol::ProtocolError::bad_arguments) {
    reply.error().message = reword_required(std::move(reply.error().message));
  }
  return reply;
}

}  // namespace

AnswerService::AnswerService(AnswerOptions options, LogSink& log)
    : engine_(std::move(options), log), server_(std::string(server_name), engine_.version()) {
  server_.logging(false);
  add_tools(server_, engine_);
}

Task<Result<Reply>> AnswerService::call(Call& call) {
  auto reply = co_await server_.call(call);
  co_return adapt_reply(call.method, std::move(reply));
}

std::optional<Result<Reply>> AnswerService::answer_now(Call& call) {
  auto reply = server_.answer_now(call);
  if (!reply) return std::nullopt;
  return adapt_reply(call.method, std::move(*reply));
}

}  // namespace fairlead::answer
