#include "answer/service.hpp"

#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <utility>

#include "answer/tools.hpp"
#include "base/change_result.hpp"

namespace fairlead::answer {
namespace {

using session::Call;
using session::Reply;

/// Declares tools without listChanged, because the tools never change.
void declare_tools_only(Reply& reply) {
  json::ObjectEdit edit(reply.body.text());
  edit.set("capabilities", R"({"tools":{}})");
  reply.body = json::Payload::trusted(edit.text());
}

/// Changes `query: is required` to `query is required`, which clients of this dialect expect.
std::string reword_required(std::string message) {
  constexpr std::string_view ours = ": is required";
  for (auto at = message.find(ours); at != std::string::npos; at = message.find(ours)) message.erase(at, 1);
  return message;
}

void adapt_reply(const std::string& method, Result<Reply>& reply) {
  const bool describes = method == protocol::Initialize::method || method == protocol::Discover::method;
  if (reply && describes) declare_tools_only(*reply);
  if (!reply && protocol::protocol_error_of(reply.error()) == protocol::ProtocolError::bad_arguments) {
    reply.error().message = reword_required(std::move(reply.error().message));
  }
}

}  // namespace

AnswerService::AnswerService(AnswerOptions options, LogSink& log)
    : engine_(std::move(options), log), server_(std::string(server_name), engine_.version()) {
  server_.logging(false);
  add_tools(server_, engine_);
}

Task<Result<Reply>> AnswerService::call(Call& call) {
  return change_result(server_.call(call), [&call](Result<Reply>& reply) { adapt_reply(call.method, reply); });
}

}  // namespace fairlead::answer
