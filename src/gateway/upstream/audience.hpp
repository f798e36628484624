#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/base/result.hpp>
#include <fairlead/protocol/model/common.hpp>
#include <fairlead/session/service.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gateway/caller_id.hpp"

namespace fairlead::gateway {

struct Listener;

/// How many resources may be followed at one server, and how long their URIs may be together.
struct FollowLimits {
  std::size_t of_a_session = 1'024;
  std::size_t bytes_of_a_session = std::size_t{1} << 20U;
  std::size_t of_a_principal = 8'192;  ///< All sessions without a principal count as one here.
  std::size_t bytes_of_a_principal = std::size_t{8} << 20U;
};

/// The conversations that attend one server, and what each of them wants to hear from it.
///
/// Nobody waits for a client that does not read: what it has no room for is left out, and equal news that wait are one.
class Audience {
 public:
  /// `left` is called with the resources that nobody follows any more, because who did has gone.
  explicit Audience(std::function<void(std::vector<std::string>)> left, FollowLimits limits = {})
      : left_(std::move(left)), limits_(limits) {}
  Audience(const Audience&) = delete;
  Audience& operator=(const Audience&) = delete;

  /// Goes before the audience does.
  std::unique_ptr<session::Attendance> admit(session::Conversation conversation);

  /// To everybody; of a resource's change, to those who follow it.
  void tell(const session::Notice& notice);
  /// To one of them. False if it is not there.
  bool tell(std::uint64_t conversation, const session::Notice& notice);
  /// To the sessions of one caller; of a log message, to those that want to hear of its level.
  void tell(const CallerId& caller, const session::Notice& notice, std::optional<protocol::LoggingLevel> level = {});

  /// Whether one more may be followed; the error says which limit is reached.
  Result<void> may_follow(std::uint64_t conversation, const std::string& uri) const;
  /// Whether this is the first, and whether it was the last, who follows the resource.
  bool follow(std::uint64_t conversation, const std::string& uri);
  bool unfollow(std::uint64_t conversation, const std::string& uri);
  bool is_followed(const std::string& uri) const;

  void set_level(std::uint64_t conversation, protocol::LoggingLevel level);
  std::optional<protocol::LoggingLevel> level(std::uint64_t conversation) const;

  /// The only session that this caller has; null if there are several or none. To be used before anything is awaited.
  session::Service* only_peer(const CallerId& caller) const;
  /// Asks the only session of a caller, for as long as it lasts. Ends with `closed` when that ends first.
  Task<Result<session::Reply>> ask_only_peer(CallerId caller, session::Call question);
  /// Who has sessions here, the gateway itself left out.
  std::set<CallerId> callers() const;
  bool has(std::uint64_t conversation) const { return listeners_.contains(conversation); }
  /// The latest key of a client's session here that is not this one; 0 for none.
  std::uint64_t newest_besides(std::uint64_t conversation) const;
  /// Whether anybody follows a resource.
  bool follows() const { return !followers_.empty(); }

 private:
  struct Follows {
    std::size_t count = 0;
    std::size_t bytes = 0;
  };

  Listener* find(std::uint64_t conversation) const;
  std::shared_ptr<Listener> only_listener(const CallerId& caller) const;
  void count(std::uint64_t conversation, const std::string& uri);
  void discount(std::uint64_t conversation, const std::string& uri);
  void leave(std::uint64_t conversation);

  std::function<void(std::vector<std::string>)> left_;
  std::map<std::uint64_t, std::shared_ptr<Listener>> listeners_;
  std::map<std::string, std::set<std::uint64_t>> followers_;
  FollowLimits limits_;
  std::map<std::uint64_t, Follows> by_session_;
  std::map<std::string, Follows> by_principal_;
};

}  // namespace fairlead::gateway
