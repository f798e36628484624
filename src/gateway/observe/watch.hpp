#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/redactor.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/merge/list_kind.hpp"
#include "gateway/observe/observer.hpp"
#include "gateway/origins.hpp"

namespace fairlead::gateway {

/// Those who watch; they come and go while calls pass. On one loop.
class Observers {
 public:
  using List = std::vector<std::shared_ptr<Observer>>;

  void add(std::shared_ptr<Observer> observer);
  /// Of the calls under way it still sees the end.
  void remove(const Observer& observer);

  /// Those there are now; null for none.
  const std::shared_ptr<const List>& now() const { return now_; }

  const Redactor& redactor() const { return redactor_; }

 private:
  std::shared_ptr<const List> now_;
  Redactor redactor_;
};

/// Where a `Watch` stands.
struct WatchPost {
  Hop hop = Hop::front;
  std::string server = {};                    ///< Before which it stands, if that is one alone.
  const session::Service* origins = nullptr;  ///< Who knows whose something is; null for whoever stands behind.
  bool plain = false;                         ///< Observers change nothing in calls, and want no `Sight::listed`.
};

/// Shows every call that passes to those who watch, and changes nothing itself. Costs nothing while nobody does.
class Watch final : public Middleware {
 public:
  /// `clock` outlives it.
  Watch(std::shared_ptr<const Observers> observers, const Clock& clock, WatchPost post)
      : observers_(std::move(observers)), clock_(clock), post_(std::move(post)) {
    if (post_.origins != nullptr) origins_.emplace(*post_.origins);
  }

  Task<Result<session::Reply>> call(session::Call& call, session::Service& next) override;
  std::optional<Result<session::Reply>> answer_now(session::Call& call, session::Service& next) override;

 private:
  class Passing;

  Task<Result<session::Reply>> seen(session::Call& call, session::Service& next,
                                    std::shared_ptr<const Observers::List> observers);
  /// Fills in what is known at its beginning, and says of which kind is what it is about.
  std::optional<ListKind> look(Sight& sight, const session::Call& call, const session::Service& next) const;
  std::string server_of(std::optional<ListKind> kind, std::string_view about, const session::Service& next) const;
  void look_again(Sight& sight, std::optional<ListKind> kind, const session::Service& next,
                  const Result<session::Reply>& reply);
  void learn(const Sight& sight, const session::Reply& reply);

  std::shared_ptr<const Observers> observers_;
  const Clock& clock_;
  WatchPost post_;
  std::optional<OriginsOf> origins_;
  std::set<std::string, std::less<>> tools_;  // Listed, or answered.
  std::size_t last_list_ = 0;                 // Its hash.
};

}  // namespace fairlead::gateway
