#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/protocol/fault.hpp>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/bell.hpp"
#include "gateway/merge/merge.hpp"

namespace fairlead::gateway::test {

using namespace std::chrono_literals;
using protocol::Fault;
using session::Call;
using session::Reply;

/// A server that does as the test says.
class FakeMember final : public Member {
 public:
  using Script = std::function<Result<std::string>(const std::string& params)>;

  FakeMember(boost::asio::io_context& loop, std::string name)
      : name_(std::move(name)), released_(loop.get_executor()) {}

  /// Items as they are; the server offers the list from now on.
  FakeMember& has(ListKind kind, std::vector<std::string> items) {
    lists_[kind] = std::move(items);
    offer(kind);
    return *this;
  }
  FakeMember& tools(const std::vector<std::string>& names) {
    std::vector<std::string> items;
    for (const auto& name : names) items.push_back(R"({"name":")" + name + R"(","inputSchema":{"type":"object"}})");
    return has(ListKind::tools, std::move(items));
  }
  FakeMember& answers(const std::string& method, std::string result) {
    scripts_[method] = [result](const std::string&) { return Result<std::string>(result); };
    return *this;
  }
  FakeMember& answers(const std::string& method, Script script) {
    scripts_[method] = std::move(script);
    return *this;
  }
  FakeMember& hints(std::string members) {
    hints_ = std::move(members);
    return *this;
  }

  bool dead = false;                ///< Cannot be reached.
  bool silent = false;              ///< Never answers, until `release`.
  bool asleep = false;              ///< Would have to be started.
  std::set<std::string> slow = {};  ///< Methods that are not answered until `release`.
  std::size_t described = 0;
  std::vector<std::pair<std::string, std::string>> calls = {};
  std::vector<std::string> notices = {};
  client::ServerDescription description = {};
  session::Backchannel* last_back = nullptr;

  void release() {
    silent = false;
    slow.clear();
    released_.ring();
  }
  std::size_t count(std::string_view method) const {
    return static_cast<std::size_t>(std::ranges::count(calls, method, [](const auto& call) { return call.first; }));
  }
  std::string last(std::string_view method) const {
    for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
      if (call->first == method) return call->second;
    }
    return "";
  }
  /// Says something unasked to all who attend.
  void say(const std::string& method, const std::string& params = "") {
    for (const auto& [key, conversation] : attending_) {
      session::Notice notice{.method = method, .params = json::Payload::trusted(params)};
      conversation.tasks.spawn(tell(conversation.peer, std::move(notice)));
    }
  }
  std::size_t attended() const { return attending_.size(); }
  session::Service& peer(std::uint64_t key) { return *attending_.at(key).peer; }

  const std::string& name() const override { return name_; }
  const client::ServerDescription* known() const override { return known_ ? &description : nullptr; }
  bool awake() const override { return known_ && !asleep; }

  Task<Result<client::ServerDescription>> describe() override {
    ++described;
    while (silent) co_await released_.wait();
    if (dead) co_return fail(ErrorKind::closed, "it does not run");
    known_ = true;
    asleep = false;
    co_return description;
  }

  Task<Result<Reply>> call(Call& call) override {
    calls.emplace_back(call.method, std::string(call.params.text()));
    last_back = call.context.back;
    while (silent || slow.contains(call.method)) co_await released_.wait();
    if (dead) co_return fail(ErrorKind::closed, "it does not run");
    known_ = true;
    asleep = false;
    auto answer = find(call);
    if (!answer) co_return std::unexpected(answer.error());
    co_return Reply{.body = json::Payload::trusted(std::move(*answer))};
  }

  Task<void> notify(session::Notice& notice) override {
    notices.push_back(notice.method);
    co_return;
  }

  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override {
    struct Leaves final : session::Attendance {
      Leaves(FakeMember& from, std::uint64_t conversation_key) : member(from), key(conversation_key) {}
      Leaves(const Leaves&) = delete;
      Leaves& operator=(const Leaves&) = delete;
      ~Leaves() override { member.attending_.erase(key); }
      FakeMember& member;
      std::uint64_t key;
    };
    const auto key = conversation.key;
    attending_.emplace(key, std::move(conversation));
    return std::make_unique<Leaves>(*this, key);
  }

 private:
  static Task<void> tell(session::PeerHandle peer, session::Notice notice) { co_await peer->notify(notice); }

  void offer(ListKind kind) {
    auto& can = description.capabilities;
    const protocol::ListChanged announced{.listChanged = true};
    if (kind == ListKind::tools) can.tools = announced;
    if (kind == ListKind::prompts) can.prompts = announced;
    if (!is_named(kind)) can.resources = protocol::ResourcesCapability{.listChanged = true};
  }

  Result<std::string> find(const Call& call) {
    if (const auto script = scripts_.find(call.method); script != scripts_.end()) {
      return script->second(std::string(call.params.text()));
    }
    const auto kind = list_asked_by(call.method);
    if (!kind || !lists_.contains(*kind)) {
      return std::unexpected(Error{.kind = ErrorKind::refused, .message = "Method not found", .code = -32601});
    }
    std::string text = "{\"" + std::string(form_of(*kind).member) + "\":[";
    for (const auto& item : lists_[*kind]) text += (text.back() == '[' ? "" : ",") + item;
    return text + "]" + hints_ + "}";
  }

