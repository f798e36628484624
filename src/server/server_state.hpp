#pragma once

#include <atomic>
#include <cstdint>
#include <fairlead/base/blocking_pool.hpp>
#include <fairlead/base/guarded.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/state_seal.hpp>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "server/registry.hpp"

namespace fairlead::server {

using protocol::Fault;
using protocol::fault_error;

inline std::unexpected<Error> refuse(Fault fault, std::string message, std::string subject = {},
                                     std::string data = {}) {
  return std::unexpected(fault_error(fault, std::move(message), std::move(subject), std::move(data)));
}

/// Those who want to hear of changes. Outlives the server in the hands of a subscription.
class Observers {
 public:
  ChangeSubscription add(std::shared_ptr<Observers> self, OnChange on_change);
  void tell(const Change& change);

 private:
  Guarded<std::list<std::shared_ptr<OnChange>>> list_;
};

/// What clients of the handshake era asked for and expect to be remembered while their conversation lasts.
///
/// Nothing is remembered for a conversation that nobody opened, so that nothing stays for ever.
class Memories {
 public:
  static constexpr std::size_t max_subscriptions = 10'000;  ///< Of one conversation.

  void open(std::uint64_t conversation);
  void close(std::uint64_t conversation);

  bool set_level(std::uint64_t conversation, protocol::LoggingLevel level);
  protocol::LoggingLevel level(std::uint64_t conversation) const;
  /// False if there are too many already.
  bool subscribe(std::uint64_t conversation, const std::string& uri);
  void unsubscribe(std::uint64_t conversation, const std::string& uri);
  bool is_subscribed(std::uint64_t conversation, const std::string& uri) const;

 private:
  struct Wishes {
    protocol::LoggingLevel level = protocol::LoggingLevel::info;
    std::set<std::string> uris = {};
  };

  Guarded<std::map<std::uint64_t, Wishes>> all_;
};

/// The server behind the interface.
struct ServerState {
  ServerState(std::string name, std::string version);

  using Rule = std::function<bool(Kind, std::string_view, std::string_view)>;

  protocol::Implementation info;
  std::optional<std::string> instructions = {};
  std::size_t page_size = 1000;
  std::optional<std::chrono::milliseconds> ttl = {};
  std::optional<protocol::CacheScope> cache_scope = {};
  Rule visible = {};
  std::optional<bool> logging = {};  ///< Unless said, it follows from what is registered.
  std::optional<protocol::StateSeal> chosen_seal = {};
  std::unique_ptr<BlockingPool> pool;
  std::shared_ptr<Observers> observers = std::make_shared<Observers>();
  Memories memories = {};
  std::atomic<bool> serves = false;                 ///< Set by the first request, and by `run`.
  Guarded<std::vector<std::string>> mistakes = {};  ///< Of registration, made before it served.
  Guarded<std::function<void()>> stopper = {};      ///< Ends `run`, while it runs.

  std::shared_ptr<const Registry> registry() const;
  /// These throw std::invalid_argument for a mistake.
  void add(ToolEntry entry);
  void add(ResourceEntry entry);
  void add(PromptEntry entry);
  void add(CompletionEntry entry);
  /// Throws std::invalid_argument if there are mistakes of registration.
  void check() const;
  /// The same, by every way to serve; from then on a mistake throws where it is made.
  void begin_serving() {
    if (serves) return;
    check();
    serves = true;
  }
  /// Copies the registry, lets `edit` work on it and puts it in place, unless `edit` says no.
  bool change(const std::function<bool(Registry&)>& edit);

  bool shows(Kind kind, std::string_view name, std::string_view principal) const {
    return !visible || visible(kind, name, principal);
  }
  /// Whether somebody can notice this change.
  bool shows(const Change& change, const std::string& principal) const;
  /// Whether there is a resource of this URI, listed or by a template, that this principal may see.
  bool has_resource(const std::string& uri, const std::string& principal) const;
  /// The one that was chosen; else one of our own, made when it is first needed: cryptography takes megabytes.
  const protocol::StateSeal& seal() const;
  /// Whether log messages can come from here.
  bool logs() const;
  protocol::ServerCapabilities capabilities() const;

  /// `unknown_method` for what this server does not have.
  Task<Result<session::Reply>> dispatch(session::Call& call);
  std::optional<Result<session::Reply>> answer_now(session::Call& call);

  Result<session::Reply> initialize(const session::Call& call) const;
  Result<session::Reply> discover(const session::Call& call) const;
  Result<session::Reply> list_tools(const session::Call& call) const;
  Result<session::Reply> list_resources(const session::Call& call) const;
  Result<session::Reply> list_templates(const session::Call& call) const;
  Result<session::Reply> list_prompts(const session::Call& call) const;
  Result<session::Reply> set_level(const session::Call& call);
  Result<session::Reply> subscribe(const session::Call& call, bool on);
  Task<Result<session::Reply>> call_tool(session::Call& call);
  std::optional<Result<session::Reply>> call_tool_now(session::Call& call, const Registry& all);
  Task<Result<session::Reply>> read_resource(session::Call& call);
  Task<Result<session::Reply>> get_prompt(session::Call& call);
  Task<Result<session::Reply>> complete(session::Call& call);
  Task<Result<session::Reply>> listen(session::Call& call);

 private:
  mutable Guarded<std::unique_ptr<const protocol::StateSeal>> own_seal_;
  Guarded<std::shared_ptr<const Registry>> registry_{std::make_shared<Registry>()};
};

template <class T>
session::Reply reply_of(const T& value) {
  return {.body = json::to_payload(value)};
}

}  // namespace fairlead::server
