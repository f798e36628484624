#include "answer/service.hpp"

#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "answer/tools.hpp"

namespace fairlead::answer {
namespace {

using session::Call;
using session::Reply;

/// The tools never change, so nobody is promised to hear of changes.
Result<Reply> with_plain_capabilities(Result<Reply> reply) {
  if (!reply) return reply;
  json::ObjectEdit edit(reply->body.text());
  edit.set("capabilities", R"({"tools":{}})");
  reply->body = json::Payload::trusted(edit.text());
  return reply;
}

/// `query: is required` becomes `query is required`, as its clients know it.
std::string in_plain_words(std::string message) {
  constexpr std::string_view ours = ": is required";
  for (auto at = message.find(ours); at != std::string::npos; at = message.find(ours)) message.erase(at, 1);
  return message;
}

Result<Reply> as_known(const std::string& method, Result<Reply> reply) {
  if (method == protocol::Initialize::method || method == protocol::Discover::method) {
    return with_plain_capabilities(std::move(reply));
  }
  if (!reply && protocol::fault_of(reply.error()) == protocol::Fault::bad_arguments) {
    reply.error().message = in_plain_words(std::move(reply.error().message));
  }
  return reply;
}

}  // namespace

AnswerService::AnswerService(Setup setup, LogSink& log)
    : asking_(std::move(setup), log), server_(std::string(server_name), asking_.version()) {
  server_.logging(false);
  add_tools(server_, asking_);
}

Task<Result<Reply>> AnswerService::call(Call& call) {
  auto reply = co_await server_.call(call);
  co_return as_known(call.method, std::move(reply));
}

std::optional<Result<Reply>> AnswerService::answer_now(Call& call) {
  auto reply = server_.answer_now(call);
  if (!reply) return std::nullopt;
  return as_known(call.method, std::move(*reply));
}

}  // namespace fairlead::answer
