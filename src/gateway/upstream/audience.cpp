#include "gateway/upstream/audience.hpp"

#include <algorithm>
#include <deque>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "base/promise.hpp"

namespace fairlead::gateway {

/// One of the audience. Shared with the task that tells it what waits.
struct Listener {
  session::Conversation conversation;
  std::deque<session::Notice> waiting = {};
  std::optional<protocol::LoggingLevel> level = {};
  bool telling = false;
};

namespace {

constexpr std::size_t most_waiting_news = 1024;

Task<void> tell_all(std::shared_ptr<Listener> listener) {
  // However it ends: what comes next is told again.
  struct AtTheEnd {
    Listener& of;
    ~AtTheEnd() { of.telling = false; }
  } const at_the_end{*listener};
  while (!listener->waiting.empty()) {
    auto notice = std::move(listener->waiting.front());
    listener->waiting.pop_front();
    co_await listener->conversation.peer->notify(notice);
  }
}

/// What a server asks outside any call.
struct UnaskedQuestion {
  session::Call call;
  Promise<Result<session::Reply>> answer = {};
};

Task<void> put(std::shared_ptr<Listener> listener, std::shared_ptr<UnaskedQuestion> question) {
  // However this ends, whoever waits for the answer goes on.
  struct AtTheEnd {
    explicit AtTheEnd(UnaskedQuestion& of) : question(of) {}
    AtTheEnd(const AtTheEnd&) = delete;
    AtTheEnd& operator=(const AtTheEnd&) = delete;
    ~AtTheEnd() { question.answer.set(fail(ErrorKind::closed, "the client has gone")); }
    UnaskedQuestion& question;
  } const at_the_end(*question);
  auto answer = co_await listener->conversation.peer->call(question->call);
  question->answer.set(std::move(answer));
}

// Of a message that is logged twice, both count; of changes, one.
bool says_no_more(const session::Notice& notice, const session::Notice& other) {
  return notice.method != protocol::LoggingMessage::method && notice.method == other.method &&
         notice.params.text() == other.params.text();
}

void push(const std::shared_ptr<Listener>& listener, const session::Notice& notice) {
  auto& waiting = listener->waiting;
  if (waiting.size() >= most_waiting_news) return;
  if (std::ranges::any_of(waiting, [&](const auto& other) { return says_no_more(notice, other); })) return;
  waiting.push_back(notice);
  if (!std::exchange(listener->telling, true)) listener->conversation.tasks.spawn(tell_all(listener));
}

}  // namespace

std::unique_ptr<session::Attendance> Audience::admit(session::Conversation conversation) {
  class Membership final : public session::Attendance {
   public:
    Membership(Audience& audience, std::uint64_t key) : audience_(audience), key_(key) {}
    Membership(const Membership&) = delete;
    Membership& operator=(const Membership&) = delete;
    ~Membership() override { audience_.leave(key_); }

   private:
    Audience& audience_;
    std::uint64_t key_;
  };
  const auto key = conversation.key;
  listeners_.emplace(key, std::make_shared<Listener>(Listener{.conversation = std::move(conversation)}));
  return std::make_unique<Membership>(*this, key);
}

void Audience::leave(std::uint64_t conversation) {
  std::vector<std::string> unwanted;
  for (auto each = followers_.begin(); each != followers_.end();) {
    const bool followed = each->second.erase(conversation) != 0;
    if (followed) discount(conversation, each->first);
    if (followed && each->second.empty()) {
      unwanted.push_back(each->first);
      each = followers_.erase(each);
    } else {
      ++each;
    }
  }
  listeners_.erase(conversation);
  if (!unwanted.empty()) left_(std::move(unwanted));
}

void Audience::tell(const session::Notice& notice) {
  // By their keys: telling one may have another leave, who is then not found any more.
  std::vector<std::uint64_t> keys;
  if (notice.method != protocol::ResourceUpdated::method) {
    for (const auto& [key, listener] : listeners_) keys.push_back(key);
  } else {
    const auto updated = json::decode<protocol::ResourceUriParams>(notice.params);
    const auto found = updated ? followers_.find(updated->uri) : followers_.end();
    if (found != followers_.end()) keys.assign(found->second.begin(), found->second.end());
  }
  for (const auto key : keys) tell(key, notice);
}

bool Audience::tell(std::uint64_t conversation, const session::Notice& notice) {
  const auto found = listeners_.find(conversation);
  if (found == listeners_.end()) return false;
  push(found->second, notice);
  return true;
}

Result<void> Audience::may_follow(std::uint64_t conversation, const std::string& uri) const {
  const auto known = followers_.find(uri);
  if (known != followers_.end() && known->second.contains(conversation)) return {};
  const auto fits = [&](const Follows& now, std::size_t most, std::size_t bytes) {
    return now.count < most && now.bytes + uri.size() <= bytes;
  };
  const auto own = by_session_.find(conversation);
  const auto of_session = own == by_session_.end() ? Follows() : own->second;
  if (!fits(of_session, limits_.of_a_session, limits_.bytes_of_a_session)) {
    return fail(ErrorKind::refused,
                fmt::format("this session follows {} resources here, with URIs of {} bytes, and may "
                            "follow {} with {} bytes; unsubscribe from some first",
                            of_session.count, of_session.bytes, limits_.of_a_session, limits_.bytes_of_a_session));
  }
  const auto* listener = find(conversation);
  const auto all = by_principal_.find(listener ? listener->conversation.principal : std::string());
  const auto of_principal = all == by_principal_.end() ? Follows() : all->second;
  if (fits(of_principal, limits_.of_a_principal, limits_.bytes_of_a_principal)) return {};
  return fail(
      ErrorKind::refused,
      fmt::format("all your sessions together follow {} resources here, with URIs of {} bytes, and may follow "
                  "{} with {} bytes; unsubscribe from some first",
                  of_principal.count, of_principal.bytes, limits_.of_a_principal, limits_.bytes_of_a_principal));
}

void Audience::count(std::uint64_t conversation, const std::string& uri) {
  const auto* listener = find(conversation);
  for (auto* now : {&by_session_[conversation], &by_principal_[listener ? listener->conversation.principal : ""]}) {
    ++now->count;
    now->bytes += uri.size();
  }
}

void Audience::discount(std::uint64_t conversation, const std::string& uri) {
  const auto* listener = find(conversation);
  const auto less = [&](auto& counts, const auto& key) {
    const auto found = counts.find(key);
    if (found == counts.end()) return;
    found->second.bytes -= uri.size();
    if (--found->second.count == 0) counts.erase(found);
  };
  less(by_session_, conversation);
  less(by_principal_, listener ? listener->conversation.principal : std::string());
}

bool Audience::follow(std::uint64_t conversation, const std::string& uri) {
  auto& all = followers_[uri];
  if (all.insert(conversation).second) count(conversation, uri);
  return all.size() == 1;
}

bool Audience::unfollow(std::uint64_t conversation, const std::string& uri) {
  const auto found = followers_.find(uri);
  if (found == followers_.end() || found->second.erase(conversation) == 0) return false;
  discount(conversation, uri);
  if (!found->second.empty()) return false;
  followers_.erase(found);
  return true;
}

bool Audience::is_followed(const std::string& uri) const {
  return followers_.contains(uri);
}

Listener* Audience::find(std::uint64_t conversation) const {
  const auto found = listeners_.find(conversation);
  return found == listeners_.end() ? nullptr : found->second.get();
}

void Audience::set_level(std::uint64_t conversation, protocol::LoggingLevel level) {
  if (auto* listener = find(conversation)) listener->level = level;
}

std::optional<protocol::LoggingLevel> Audience::level(std::uint64_t conversation) const {
  const auto* listener = find(conversation);
  return listener ? listener->level : std::nullopt;
}

void Audience::tell(const CallerId& caller, const session::Notice& notice,
                    std::optional<protocol::LoggingLevel> level) {
  for (const auto& [key, listener] : listeners_) {
    if (!is_client_key(key) || caller_id(listener->conversation.principal, key) != caller) continue;
    if (!level || !listener->level || *level >= *listener->level) push(listener, notice);
  }
}

std::shared_ptr<Listener> Audience::only_listener(const CallerId& caller) const {
  std::shared_ptr<Listener> only;
  for (const auto& [key, listener] : listeners_) {
    if (listener->conversation.hears_only || !is_client_key(key) ||
        caller_id(listener->conversation.principal, key) != caller)
      continue;
    if (only != nullptr) return nullptr;
    only = listener;
  }
  return only;
}

session::Service* Audience::only_peer(const CallerId& caller) const {
  const auto only = only_listener(caller);
  return only ? &*only->conversation.peer : nullptr;
}

Task<Result<session::Reply>> Audience::ask_only_peer(CallerId caller, session::Call question) {
  const auto only = only_listener(caller);
  if (!only) co_return fail(ErrorKind::refused, "there is no client to ask");
  const auto asked = std::make_shared<UnaskedQuestion>(UnaskedQuestion{.call = std::move(question)});
  // In the conversation's own tasks: nothing of it is used when it has ended.
  auto task = only->conversation.tasks.spawn(put(only, asked));
  if (!task) co_return fail(ErrorKind::closed, "the client has gone");
  Result<session::Reply> given_up = fail(ErrorKind::cancelled, "the server has withdrawn its question");
  auto answer = co_await asked->answer.wait(std::move(given_up));
  task.cancel();
  co_return answer;
}

std::set<CallerId> Audience::callers() const {
  std::set<CallerId> callers;
  for (const auto& [key, listener] : listeners_) {
    if (is_client_key(key)) callers.insert(caller_id(listener->conversation.principal, key));
  }
  return callers;
}

std::uint64_t Audience::newest_besides(std::uint64_t conversation) const {
  std::uint64_t newest = 0;
  for (const auto& [key, listener] : listeners_) {
    if (key != conversation && is_client_key(key)) newest = std::max(newest, key);
  }
  return newest;
}

}  // namespace fairlead::gateway