  std::string name_;
  Bell released_;
  bool known_ = false;
  std::map<ListKind, std::vector<std::string>> lists_;
  std::map<std::string, Script> scripts_;
  std::string hints_;
  std::map<std::uint64_t, session::Conversation> attending_;
};

/// A client's end of a conversation.
struct FakePeer final : session::Service {
  std::vector<std::string> heard = {};
  std::vector<std::string> params = {};
  std::vector<std::string> asked = {};

  Task<Result<Reply>> call(Call& call) override {
    asked.push_back(call.method);
    co_return Reply{.body = json::Payload::trusted(R"({"roots":[]})")};
  }
  Task<void> notify(session::Notice& notice) override {
    heard.push_back(notice.method);
    params.emplace_back(notice.params.text());
    co_return;
  }
};

/// Some servers, a clock that stands still, and the merge of them.
class MergeTest : public testing::Test {
 protected:
  ~MergeTest() override {
    tasks_.cancel();
    merge_.reset();
    poll();
    loop_.stop();
  }

  FakeMember& add(const std::string& name, std::string prefix = {}) {
    members_.push_back(std::make_shared<FakeMember>(loop_, name));
    seats_.push_back({.member = members_.back(), .prefix = std::move(prefix), .fingerprint = "as it is"});
    return *members_.back();
  }

  Merge& merge() {
    if (!merge_) merge_.emplace(Loop{loop_.get_executor(), wheel_, log_}, tasks_, seats_, options_);
    return *merge_;
  }

  void poll() {
    loop_.restart();
    loop_.poll();
  }
  void pass(Duration time) {
    clock_.advance(time);
    boost::asio::post(loop_, [this] { wheel_.advance(); });
    poll();
  }

  using Pending = std::shared_ptr<std::optional<Result<Reply>>>;
  Pending start(std::string method, std::string params = "{}", std::string principal = {}) {
    auto pending = std::make_shared<std::optional<Result<Reply>>>();
    Call call{.method = std::move(method), .params = json::Payload::trusted(std::move(params))};
    call.context.principal = std::move(principal);
    call.context.conversation = conversation_;
    call.context.back = back_;
    boost::asio::co_spawn(loop_, made(&merge(), std::move(call), pending), [](const std::exception_ptr& thrown) {
      if (thrown) std::rethrow_exception(thrown);
    });
    poll();
    return pending;
  }

  /// For what needs no time.
  Result<Reply> ask(std::string method, std::string params = "{}", std::string principal = {}) {
    const auto pending = start(std::move(method), std::move(params), std::move(principal));
    if (!*pending) return fail(ErrorKind::timeout, "no answer yet");
    return **pending;
  }
  std::string body(std::string method, std::string params = "{}", std::string principal = {}) {
    const auto reply = ask(std::move(method), std::move(params), std::move(principal));
    return reply ? std::string(reply->body.text()) : "error: " + reply.error().message;
  }
  Fault fault(std::string method, std::string params = "{}", std::string principal = {}) {
    const auto reply = ask(std::move(method), std::move(params), std::move(principal));
    return reply ? Fault::none : protocol::fault_of(reply.error());
  }
  std::vector<std::string> tools() { return keys(ListKind::tools, body("tools/list")); }

  static std::vector<std::string> keys(ListKind kind, const std::string& result) {
    std::vector<std::string> all;
    const auto list = json::member_of(result, form_of(kind).member);
    if (list.empty()) return {result};
    json::Reader reader(list);
    for (reader.open(); reader.more();) {
      const auto item = reader.skip();
      all.push_back(json::decode<std::string>(json::member_of(item, form_of(kind).key)).value_or("?"));
    }
    return all;
  }

  std::unique_ptr<session::Attendance> attend(FakePeer& peer, std::uint64_t key = 7) {
    return merge().attend({.key = key, .peer = peer, .executor = loop_.get_executor(), .tasks = tasks_});
  }

  std::vector<ProblemKind> problem_kinds() {
    std::vector<ProblemKind> kinds;
    for (const auto& problem : merge().problems()) kinds.push_back(problem.kind);
    return kinds;
  }

  ManualClock clock_;
  boost::asio::io_context loop_{1};
  TimerWheel wheel_{clock_};
  CapturingSink log_;
  TaskScope tasks_{loop_.get_executor(), log_, "test"};
  std::vector<std::shared_ptr<FakeMember>> members_;
  std::vector<Seat> seats_;
  MergeOptions options_;
  session::Backchannel* back_ = nullptr;
  std::uint64_t conversation_ = 0;  // Of the calls.
  std::optional<Merge> merge_;

 private:
  static Task<void> made(Merge* merge, Call call, Pending pending) {
    if (auto now = merge->answer_now(call)) {
      pending->emplace(std::move(*now));
      co_return;
    }
    auto reply = co_await merge->call(call);
    pending->emplace(std::move(reply));
  }
};

}  // namespace fairlead::gateway::test
