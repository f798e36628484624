#pragma once

#include <fairlead/base/synchronized.hpp>
#include <fairlead/protocol/header_params.hpp>
#include <filesystem>

#include "base/async_event.hpp"
#include "gateway/aggregate/backend_catalog.hpp"
#include "gateway/aggregate/merged_list.hpp"

namespace fairlead::gateway {

struct AggregatorOptions {
  protocol::Implementation info = {};  ///< Sent to clients if there are several servers.
  NamingConfig names = {};
  Duration list_timeout = std::chrono::seconds{5};  ///< How long a list request waits for a server.
  bool pass_through_single = false;                 ///< Passes calls on unchanged while there is a single server.
  std::size_t page_size = 1000;
  std::size_t max_instructions = 32 * 1024;  ///< In bytes, for all servers together.
  CachedListOptions lists = {};
  std::filesystem::path file = {};                ///< Stores the lists across runs; empty for none.
  Duration save_after = std::chrono::seconds{1};  ///< Delay that combines several changes in one write.
};

/// The backends in configured order, and their merged lists.
///
/// A server that is slow or fails does not affect the others: its last list is used, or it is left out until it
/// answers.
class BackendSet : NonCopyable {
 public:
  using Catalogs = std::vector<std::shared_ptr<BackendCatalog>>;

  /// Which backends a request waits for.
  enum class WaitFor : std::uint8_t {
    stale,         ///< Backends with outdated lists, except those that are known not to answer.
    missing,       ///< Also those, if their list is not known at all.
    uninitialized  ///< Only backends with unknown capabilities.
  };

  /// `on_change` is called when clients should be notified of a changed list. `tasks` must outlive the set.
  BackendSet(EventLoop loop, TaskScope& tasks, AggregatorOptions options, std::function<void(ListKind)> on_change);
  ~BackendSet();

  /// Replaces the backends. Existing ones keep their lists; clients are notified of visible changes. `has_sessions`:
  /// clients are connected, so lists of new servers count as changes.
  void replace(std::vector<BackendSlot> slots, bool has_sessions);
  const Catalogs& all() const { return all_; }

  std::shared_ptr<const MergedList> merged(ListKind kind) const { return merged_[std::to_underlying(kind)]; }
  CacheHints hints(ListKind kind) const;
  /// A client has seen the list, so a later change must be notified.
  void mark_shown(ListKind kind) { shown_[std::to_underlying(kind)] = true; }
  /// Whether `fetch_lists` would return at once.
  bool is_up_to_date(ListKind kind) const;

  /// Fetches outdated lists and waits for them, at most for `list_timeout`.
  Task<Result<void>> fetch_lists(std::vector<ListKind> kinds, WaitFor wait);

  /// Thread-safe.
  std::vector<protocol::HeaderParam> header_params(std::string_view tool) const;
  Result<void> save() const;
  const AggregatorOptions& options() const { return options_; }
  const EventLoop& loop() const { return loop_; }

 private:
  using HeaderTable = std::map<std::string, std::vector<protocol::HeaderParam>, std::less<>>;

  std::shared_ptr<BackendCatalog> slot_catalog(BackendSlot slot, const Catalogs& before,
                                               std::vector<SavedBackend>& saved);
  bool rebuild(ListKind kind);
  void collect_headers();
  void on_list_fetched(BackendCatalog& catalog, ListKind kind, const CachedList::FetchOutcome& outcome);
  bool is_relevant(const BackendCatalog& catalog, WaitFor wait) const;
  bool is_awaited(const BackendCatalog& catalog, ListKind kind, WaitFor wait) const;
  bool is_any_awaited(const std::vector<ListKind>& kinds, WaitFor wait) const;
  Task<Result<bool>> wait_for(const std::vector<ListKind>& kinds, WaitFor wait);
  std::vector<SavedBackend> load() const;
  void keep_expected_names(const Catalogs& before);

  EventLoop loop_;
  TaskScope& tasks_;
  AggregatorOptions options_;
  std::function<void(ListKind)> on_change_;
  Catalogs all_;
  std::array<std::shared_ptr<const MergedList>, all_lists.size()> merged_;
  std::array<bool, all_lists.size()> shown_ = {};
  std::array<bool, all_lists.size()> pending_change_ =
      {};  // Changes to notify when all lists of the notification are fetched.
  Synchronized<std::shared_ptr<const HeaderTable>> headers_{std::make_shared<const HeaderTable>()};
  bool has_started_ = false;  // After the first replace().
  AsyncEvent list_fetched_;
  Timer save_timer_;
};

}  // namespace fairlead::gateway
