#pragma once

#include <cstddef>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gateway/caller_id.hpp"
#include "gateway/member.hpp"
#include "gateway/share.hpp"
#include "gateway/upstream/header_sets.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {

/// One way to a server, and what its owner does with it.
struct WayToServer {
  std::shared_ptr<Member> member = {};
  std::function<Task<void>()> stop = {};
  std::function<std::vector<UpstreamState>()> states = {};
  std::function<void()> forgive = [] {};
};

/// A server to which requests go with the headers that they ask for: each set of them has a way of its own, because a
/// connection and a session belong to whoever they were opened for.
class Wardrobe final : public Member {
 public:
  using Make = std::function<WayToServer(const HeaderSets::Headers&)>;
  static constexpr std::size_t most = 256;
  /// Of them, those with headers that one caller has brought.
  static constexpr std::size_t most_of_a_caller = share_of_one(most);
  /// How long the way is kept for headers that a caller has brought, when nobody uses it.
  static constexpr Duration keeps_unused = std::chrono::minutes{5};

  /// `make` is empty for a server that takes no headers.
  Wardrobe(const Loop& loop, std::shared_ptr<HeaderSets> sets, WayToServer plain, Make make);
  Wardrobe(const Wardrobe&) = delete;
  Wardrobe& operator=(const Wardrobe&) = delete;

  Task<void> stop();
  std::vector<UpstreamState> states() const;
  void forgive();

  const std::string& name() const override { return plain_.member->name(); }
  Task<Result<client::ServerDescription>> describe() override { return plain_.member->describe(); }
  Task<Result<client::ServerDescription>> describe_for(const session::Call& call) override;
  const client::ServerDescription* known() const override;
  bool awake() const override { return plain_.member->awake(); }
  void expect(const protocol::Revision& revision) override { plain_.member->expect(revision); }
  bool takes_headers() const override { return static_cast<bool>(make_); }

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notice& notice) override;
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override;

 private:
  class Place;
  using Names = std::vector<std::string>;

  /// A conversation, and the ways that it has used.
  struct Guest {
    session::Conversation conversation;
    std::map<Names, std::unique_ptr<session::Attendance>> attending = {};
  };

  struct Way {
    WayToServer to;
    bool lent = false;  ///< For headers that callers bring, who may never come back.
    std::size_t in_use = 0;
    CallerId opened_by = {};
    TimePoint last = {};
  };
  using Ways = std::map<Names, std::shared_ptr<Way>>;
  class Use;

  /// Null for the plain one.
  Result<std::shared_ptr<Way>> way_for(const session::Call& call);
  Result<std::shared_ptr<Way>> open_way(const Names& names, const CallerId& caller);
  Ways::iterator retire(Ways::iterator way);
  void retire_unknown();
  void retire_unused();
  /// Ends the longest unused of those that this says.
  void retire_oldest(const std::function<bool(const Way&)>& may_go);
  std::size_t lent_to(const CallerId& caller) const;
  bool is_used(const Ways::value_type& way) const;
  Task<Result<session::Reply>> call_dressed(session::Call& call);

  const Clock& clock_;
  TaskScope scope_;
  std::shared_ptr<HeaderSets> sets_;
  WayToServer plain_;
  Make make_;
  Ways ways_;
  bool stopped_ = false;  // For good: no way is opened any more.
  std::map<std::uint64_t, Guest> guests_;
  Timer sweep_;
};

}  // namespace fairlead::gateway
