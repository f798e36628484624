#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <functional>
#include <memory>
#include <string>

#include "gateway/merge/member_list.hpp"

namespace fairlead::gateway {

struct ListingOptions {
  Duration give_up = std::chrono::minutes{2};        ///< Then a fetch has failed, whoever still waits for it.
  Duration unannounced = std::chrono::seconds{60};   ///< How long a list is good if nobody says how long it is.
  Duration settle = std::chrono::milliseconds{100};  ///< Between two fetches that a server causes by saying "changed".
  Duration first_retry = std::chrono::seconds{1};    ///< After a failure; each further one waits twice as long,
  Duration last_retry = std::chrono::minutes{1};     ///< up to this.
  ListLimits limits = {};
};

/// One list of one server: the last good one, and when to ask for another.
///
/// Asks once at a time, however many want to know. Used on its loop.
class Listing : public std::enable_shared_from_this<Listing> {
 public:
  /// How a fetch ended.
  struct Landing {
    bool changed = false;    ///< The list is another than before.
    bool announced = false;  ///< The server had said so.
    bool overtaken = false;  ///< It said so only meanwhile, and is asked again: the next landing tells of both.
  };
  using OnLanding = std::function<void(const Landing&)>;

  /// `lazy`: a server that sleeps is not woken to ask for a list that is known. `tasks` outlives the listing.
  Listing(Loop loop, TaskScope& tasks, std::shared_ptr<Member> member, ListKind kind, bool lazy,
          const ListingOptions& options);
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;

  void on_landing(OnLanding tell) { tell_ = std::move(tell); }

  /// The last good one; null if there was none yet.
  const std::shared_ptr<const MemberList>& last() const { return last_; }
  /// Starts with the list of an earlier run.
  void restore(MemberList list);
  /// It is that of an earlier run.
  bool restored() const { return restored_; }

  bool due() const;
  bool in_flight() const { return in_flight_; }
  /// Starts a fetch, unless one is under way.
  void refresh();
  /// The server says that the list has changed.
  void heard_of_change();

  /// Why the last good list is not the server's word of today; empty if it is.
  const std::string& trouble() const { return trouble_; }
  /// Somebody has waited long enough.
  void mark_late(Duration waited);
  /// Somebody has, and it is still under way.
  bool late() const { return late_ && in_flight_; }
  /// For how long the list may be used still.
  CacheHints hints() const;

 private:
  static Task<void> fly(std::shared_ptr<Listing> self);
  Task<Result<MemberList>> fetch();
  void land(Result<MemberList> fetched);
  void keep(MemberList list);
  void failed(const Error& error);
  void set_trouble(std::string why, LogLevel level = LogLevel::warning);
  Deadline good_until(const CacheHints& hints) const;

  Loop loop_;
  TaskScope& tasks_;
  std::shared_ptr<Member> member_;
  const ListKind kind_;
  const bool lazy_;
  const ListingOptions options_;
  OnLanding tell_;

  std::shared_ptr<const MemberList> last_;
  Deadline until_;                                   // The list is good until then.
  Deadline hint_;                                    // The same, as far as its server said it.
  Deadline not_before_ = Deadline::at(TimePoint{});  // Asked again after a failure, or after a storm.
  Duration pause_;
  bool restored_ = false;
  bool stale_ = false;       // Its server said so,
  bool just_heard_ = false;  // in this turn of the loop.
  bool announced_ = false;   // So did it of the fetch under way.
  bool in_flight_ = false;
  bool late_ = false;
  std::string trouble_;
  Timer again_;
};

}  // namespace fairlead::gateway
