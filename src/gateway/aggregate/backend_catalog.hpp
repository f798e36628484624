#pragma once

#include <map>

#include "gateway/aggregate/backend_with_server_uris.hpp"
#include "gateway/aggregate/cached_list.hpp"
#include "gateway/aggregate/catalog_file.hpp"

namespace fairlead::gateway {

/// A backend and its settings in an aggregate.
struct BackendSlot {
  std::shared_ptr<Backend> backend;
  std::string prefix = {};       ///< Replaces the server's name as prefix of conflicting names.
  std::string fingerprint = {};  ///< Of its configuration; saved lists of another fingerprint are ignored.
  bool lazy = false;             ///< Not started to refresh a list that is known from an earlier run.
};

/// The capabilities and lists of one backend.
class BackendCatalog : NonCopyable {
 public:
  BackendCatalog(const EventLoop& loop, TaskScope& tasks, BackendSlot slot, const CachedListOptions& options);
  ~BackendCatalog() { retire(); }

  /// Stops reporting changes of its lists.
  void retire();

  const BackendSlot& slot() const { return slot_; }
  void set_prefix(std::string prefix) { slot_.prefix = std::move(prefix); }
  /// The backend of the slot, with URIs that contain its name if there are several.
  Backend& backend() const { return *backend_; }
  void set_among_several(bool value);
  const std::string& name() const { return backend().name(); }
  CachedList& list(ListKind kind) const { return *lists_[static_cast<std::size_t>(kind)]; }

  /// From the last connection or an earlier run; null if unknown.
  const protocol::ServerCapabilities* capabilities() const;
  std::string instructions() const;
  /// Nothing if unknown.
  std::optional<bool> offers(ListKind kind) const;

  /// Why its lists may be outdated or missing; empty for none.
  std::string problem() const;

  /// Whether a request has timed out waiting for a list that is still being fetched.
  bool overdue() const;

  /// Handles a list-changed notification. False for any other method.
  bool on_notification(std::string_view method);
  /// The server is running: refreshes lists that come from an earlier run.
  void on_call_answered();

  /// Client names that were routed to the server of this name before a reload, with their upstream names. They are
  /// valid until the list is known.
  using Names = std::map<std::string, std::string, std::less<>>;
  void expect_names(ListKind kind, Names names) { expected_[static_cast<std::size_t>(kind)] = std::move(names); }
  /// Null if the list is known or the name is not.
  const std::string* expected(ListKind kind, std::string_view name) const;
  const Names& expected(ListKind kind) const { return expected_[static_cast<std::size_t>(kind)]; }

  SavedBackend saved() const;
  void restore(SavedBackend saved);

 private:
  BackendSlot slot_;
  std::shared_ptr<BackendWithServerUris> backend_;
  std::array<std::shared_ptr<CachedList>, all_lists.size()> lists_;
  std::array<Names, all_lists.size()> expected_;
  std::optional<SavedBackend> restored_;
};

}  // namespace fairlead::gateway
