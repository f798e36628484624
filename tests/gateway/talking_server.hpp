#pragma once

#include <fairlead/base/task_scope.hpp>
#include <fairlead/json/object_edit.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "manual_loop.hpp"

namespace fairlead::gateway::test {

/// A server of the handshake era that says things when the test wants it to, without naming a request.
class TalkingServer final : public session::Service {
 public:
  explicit TalkingServer(ManualLoop& manual) : released_(manual.loop().executor) {}

  Task<Result<session::Reply>> call(session::Call& call) override {
    ++calls;
    if (call.method == "initialize") {
      co_return reply(R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{},"tasks":{"list":{}},)"
                      R"("resources":{"subscribe":true}},"serverInfo":{"name":"talking","version":"1"}})");
    }
    if (call.method == "tasks/list") co_return reply(R"({"tasks":[{"taskId":"t1"},{"taskId":"t2"}]})");
    if (call.method != "tools/call") co_return reply("{}");
    if (call.params.text().contains("\"task\"")) {
      co_return reply(R"({"task":{"taskId":"t)" + std::to_string(++tasks_) + R"(","status":"working"}})");
    }
    const std::string secret(json::member_of(call.params.text(), "arguments"));
    if (call.context.back && call.context.progress_token) {
      const auto told = R"({"progressToken":)" + call.context.progress_token->to_json() +
                        R"(,"progress":1,"message":)" + json::encode(secret) + "}";
      call.context.back->tell_now("notifications/progress", json::Payload::trusted(told));
    }
    if (json::member_of(call.params.text(), "name") == "\"hold\"") {
      while (!let_go) co_await released_.wait();
    }
    co_return reply(R"({"content":[{"type":"text","text":)" + json::encode(secret) + "}]}");
  }
  Task<void> notify(session::Notice&) override { co_return; }
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    gateway.emplace(std::move(conversation));
    return nullptr;
  }

  /// Outside of any request.
  void ask() { gateway->tasks.spawn(asking(&*gateway->peer, &answers)); }
  void say(std::string method, std::string params) {
    session::Notice notice{.method = std::move(method), .params = json::Payload::trusted(std::move(params))};
    gateway->tasks.spawn(telling(&*gateway->peer, std::move(notice)));
  }
  void say_log(const std::string& text) {
    say("notifications/message", R"({"level":"warning","data":)" + json::encode(text) + "}");
  }
  void release() {
    let_go = true;
    released_.ring();
  }

  int calls = 0;
  bool let_go = false;
  std::vector<std::string> answers = {};  ///< To what it asked; errors too.
  std::optional<session::Conversation> gateway;

 private:
  static session::Reply reply(std::string body) { return {.body = json::Payload::trusted(std::move(body))}; }
  static Task<void> asking(session::Service* peer, std::vector<std::string>* answers) {
    session::Call question{.method = "roots/list", .params = json::Payload::trusted("{}")};
    const auto answer = co_await peer->call(question);
    answers->push_back(answer ? std::string(answer->body.text()) : "!" + answer.error().message);
  }
  static Task<void> telling(session::Service* peer, session::Notice notice) { co_await peer->notify(notice); }

  Bell released_;
  int tasks_ = 0;
};

/// A client: its session, and its calls.
struct Someone final : session::Service {
  Someone(ManualLoop& manual, std::string named, std::uint64_t session)
      : principal(std::move(named)), key(session), back(manual.loop().executor) {
    back.answer = R"({"roots":[{"uri":"file:///of/)" + std::to_string(key) + "\"}]}";
  }

  Task<Result<session::Reply>> call(session::Call& call) override {
    asked.push_back(call.method);
    co_return session::Reply{.body = json::Payload::trusted(*back.answer)};
  }
  Task<void> notify(session::Notice& notice) override {
    heard.push_back(notice.method + " " + std::string(notice.params.text()));
    co_return;
  }
  /// Everything that came here, in calls and outside of them.
  std::vector<std::string> all() const {
    auto all = heard;
    for (const auto& some : {asked, back.asked, back.told}) all.insert(all.end(), some.begin(), some.end());
    return all;
  }

  std::string principal;
  std::uint64_t key;
  FakeBack back;
  std::vector<std::string> asked = {}, heard = {};
  std::unique_ptr<session::Attendance> place = {};
};

}  // namespace fairlead::gateway::test
