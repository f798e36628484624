#include "server/harness.hpp"

namespace fairlead::server::test {

Task<Result<Reply>> FakePeerChannel::request(std::string method, json::Payload params) {
  requests.push_back({std::move(method), std::string(params.text())});
  if (answers.empty()) co_return fail(ErrorKind::timeout, "no answer");
  auto answer = std::move(answers.front());
  answers.pop_front();
  if (!answer) co_return std::unexpected(answer.error());
  co_return Reply{.body = json::Payload::trusted(*answer)};
}

Task<Result<void>> FakePeerChannel::notify(std::string method, json::Payload params) {
  notifications.push_back({std::move(method), std::string(params.text())});
  co_return Result<void>{};
}

Client& Client::set_capabilities(const std::string& capabilities) {
  protocol::ClientIdentity caller = *context.caller;
  caller.capabilities = *json::decode<protocol::ClientCapabilities>(capabilities);
  context.caller = std::make_shared<const protocol::ClientIdentity>(std::move(caller));
  return *this;
}

Client& Client::set_log_level(protocol::LoggingLevel level) {
  protocol::ClientIdentity caller = *context.caller;
  caller.log_level = level;
  context.caller = std::make_shared<const protocol::ClientIdentity>(std::move(caller));
  return *this;
}

Result<Reply> Client::request(std::string method, std::string params) {
  Call call{.method = std::move(method), .params = json::Payload::trusted(std::move(params)), .context = context};
  if (call.context.revision == nullptr) call.context.revision = &handshake();
  call.context.peer = &channel;
  return run(server.call(call));
}

std::string Client::body(std::string method, std::string params) {
  auto reply = request(std::move(method), std::move(params));
  EXPECT_TRUE(reply) << (reply ? "" : reply.error().message);
  return reply ? std::string(reply->body.text()) : "";
}

std::string Client::tool(const std::string& name, const std::string& arguments) {
  return body("tools/call", R"({"name":")" + name + R"(","arguments":)" + arguments + "}");
}

protocol::ProtocolError Client::error_of(std::string method, std::string params) {
  auto reply = request(std::move(method), std::move(params));
  return reply ? protocol::ProtocolError::none : protocol::protocol_error_of(reply.error());
}

std::string text_of(const std::string& result) {
  const auto decoded = json::decode<protocol::CallToolResult>(result);
  if (!decoded || decoded->content.empty()) return "";
  const auto* text = std::get_if<protocol::TextContent>(&decoded->content.front());
  return text != nullptr ? text->text : "";
}

}  // namespace fairlead::server::test
