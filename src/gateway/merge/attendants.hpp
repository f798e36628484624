#pragma once

#include <fairlead/session/service.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/live_set.hpp"
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

  /// Tells everybody that the list has changed; what waits to be told is told once. Who is just getting that list sees
  /// the change in it, and is not told.
  void tell(ListKind kind);
  /// Whether any client attends.
  bool any() const { return all_.size() > 1; }

  /// A conversation that gets a list, for as long as this lives.
  class Getting {
   public:
    Getting(Attendants& all, std::uint64_t conversation, ListKind kind);
    Getting(const Getting&) = delete;
    Getting& operator=(const Getting&) = delete;
    ~Getting();

    /// It gets the list as it is now.
    void got() { got_ = true; }

   private:
    Attendants& all_;
    std::uint64_t conversation_;
    ListKind kind_;
    bool got_ = false;
  };

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
  LiveSet<Attending> all_;
  std::unique_ptr<session::Service> nobody_;
  std::unique_ptr<Attending> own_;
};

}  // namespace fairlead::gateway
