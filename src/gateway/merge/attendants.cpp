#include "gateway/merge/attendants.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/task_scope.hpp>
#include <list>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "gateway/caller_id.hpp"
#include "gateway/merge/splice.hpp"

namespace fairlead::gateway {
namespace {

Task<void> nothing() {
  co_return;
}

/// A client, as one of the servers sees it: that a list has changed is told when the merged one has.
class Ear final : public session::Service {
 public:
  Ear(const std::shared_ptr<Catalogue>& catalogue, session::PeerHandle peer)
      : catalogue_(catalogue), peer_(std::move(peer)) {}

  Task<Result<session::Reply>> call(session::Call& call) override { return peer_->call(call); }
  Task<void> notify(session::Notice& notice) override {
    const auto catalogue = catalogue_.lock();
    if (!catalogue || catalogue->hear(notice.method)) return nothing();
    return peer_->notify(notice);
  }

  /// The server is one of ours no more. What it still says unasked is not heard.
  void retire() { catalogue_.reset(); }

 private:
  std::weak_ptr<Catalogue> catalogue_;
  session::PeerHandle peer_;
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
  session::PeerHandle peer;
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
    co_await news->peer->notify(notice);
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
    const auto present = all_.roster_.all();
    std::list<Place> gone;
    for (auto place = places_.begin(); place != places_.end();) {
      const auto here = place++;
      if (std::ranges::find(present, here->catalogue) == present.end()) gone.splice(gone.end(), places_, here);
    }
    for (auto& place : gone) place.leave();
    for (const auto& catalogue : present) {
      if (std::ranges::find(places_, catalogue, &Place::catalogue) == places_.end()) attend(catalogue);
    }
  }

  void follows(Following following, const std::shared_ptr<Catalogue>& at) {
    auto uri = following.uri;
    followed_.insert_or_assign(std::move(uri), Followed{std::move(following), at});
  }
  void follows_no_more(const std::string& uri) { followed_.erase(uri); }

  /// What it follows at servers that have gone.
  std::vector<Following> lost() const {
    std::vector<Following> all;
    const auto& present = all_.roster_.all();
    for (const auto& [uri, followed] : followed_) {
      if (std::ranges::find(present, followed.at.lock()) == present.end()) all.push_back(followed.what);
    }
    return all;
  }
  void spawn(Task<void> task) { conversation_.tasks.spawn(std::move(task)); }

  std::uint64_t key() const { return conversation_.key; }

  void gets(ListKind kind) { ++getting_[static_cast<std::size_t>(kind)]; }
  void gets_no_more(ListKind kind, bool got) {
    const auto index = static_cast<std::size_t>(kind);
    const bool last = --getting_[index] == 0;
    if (got) missed_[index] = false;
    if (last && std::exchange(missed_[index], false)) tell(kind);
  }

  void tell(ListKind kind) {
    if (own_) return;
    // Resources and templates share a notice, so that who gets one of them has not seen the other.
    if (is_named(kind) && getting_[static_cast<std::size_t>(kind)] > 0) {
      missed_[static_cast<std::size_t>(kind)] = true;
      return;
    }
    news_->waiting.insert(form_of(kind).notice);
    if (!std::exchange(news_->telling, true)) conversation_.tasks.spawn(tell_all(news_));
  }

 private:
  /// In the order in which they are needed by what follows.
  struct Place {
    std::shared_ptr<Catalogue> catalogue;
    std::shared_ptr<Ear> ear;  ///< Shared with the server's tasks, which may still be about to say something.
    std::unique_ptr<session::Attendance> attendance = {};

    void leave() {
      attendance.reset();
      ear->retire();
    }
  };

  struct Followed {
    Following what;
    std::weak_ptr<Catalogue> at;
  };

  void attend(const std::shared_ptr<Catalogue>& catalogue) {
    auto& place = places_.emplace_back(catalogue, std::make_shared<Ear>(catalogue, conversation_.peer));
    place.attendance = catalogue->member().attend({.key = conversation_.key,
                                                   .principal = conversation_.principal,
                                                   .peer = place.ear,
                                                   .executor = conversation_.executor,
                                                   .tasks = conversation_.tasks,
                                                   .hears_only = conversation_.hears_only});
  }

  Attendants& all_;
  const bool own_;
  session::Conversation conversation_;
  std::shared_ptr<News> news_;
  std::list<Place> places_;
  std::map<std::string, Followed> followed_;
  std::array<std::size_t, all_lists.size()> getting_ = {};  // Lists, at the moment, and
  std::array<bool, all_lists.size()> missed_ = {};          // changes of them that it was not told of.
};

Attendants::Attendants(const Roster& roster, TaskScope& tasks) : roster_(roster), nobody_(std::make_unique<Nobody>()) {
  // A server may be in several rooms, each of which has to hear it.
  session::Conversation own{.key = new_internal_key(),
                            .peer = *nobody_,
                            .executor = roster.loop().executor,
                            .tasks = tasks,
                            .hears_only = true};
  own_ = std::make_unique<Attending>(*this, std::move(own), true);
}

Attendants::~Attendants() = default;

std::unique_ptr<session::Attendance> Attendants::admit(session::Conversation conversation) {
  return std::make_unique<Attending>(*this, std::move(conversation));
}

void Attendants::tell(ListKind kind) {
  all_.for_each([&](Attending& each) { each.tell(kind); });
}

Attendants::Getting::Getting(Attendants& all, std::uint64_t conversation, ListKind kind)
    : all_(all), conversation_(conversation), kind_(kind) {
  if (auto* attending = all_.find(conversation_)) {
    attending->gets(kind_);
  } else {
    conversation_ = 0;
  }
}

Attendants::Getting::~Getting() {
  if (auto* attending = all_.find(conversation_)) attending->gets_no_more(kind_, got_);
}

void Attendants::follow_roster() {
  all_.for_each([](Attending& each) { each.follow_roster(); });
}

Attendants::Attending* Attendants::find(std::uint64_t conversation) const {
  if (conversation == 0) return nullptr;
  return all_.find_if([&](const Attending& each) { return each.key() == conversation; });
}

void Attendants::follows(Following following, const std::shared_ptr<Catalogue>& at) {
  if (auto* attending = find(following.conversation)) attending->follows(std::move(following), at);
}

void Attendants::follows_no_more(std::uint64_t conversation, const std::string& uri) {
  if (auto* attending = find(conversation)) attending->follows_no_more(uri);
}

void Attendants::for_each_lost(const std::function<Task<void>(Following)>& then) {
  // A task runs at once, up to its first wait: it may change what is followed, and end a conversation.
  all_.for_each([&](const Attending& each) {
    const auto key = each.key();
    for (auto& lost : each.lost()) {
      if (auto* still = find(key)) still->spawn(then(std::move(lost)));
    }
  });
}

}  // namespace fairlead::gateway
