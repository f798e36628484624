#pragma once

#include <fairlead/gateway/chain.hpp>
#include <fairlead/json/codec.hpp>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/test_loop.hpp"

namespace fairlead::gateway::test {

using session::Call;
using session::Notice;
using session::Reply;
using session::Service;

inline Reply reply(std::string body) {
  return {.body = json::Payload::trusted(std::move(body))};
}

inline Call call_of(std::string method, std::string params = "{}") {
  return {.method = std::move(method), .params = json::Payload::trusted(std::move(params))};
}

inline Call tool_call(const std::string& name, const std::string& arguments = "{}") {
  return call_of("tools/call", R"({"name":")" + name + R"(","arguments":)" + arguments + "}");
}

/// A server that says what reached it.
class Echo final : public Service {
 public:
  Task<Result<Reply>> call(Call& call) override {
    calls.push_back(call.method + " " + std::string(call.params.text()));
    if (on_call) return on_call(call);
    return echo(call);
  }
  Task<void> notify(Notice& notice) override {
    notices.push_back(notice.method);
    co_return;
  }
  std::optional<Result<Reply>> answer_now(Call& call) override {
    if (!quick) return std::nullopt;
    calls.push_back(call.method);
    return reply("{}");
  }
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    return on_attend ? on_attend(conversation) : nullptr;
  }
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view) override {
    return {{.header = "X", .path = {std::string(tool)}}};
  }
  const protocol::Implementation* self() const override { return &info; }

  static Task<Result<Reply>> echo(Call& call) { co_return reply(std::string(call.params.text())); }

  std::function<Task<Result<Reply>>(Call&)> on_call;
  std::function<std::unique_ptr<session::Attendance>(session::Conversation&)> on_attend;
  bool quick = false;
  std::vector<std::string> calls;
  std::vector<std::string> notices;
  protocol::Implementation info{.name = "echo", .title = {}, .version = "1"};
};

struct ChainTest : testing::Test {
  fairlead::test::TestLoop loop;
  Echo server;

  Result<Reply> ask(Service& service, Call call) { return loop.run(service.call(call)); }
  /// The body of an answer, or the error's text behind a "!".
  std::string text(Service& service, Call call) {
    const auto answer = ask(service, std::move(call));
    return answer ? std::string(answer->body.text()) : "!" + answer.error().message;
  }
};

}  // namespace fairlead::gateway::test
