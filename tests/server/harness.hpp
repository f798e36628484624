#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <deque>
#include <exception>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/server.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::server::test {

using session::Call;
using session::Reply;

inline const protocol::Revision& handshake() {
  return protocol::newest_handshake();
}
inline const protocol::Revision& stateless() {
  return protocol::newest();
}

/// Runs a task on a loop of its own.
template <class T>
T run(Task<T> task) {
  boost::asio::io_context loop(1);
  std::optional<T> result;
  std::exception_ptr thrown;
  auto keep = [](Task<T> inner, std::optional<T>* out) -> Task<void> { out->emplace(co_await std::move(inner)); };
  boost::asio::co_spawn(loop, keep(std::move(task), &result), [&](std::exception_ptr e) { thrown = e; });
  loop.run();
  if (thrown) std::rethrow_exception(thrown);
  return std::move(*result);
}

/// A client's end: keeps what it was told and answers what it was asked by what the test laid out.
class FakeBack final : public session::Backchannel {
 public:
  struct Said {
    std::string method;
    std::string params;
  };
  std::vector<Said> told = {};
  std::vector<Said> asked = {};
  std::deque<Result<std::string>> answers = {};

  Task<Result<Reply>> ask(std::string method, json::Payload params) override {
    asked.push_back({std::move(method), std::string(params.text())});
    if (answers.empty()) co_return fail(ErrorKind::timeout, "no answer");
    auto answer = std::move(answers.front());
    answers.pop_front();
    if (!answer) co_return std::unexpected(answer.error());
    co_return Reply{.body = json::Payload::trusted(*answer)};
  }
  Task<Result<void>> tell(std::string method, json::Payload params) override {
    told.push_back({std::move(method), std::string(params.text())});
    co_return Result<void>{};
  }
};

/// A client with one server, calls as a session would make them.
struct Client {
  explicit Client(Server& offered) : server(offered) { context.id = 1; }

  Server& server;
  FakeBack back = {};
  session::RequestContext context = {};

  Client& speaks(const protocol::Revision& revision) {
    context.revision = &revision;
    return *this;
  }
  Client& can(const std::string& capabilities) {
    protocol::Caller caller = *context.caller;
    caller.capabilities = *json::decode<protocol::ClientCapabilities>(capabilities);
    context.caller = std::make_shared<const protocol::Caller>(std::move(caller));
    return *this;
  }
  Client& wants(protocol::LoggingLevel level) {
    protocol::Caller caller = *context.caller;
    caller.log_level = level;
    context.caller = std::make_shared<const protocol::Caller>(std::move(caller));
    return *this;
  }

  Result<Reply> ask(std::string method, std::string params = "{}") {
    Call call{.method = std::move(method), .params = json::Payload::trusted(std::move(params)), .context = context};
    if (call.context.revision == nullptr) call.context.revision = &handshake();
    call.context.back = &back;
    return run(server.call(call));
  }

  /// The body of an answer that must be a result.
  std::string body(std::string method, std::string params = "{}") {
    auto reply = ask(std::move(method), std::move(params));
    EXPECT_TRUE(reply) << (reply ? "" : reply.error().message);
    return reply ? std::string(reply->body.text()) : "";
  }
  std::string tool(const std::string& name, const std::string& arguments = "{}") {
    return body("tools/call", R"({"name":")" + name + R"(","arguments":)" + arguments + "}");
  }
  protocol::Fault fault(std::string method, std::string params = "{}") {
    auto reply = ask(std::move(method), std::move(params));
    return reply ? protocol::Fault::none : protocol::fault_of(reply.error());
  }
};

inline std::string text_of(const std::string& result) {
  const auto decoded = json::decode<protocol::CallToolResult>(result);
  if (!decoded || decoded->content.empty()) return "";
  const auto* text = std::get_if<protocol::TextContent>(&decoded->content.front());
  return text != nullptr ? text->text : "";
}

}  // namespace fairlead::server::test
