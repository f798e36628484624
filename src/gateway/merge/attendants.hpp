#pragma once

#include <fairlead/session/service.hpp>
#include <memory>
#include <set>
#include <string_view>

#include "gateway/merge/catalogue.hpp"
#include "gateway/merge/roster.hpp"

namespace fairlead::gateway {

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

 private:
  class Attending;

  const Roster& roster_;
  std::set<Attending*> all_;
  std::unique_ptr<session::Service> nobody_;
  std::unique_ptr<Attending> own_;
};

}  // namespace fairlead::gateway
