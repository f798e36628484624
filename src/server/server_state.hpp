#pragma once

#include <atomic>
#include <fairlead/base/blocking_pool.hpp>
#include <fairlead/base/synchronized.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/protocol/state_seal.hpp>
#include <list>
#include <set>

#include "server/registry.hpp"
#include "server/tasks/stored_tasks.hpp"

namespace fairlead::server {

using protocol::protocol_error;
using protocol::ProtocolError;

/// Observers of registry changes. A subscription may keep it alive longer than the server.
class ChangeObservers {
 public:
  ChangeSubscription add(std::shared_ptr<ChangeObservers> self, OnChange on_change);
  void notify(const Change& change);

 private:
  Synchronized<std::list<std::shared_ptr<OnChange>>> list_;
};

/// Log level and subscriptions of each session of the handshake era. Thread-safe.
///
/// Stores nothing for a session that was not opened, so that no entry can leak.
class SessionPreferences {
 public:
  static constexpr std::size_t max_subscriptions = 10'000;  ///< Per session.

  void open(std::uint64_t session_key);
  void close(std::uint64_t session_key);

  bool set_level(std::uint64_t session_key, protocol::LoggingLevel level);
  protocol::LoggingLevel level(std::uint64_t session_key) const;
  /// False if the session has too many subscriptions or was not opened.
  bool subscribe(std::uint64_t session_key, const std::string& uri);
  void unsubscribe(std::uint64_t session_key, const std::string& uri);
  bool is_subscribed(std::uint64_t session_key, const std::string& uri) const;

 private:
  struct Preferences {
    protocol::LoggingLevel level = protocol::LoggingLevel::info;
    std::set<std::string> uris = {};
  };

  /// Returns the result of `use(preferences)`; false if the session was not opened.
  bool with_session(std::uint64_t session_key, const auto& use) const {
    return all_.with([&](auto& all) {
      const auto found = all.find(session_key);
      return found != all.end() && use(found->second);
    });
  }

  mutable Synchronized<std::map<std::uint64_t, Preferences>> all_;
};

/// The implementation of Server.
struct ServerState {
  ServerState(std::string name, std::string version);

  using VisibilityRule = std::function<bool(EntryKind, std::string_view, std::string_view)>;

  protocol::Implementation info;
  std::optional<std::string> instructions = {};
  std::size_t page_size = 1000;
  std::optional<std::chrono::milliseconds> ttl = {};
  std::optional<protocol::CacheScope> cache_scope = {};
  VisibilityRule visibility = {};
  std::optional<bool> logging = {};  ///< Nothing: derived from the registered handlers.
  std::optional<protocol::StateSeal> chosen_seal = {};
  protocol::Settings extensions = {};  ///< Declared extensions with their settings.
  std::map<std::string, HandlerFunction<json::Payload>, std::less<>> methods = {};  ///< Of extensions.
  std::unique_ptr<BlockingPool> pool;
  std::shared_ptr<ChangeObservers> observers = std::make_shared<ChangeObservers>();
  SessionPreferences session_preferences = {};
  StoredTasks tasks;
  std::atomic<bool> serving = false;                                ///< Set by `run` and by the first request.
  Synchronized<std::vector<std::string>> registration_errors = {};  ///< Collected before serving.
  Synchronized<std::function<void()>> stopper = {};                 ///< Stops `run`; empty if it is not active.

  std::shared_ptr<const Registry> registry() const;
  /// Throw std::invalid_argument on error.
  void add(ToolEntry entry);
  void add(ResourceEntry entry);
  void add(PromptEntry entry);
  void add(CompletionEntry entry);
  /// The error of a tool whose page is not registered; empty if there is none.
  std::string missing_page(const ToolEntry& tool) const;
  /// Throws std::invalid_argument if there are registration errors.
  void check() const;
  /// Calls check() and switches to serving: later registration errors throw at once.
  void begin_serving() {
    if (serving) return;
    check();
    serving = true;
  }
  /// Applies `edit` to a copy of the registry and publishes it if `edit` returns true.
  bool change(const std::function<bool(Registry&)>& edit);

