#pragma once

#include <cstdint>
#include <fairlead/protocol/model/common.hpp>
#include <fairlead/session/service.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fairlead::gateway {

struct Listener;

/// The conversations that attend one server, and what each of them wants to hear from it.
///
/// Nobody waits for a client that does not read: what it has no room for is left out, and equal news that wait are one.
class Audience {
 public:
  /// `left` is called with the resources that nobody follows any more, because who did has gone.
  explicit Audience(std::function<void(std::vector<std::string>)> left) : left_(std::move(left)) {}
  Audience(const Audience&) = delete;
  Audience& operator=(const Audience&) = delete;

  /// Goes before the audience does.
  std::unique_ptr<session::Attendance> admit(session::Conversation conversation);

  /// To everybody; of a resource's change, to those who follow it.
  void tell(const session::Notice& notice);
  /// To one of them. False if it is not there.
  bool tell(std::uint64_t conversation, const session::Notice& notice);

  /// Whether this is the first, and whether it was the last, who follows the resource.
  bool follow(std::uint64_t conversation, const std::string& uri);
  bool unfollow(std::uint64_t conversation, const std::string& uri);
  bool is_followed(const std::string& uri) const;

  void set_level(std::uint64_t conversation, protocol::LoggingLevel level);
  std::optional<protocol::LoggingLevel> level(std::uint64_t conversation) const;

  /// The only one there is; null if there are several or none.
  session::Service* only_peer() const;
  /// Whether anybody follows a resource.
  bool follows() const { return !followers_.empty(); }

 private:
  Listener* find(std::uint64_t conversation) const;
  void leave(std::uint64_t conversation);

  std::function<void(std::vector<std::string>)> left_;
  std::map<std::uint64_t, std::shared_ptr<Listener>> listeners_;
  std::map<std::string, std::set<std::uint64_t>> followers_;
};

}  // namespace fairlead::gateway
