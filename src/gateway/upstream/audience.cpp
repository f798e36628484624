#include "gateway/upstream/audience.hpp"

#include <algorithm>
#include <deque>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <iterator>
#include <utility>

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
    co_await listener->conversation.peer.notify(notice);
  }
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
  class Place final : public session::Attendance {
   public:
    Place(Audience& audience, std::uint64_t key) : audience_(audience), key_(key) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() override { audience_.leave(key_); }

   private:
    Audience& audience_;
    std::uint64_t key_;
  };
  const auto key = conversation.key;
  listeners_.emplace(key, std::make_shared<Listener>(Listener{.conversation = std::move(conversation)}));
  return std::make_unique<Place>(*this, key);
}

void Audience::leave(std::uint64_t conversation) {
  listeners_.erase(conversation);
  std::vector<std::string> unwanted;
  for (auto each = followers_.begin(); each != followers_.end();) {
    if (each->second.erase(conversation) != 0 && each->second.empty()) {
      unwanted.push_back(each->first);
      each = followers_.erase(each);
    } else {
      ++each;
    }
  }
  if (!unwanted.empty()) left_(std::move(unwanted));
}

void Audience::tell(const session::Notice& notice) {
  if (notice.method != protocol::ResourceUpdated::method) {
    for (const auto& [key, listener] : listeners_) push(listener, notice);
    return;
  }
  const auto updated = json::decode<protocol::ResourceUriParams>(notice.params);
  const auto found = updated ? followers_.find(updated->uri) : followers_.end();
  if (found == followers_.end()) return;
  for (const auto key : found->second) tell(key, notice);
}

bool Audience::tell(std::uint64_t conversation, const session::Notice& notice) {
  const auto found = listeners_.find(conversation);
  if (found == listeners_.end()) return false;
  push(found->second, notice);
  return true;
}

bool Audience::follow(std::uint64_t conversation, const std::string& uri) {
  auto& all = followers_[uri];
  all.insert(conversation);
  return all.size() == 1;
}

bool Audience::unfollow(std::uint64_t conversation, const std::string& uri) {
  const auto found = followers_.find(uri);
  if (found == followers_.end() || found->second.erase(conversation) == 0 || !found->second.empty()) return false;
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

session::Service* Audience::only_peer() const {
  // The gateway itself listens too, as conversation 0, to know of changes; it answers nothing.
  const auto first = listeners_.upper_bound(0);
  if (first == listeners_.end() || std::next(first) != listeners_.end()) return nullptr;
  return &first->second->conversation.peer;
}

}  // namespace fairlead::gateway