  bool is_visible(EntryKind kind, std::string_view name, std::string_view principal) const {
    return !visibility || visibility(kind, name, principal);
  }
  /// True if the change concerns an entry that the principal may see.
  bool is_visible(const Change& change, const std::string& principal) const;
  /// True if a visible resource or template serves this URI.
  bool has_resource(const std::string& uri, const std::string& principal) const;
  /// The configured seal, else a random one. Created on first use, because loading OpenSSL costs megabytes.
  const protocol::StateSeal& seal() const;
  /// True if the logging capability is declared.
  bool offers_logging() const;
  /// What the server declares in `revision`.
  protocol::ServerCapabilities capabilities(const protocol::Revision& revision) const;

  /// Returns `unknown_method` for methods without a registered feature. The reply of a handler that is neither a
  /// coroutine nor blocking is ready.
  Task<Result<session::Reply>> dispatch(session::Call& call);

  /// True if the server handles this method of MCP itself.
  static bool is_core_method(std::string_view method);

  Result<session::Reply> initialize(const session::Call& call) const;
  Result<session::Reply> discover(const session::Call& call) const;
  Result<session::Reply> list_tools(const session::Call& call, const Registry& all) const;
  Result<session::Reply> list_resources(const session::Call& call, const Registry& all) const;
  Result<session::Reply> list_templates(const session::Call& call, const Registry& all) const;
  Result<session::Reply> list_prompts(const session::Call& call, const Registry& all) const;
  Result<session::Reply> set_level(const session::Call& call);
  Result<session::Reply> subscribe(const session::Call& call);
  Result<session::Reply> unsubscribe(const session::Call& call);
  Task<Result<session::Reply>> call_tool(session::Call& call, const Registry& all);
  Task<Result<session::Reply>> read_resource(session::Call& call);
  Task<Result<session::Reply>> get_prompt(session::Call& call, const Registry& all);
  Task<Result<session::Reply>> complete(session::Call& call, const Registry& all);
  Task<Result<session::Reply>> listen(session::Call& call);
  /// Handles a method of an extension; `unknown_method` if it has no handler.
  Task<Result<session::Reply>> call_method(session::Call& call);

  /// True if the server offers tasks in the revision of the call: as an extension, or as part of 2025-11-25.
  bool has_tasks(const session::Call& call) const;
  bool has_legacy_tasks(const protocol::Revision& revision) const;
  /// Returns `missing_capability` if the client did not declare the tasks extension.
  static Result<void> require_tasks(const session::Call& call);
  /// The task, if it belongs to the principal and to the era of the revision; otherwise `invalid_params`.
  Task<Result<TaskRecord>> find_task(std::string id, const session::RequestContext& caller);
  bool is_own_task(const TaskRecord& record, const session::RequestContext& caller) const;
  Task<Result<session::Reply>> cancel_legacy_task(TaskRecord record);
  Task<Result<std::vector<std::string>>> own_tasks(std::vector<std::string> ids, const session::Call& call);
  /// Runs the unfinished tasks of an earlier process on the event loop of the caller.
  Task<void> resume_tasks();
  Task<void> resume_task(std::string id);
  Task<Result<session::Reply>> get_task(session::Call& call);
  Task<Result<session::Reply>> update_task(session::Call& call);
  Task<Result<session::Reply>> cancel_task(session::Call& call);
  /// Waits until the task has ended, and sends its questions to the client meanwhile (handshake era).
  Task<Result<session::Reply>> task_result(session::Call& call);
  Task<Result<session::Reply>> list_tasks(session::Call& call);

 private:
  mutable Synchronized<std::unique_ptr<const protocol::StateSeal>> own_seal_;
  Synchronized<std::shared_ptr<const Registry>> registry_{std::make_shared<Registry>()};
};

/// `names` are the name bits of the members that are written, if they are known.
template <class T>
session::Reply reply_of(const T& value, std::uint64_t names = json::all_name_bits) {
  constexpr std::size_t usual_size = 256;
  std::string text;
  text.reserve(usual_size);
  json::Codec<T>::write(text, value);
  const json::Span whole{0, text.size()};
  return {.body = json::Payload::slice(std::move(text), whole, names)};
}

}  // namespace fairlead::server
