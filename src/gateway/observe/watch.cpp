#include "gateway/observe/watch.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "gateway/middleware/items.hpp"
#include "gateway/middleware/subject.hpp"
#include "gateway/origins.hpp"

namespace fairlead::gateway {

using session::Call;
using session::Reply;
using session::Service;

namespace {

constexpr std::size_t most_watched_tools = 20'000;

// What a client is told of an exception; one by which a cancelled call ends is told to nobody.
Outcome outcome_of_exception() {
  try {
    throw;
  } catch (const boost::system::system_error& error) {
    if (error.code() == boost::asio::error::operation_aborted) return given_up();
  } catch (...) {  // Below.
  }
  return {.code = jsonrpc::code::internal_error, .message = "an exception"};
}

}  // namespace

void Observers::add(std::shared_ptr<Observer> observer) {
  auto more = now_ ? *now_ : List();
  more.push_back(std::move(observer));
  now_ = std::make_shared<const List>(std::move(more));
}

void Observers::remove(const Observer& observer) {
  auto fewer = now_ ? *now_ : List();
  std::erase_if(fewer, [&](const auto& each) { return each.get() == &observer; });
  now_ = fewer.empty() ? nullptr : std::make_shared<const List>(std::move(fewer));
}

/// A call between its beginning and its end, whichever that is.
class Watch::Passing {
 public:
  Passing(Watch& watch, Call& call, const Service& next, std::shared_ptr<const Observers::List> observers)
      : watch_(watch), call_(call), next_(next), observers_(std::move(observers)) {
    kind_ = watch_.look(sight_, call_, next_);
    for (const auto& observer : *observers_) observer->begins(call_, sight_);
  }
  Passing(const Passing&) = delete;
  Passing& operator=(const Passing&) = delete;
  // Whoever is cancelled may end without a word.
  ~Passing() {
    if (!ended_) end(given_up());
  }

  /// It did not pass after all.
  void forget() { ended_ = true; }

  void look_again(const Result<Reply>& reply) { watch_.look_again(sight_, kind_, next_, reply); }

  void end(const Result<Reply>& reply) {
    if (reply) sight_.bytes_out = reply->body.text().size();
    end(outcome_of(reply, sight_.revision, watch_.observers_->redactor()));
  }
  void end(Outcome outcome) {
    ended_ = true;
    sight_.outcome = std::move(outcome);
    sight_.ended = watch_.clock_.now();
    for (const auto& observer : *observers_) observer->ended(call_, sight_);
  }

 private:
  Watch& watch_;
  Call& call_;
  const Service& next_;
  std::shared_ptr<const Observers::List> observers_;
  Sight sight_;
  std::optional<ListKind> kind_;  // Of what it is about.
  bool ended_ = false;
};

Task<Result<Reply>> Watch::call(Call& call, Service& next) {
  const auto& observers = observers_->now();
  return observers ? seen(call, next, observers) : next.call(call);
}

std::optional<Result<Reply>> Watch::answer_now(Call& call, Service& next) {
  const auto observers = observers_->now();
  if (!observers) return next.answer_now(call);
  // What is not answered now has to find the call untouched.
  if (!post_.plain) return std::nullopt;
  Passing passing(*this, call, next, observers);
  auto answer = next.answer_now(call);
  if (answer) {
    passing.end(*answer);
  } else {
    passing.forget();
  }
  return answer;
}

Task<Result<Reply>> Watch::seen(Call& call, Service& next, std::shared_ptr<const Observers::List> observers) {
  Passing passing(*this, call, next, std::move(observers));
  try {
    auto reply = co_await next.call(call);
    passing.look_again(reply);
    passing.end(reply);
    co_return reply;
  } catch (...) {
    passing.end(outcome_of_exception());
    throw;
  }
}

// What a call is about stands somewhere in its params: they are read once.
std::optional<ListKind> Watch::look(Sight& sight, const Call& call, const Service& next) const {
  auto subject = subject_of(call);
  const auto kind = subject ? std::optional(subject->kind) : std::nullopt;
  sight.hop = post_.hop;
  sight.method = call.method;
  if (subject) sight.about = std::move(subject->named.name);
  sight.server = server_of(kind, sight.about, next);
  sight.listed = tools_.contains(sight.about);
  sight.caller = call.context.principal;
  sight.revision = call.context.revision;
  sight.conversation = call.context.conversation;
  sight.begun = clock_.now();
  sight.bytes_in = call.params.text().size();
  return kind;
}

std::string Watch::server_of(std::optional<ListKind> kind, std::string_view about, const Service& next) const {
  if (!post_.server.empty()) return post_.server;
  if (!kind) return {};
  return (origins_ ? (*origins_)(*kind, about) : origin_of(next, *kind, about)).value_or("");
}

// What is known afterwards only: the lists may have come meanwhile.
void Watch::look_again(Sight& sight, std::optional<ListKind> kind, const Service& next, const Result<Reply>& reply) {
  if (sight.server.empty()) sight.server = server_of(kind, sight.about, next);
  if (reply && !post_.plain) learn(sight, *reply);
  if (!sight.listed) sight.listed = tools_.contains(sight.about);
}

void Watch::learn(const Sight& sight, const Reply& reply) {
  const auto add = [&](const std::string& name) {
    if (tools_.size() < most_watched_tools) tools_.insert(name);
  };
  if (sight.method == protocol::CallTool::method && !sight.listed && !says_failure(reply)) add(sight.about);
  if (sight.method != protocol::ListTools::method) return;
  // Clients ask for the same list again and again.
  const auto list = std::hash<std::string_view>()(reply.body.text());
  if (std::exchange(last_list_, list) == list) return;
  for_each_item(reply.body, ListKind::tools, [&](std::string_view, const std::string& name) { add(name); });
}

}  // namespace fairlead::gateway
