#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "gateway/member.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {

struct PerCallerOptions {
  std::string name = "server";
  std::size_t most = 64;  ///< Servers that run at a time; three quarters of them for one principal.
};

/// An external server of its own for each caller, where their states must not mix: for each conversation that shook
/// hands, and for each principal of those that do not. It goes when its caller has gone. On one loop.
class PerCaller final : public Member {
 public:
  /// Makes a server for who makes this call.
  using Make = std::function<std::shared_ptr<Upstream>(const session::Call&)>;

  PerCaller(Loop loop, Make make, PerCallerOptions options);
  PerCaller(const PerCaller&) = delete;
  PerCaller& operator=(const PerCaller&) = delete;

  /// As `Upstream::stop`, for all of them.
  Task<void> stop();

  const std::string& name() const override { return options_.name; }
  /// By one that belongs to nobody, and is kept for that.
  Task<Result<client::ServerDescription>> describe() override;
  Task<Result<client::ServerDescription>> describe_for(const session::Call& call) override;
  const client::ServerDescription* known() const override;

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notice& notice) override;
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override;

  std::vector<UpstreamState> states() const;

 private:
  class Place;

  /// A conversation, and its server once it has called.
  struct Guest {
    session::Conversation conversation;
    std::shared_ptr<Upstream> server = {};
    std::unique_ptr<session::Attendance> attendance = {};
  };

  Result<std::shared_ptr<Upstream>> server_of(const session::Call& call);
  Result<std::shared_ptr<Upstream>> server_by_name(const session::Call& call);
  void listen_by_name(Guest& guest);
  Result<std::shared_ptr<Upstream>> make(const session::Call& call);
  std::size_t running_ones() const;
  std::size_t running_ones_of(const std::string& principal) const;
  void leave(std::uint64_t conversation);

  Loop loop_;
  Make make_;
  PerCallerOptions options_;
  TaskScope scope_;
  bool stopped_ = false;  // For good: no server is made any more.
  std::map<std::uint64_t, Guest> guests_;
  std::map<std::string, std::shared_ptr<Upstream>> of_principals_;
};

}  // namespace fairlead::gateway
