#pragma once

#include <array>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gateway/member.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {

/// A server that may speak both eras. Each era that clients use gets a connection of its own, opened by its first call:
/// clients that shook hands talk to the server by a handshake, so that it can ask them, log to them and tell them of
/// changes as it would without a gateway; the others talk to it without one. A server that speaks one era only has one
/// connection. On one loop.
class EraLegs final : public Member {
 public:
  /// Makes a connection that prefers an era: `handshake_first` or `automatic`.
  using Make = std::function<std::shared_ptr<Upstream>(client::Era)>;

  EraLegs(Loop loop, std::string name, Make make);
  EraLegs(const EraLegs&) = delete;
  EraLegs& operator=(const EraLegs&) = delete;

  /// As `Upstream::stop`, for both.
  Task<void> stop();

  const std::string& name() const override { return name_; }
  Task<Result<client::ServerDescription>> describe() override { return describe_leg(own()); }
  Task<Result<client::ServerDescription>> describe_for(const session::Call& call) override;
  const client::ServerDescription* known() const override;
  bool awake() const override;
  void expect(const protocol::Revision& revision) override { expected_ = revision.lifecycle; }

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notice& notice) override;
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override;

  std::vector<UpstreamState> states() const;
  void forgive();

 private:
  using Lifecycle = protocol::Lifecycle;
  class Place;

  struct Guest {
    session::Conversation conversation;
    std::array<std::unique_ptr<session::Attendance>, 2> attending = {};
  };

  /// Which era a call of this kind is best made in.
  Lifecycle wanted_by(const session::Call& call) const;
  Lifecycle own() const;
  static constexpr std::size_t index_of(Lifecycle era) { return static_cast<std::size_t>(era); }
  std::shared_ptr<Upstream>& leg(Lifecycle era) { return legs_[index_of(era)]; }
  const std::shared_ptr<Upstream>& leg(Lifecycle era) const { return legs_[index_of(era)]; }
  std::vector<std::shared_ptr<Upstream>> distinct() const;
  std::shared_ptr<Upstream> open(Lifecycle era);
  /// The connection for this era, once the server has said what it speaks.
  Task<Result<std::shared_ptr<Upstream>>> reach(Lifecycle era);
  Task<Result<client::ServerDescription>> describe_leg(Lifecycle era);
  Task<Result<session::Reply>> reach_and_call(session::Call& call, Lifecycle era);
  /// Leaves one connection for both where the server was asked to speak this era and speaks the other.
  void settle(Lifecycle era);

  Loop loop_;
  std::string name_;
  Make make_;
  TaskScope scope_;
  std::array<std::shared_ptr<Upstream>, 2> legs_ = {};  // By era; both the same once only one is left.
  Lifecycle expected_ = Lifecycle::stateless;
  bool stopped_ = false;
  std::map<std::uint64_t, Guest> guests_;
};

}  // namespace fairlead::gateway
