#pragma once

#include <fairlead/session/service.hpp>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "gateway/merge/catalogue.hpp"
#include "gateway/merge/roster.hpp"

namespace fairlead::gateway {

/// A resource that a conversation follows.
struct Following {
  std::uint64_t conversation = 0;
  std::string principal = {};
  std::string uri;
  const protocol::Revision* revision = nullptr;
};

/// The conversations that attend all servers as if they were one; and, as the conversation 0 of nobody, the gateway
/// itself, so that changes are heard while no client listens.
class Attendants {
 public:
  /// `tasks` outlives it.
  Attendants(const Roster& roster, TaskScope& tasks);
  Attendants(const Attendants&) = delete;
  Attendants& operator=(const Attendants&) = delete;
  ~Attendants();

  /// Goes before this does.
  std::unique_ptr<session::Attendance> admit(session::Conversation conversation);

  /// Tells everybody; what waits to be told is told once.
  void tell(std::string_view notice);

  /// Leaves the servers that are gone, and attends the new ones.
  void follow_roster();

  /// What is followed, and at which server.
  void follows(Following following, const std::shared_ptr<Catalogue>& at);
  void follows_no_more(std::uint64_t conversation, const std::string& uri);
  /// Has each conversation do this for what it follows at servers that have gone.
  void for_each_lost(const std::function<Task<void>(Following)>& then);

 private:
  class Attending;

  Attending* find(std::uint64_t conversation) const;

  const Roster& roster_;
  std::set<Attending*> all_;
  std::unique_ptr<session::Service> nobody_;
  std::unique_ptr<Attending> own_;
};

}  // namespace fairlead::gateway
