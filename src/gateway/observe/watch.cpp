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
  Passing(const Watch& watch, Call& call, std::shared_ptr<const Observers::List> observers, Sight sight)
      : watch_(watch), call_(call), observers_(std::move(observers)), sight_(std::move(sight)) {
    for (const auto& observer : *observers_) observer->begins(call_, sight_);
  }
  Passing(const Passing&) = delete;
  Passing& operator=(const Passing&) = delete;
  // Whoever is cancelled may end without a word.
  ~Passing() {
    if (!ended_) end(given_up());
  }

  Sight& sight() { return sight_; }

  /// It did not pass after all.
  void forget() { ended_ = true; }

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
  const Watch& watch_;
  Call& call_;
  std::shared_ptr<const Observers::List> observers_;
  Sight sight_;
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
  Passing passing(*this, call, observers, sight_of(call, next).sight);
  auto answer = next.answer_now(call);
  if (answer) {
    passing.end(*answer);
  } else {
    passing.forget();
  }
  return answer;
}

Task<Result<Reply>> Watch::seen(Call& call, Service& next, std::shared_ptr<const Observers::List> observers) {
  auto looked = sight_of(call, next);
  Passing passing(*this, call, std::move(observers), std::move(looked.sight));
  try {
    auto reply = co_await next.call(call);
    look_again(passing.sight(), looked.kind, next, reply);
    passing.end(reply);
    co_return reply;
  } catch (...) {
    passing.end(outcome_of_exception());
    throw;
  }
}

// What a call is about stands somewhere in its params: they are read once.
Watch::Look Watch::sight_of(const Call& call, const Service& next) const {
  auto subject = subject_of(call);
  Look look;
  auto& sight = look.sight;
  sight.hop = post_.hop;
  sight.method = call.method;
  if (subject) {
    look.kind = subject->kind;
    sight.about = std::move(subject->named.name);
  }
  sight.server = server_of(look.kind, sight.about, next);
  sight.listed = tools_.contains(sight.about);
  sight.caller = call.context.principal;
  sight.revision = call.context.revision;
  sight.conversation = call.context.conversation;
  sight.begun = clock_.now();
  sight.bytes_in = call.params.text().size();
  return look;
}

std::string Watch::server_of(std::optional<ListKind> kind, std::string_view about, const Service& next) const {
  if (!post_.server.empty()) return post_.server;
  return kind ? origin_of(post_.origins ? *post_.origins : next, *kind, about).value_or("") : std::string();
}

// What is known afterwards only: the lists may have come meanwhile.
void Watch::look_again(Sight& sight, std::optional<ListKind> kind, const Service& next, const Result<Reply>& reply) {
  if (sight.server.empty()) sight.server = server_of(kind, sight.about, next);
  if (reply && !post_.plain) learn(sight, *reply);
  sight.listed = tools_.contains(sight.about);
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
