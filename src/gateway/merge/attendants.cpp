#include "gateway/merge/attendants.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/task_scope.hpp>
#include <list>
#include <map>
#include <utility>

#include "gateway/merge/splice.hpp"

namespace fairlead::gateway {
namespace {

Task<void> nothing() {
  co_return;
}

/// A client, as one of the servers sees it: that a list has changed is told when the merged one has.
class Ear final : public session::Service {
 public:
  Ear(Catalogue& catalogue, session::Service& peer) : catalogue_(&catalogue), peer_(peer) {}

  Task<Result<session::Reply>> call(session::Call& call) override { return peer_.call(call); }
  Task<void> notify(session::Notice& notice) override {
    if (catalogue_ == nullptr || catalogue_->hear(notice.method)) return nothing();
    return peer_.notify(notice);
  }

  /// The server is one of ours no more. What it still says unasked is not heard.
  void retire() { catalogue_ = nullptr; }

 private:
  Catalogue* catalogue_;
  session::Service& peer_;
};

/// Whom a server sees while there is no client: hears, and cannot be asked anything.
class Nobody final : public session::Service {
 public:
  Task<Result<session::Reply>> call(session::Call& call) override {
    co_return refuse(protocol::Fault::unknown_method, "there is no client to ask", call.method);
  }
  Task<void> notify(session::Notice&) override { return nothing(); }
};

/// What waits to be told to a client. Shared with the task that tells it.
struct News {
  session::Service& peer;
  std::set<std::string_view> waiting = {};  ///< Methods, which the protocol's own constants hold.
  bool telling = false;
};

Task<void> tell_all(std::shared_ptr<News> news) {
  // However it ends: what comes next is told again.
  struct AtTheEnd {
    News& of;
    ~AtTheEnd() { of.telling = false; }
  } const at_the_end{*news};
  // Changes come in flocks: those that are equal are told once.
  co_await boost::asio::post(co_await boost::asio::this_coro::executor, boost::asio::use_awaitable);
  while (!news->waiting.empty()) {
    session::Notice notice{.method = std::string(news->waiting.extract(news->waiting.begin()).value())};
    co_await news->peer.notify(notice);
  }
}

}  // namespace

class Attendants::Attending final : public session::Attendance {
 public:
  /// `own`: it is nobody's, and is there to hear what servers say while there is no client.
  Attending(Attendants& all, session::Conversation conversation, bool own = false)
      : all_(all),
        own_(own),
        conversation_(std::move(conversation)),
        news_(std::make_shared<News>(News{.peer = conversation_.peer})) {
    all_.all_.insert(this);
    follow_roster();
  }
  Attending(const Attending&) = delete;
  Attending& operator=(const Attending&) = delete;
  ~Attending() override { all_.all_.erase(this); }

  void follow_roster() {
    const auto& present = all_.roster_.all();
    for (auto& place : places_) {
      if (place.catalogue && std::ranges::find(present, place.catalogue) == present.end()) place.leave();
    }
    for (const auto& catalogue : present) {
      if (std::ranges::find(places_, catalogue, &Place::catalogue) == places_.end()) attend(catalogue);
    }
  }

  void follows(Following following, const std::shared_ptr<Catalogue>& at) {
    auto uri = following.uri;
    followed_.insert_or_assign(std::move(uri), Followed{std::move(following), at});
  }
  void follows_no_more(const std::string& uri) { followed_.erase(uri); }

  void for_each_lost(const std::function<Task<void>(Following)>& then) {
    const auto& present = all_.roster_.all();
    for (const auto& [uri, followed] : followed_) {
      if (std::ranges::find(present, followed.at.lock()) == present.end()) {
        conversation_.tasks.spawn(then(followed.what));
      }
    }
  }

  std::uint64_t key() const { return conversation_.key; }

  void tell(std::string_view notice) {
    if (own_) return;
    news_->waiting.insert(notice);
    if (!std::exchange(news_->telling, true)) conversation_.tasks.spawn(tell_all(news_));
  }

 private:
  /// In the order in which they are needed by what follows.
  struct Place {
    std::shared_ptr<Catalogue> catalogue;  ///< Null where the server has gone.
    // Stays until the conversation ends: a task of the server's may still be about to say something.
    std::unique_ptr<Ear> ear;
    std::unique_ptr<session::Attendance> attendance = {};

    void leave() {
      attendance.reset();
      ear->retire();
      catalogue.reset();
    }
  };

  struct Followed {
    Following what;
    std::weak_ptr<Catalogue> at;
  };

  void attend(const std::shared_ptr<Catalogue>& catalogue) {
    auto& place = places_.emplace_back(catalogue, std::make_unique<Ear>(*catalogue, conversation_.peer));
    place.attendance = catalogue->member().attend({.key = conversation_.key,
                                                   .principal = conversation_.principal,
                                                   .peer = *place.ear,
                                                   .executor = conversation_.executor,
                                                   .tasks = conversation_.tasks});
  }

  Attendants& all_;
  const bool own_;
  session::Conversation conversation_;
  std::shared_ptr<News> news_;
  std::list<Place> places_;
  std::map<std::string, Followed> followed_;
};

Attendants::Attendants(const Roster& roster, TaskScope& tasks) : roster_(roster), nobody_(std::make_unique<Nobody>()) {
  // A server may be in several rooms, each of which has to hear it.
  session::Conversation own{
      .key = session::new_conversation_key(), .peer = *nobody_, .executor = roster.loop().executor, .tasks = tasks};
  own_ = std::make_unique<Attending>(*this, std::move(own), true);
}

Attendants::~Attendants() = default;

std::unique_ptr<session::Attendance> Attendants::admit(session::Conversation conversation) {
  return std::make_unique<Attending>(*this, std::move(conversation));
}

void Attendants::tell(std::string_view notice) {
  for (auto* attending : all_) attending->tell(notice);
}

void Attendants::follow_roster() {
  for (auto* attending : all_) attending->follow_roster();
}

Attendants::Attending* Attendants::find(std::uint64_t conversation) const {
  const auto found = std::ranges::find(all_, conversation, [](const Attending* each) { return each->key(); });
  return found == all_.end() || conversation == 0 ? nullptr : *found;
}

void Attendants::follows(Following following, const std::shared_ptr<Catalogue>& at) {
  if (auto* attending = find(following.conversation)) attending->follows(std::move(following), at);
}

void Attendants::follows_no_more(std::uint64_t conversation, const std::string& uri) {
  if (auto* attending = find(conversation)) attending->follows_no_more(uri);
}

void Attendants::for_each_lost(const std::function<Task<void>(Following)>& then) {
  for (auto* attending : all_) attending->for_each_lost(then);
}

}  // namespace fairlead::gateway
