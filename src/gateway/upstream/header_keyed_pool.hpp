#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <map>

#include "gateway/model/caller_id.hpp"
#include "gateway/model/fair_share.hpp"
#include "gateway/model/session_registration.hpp"
#include "gateway/upstream/managed_backend.hpp"

namespace fairlead::gateway {

/// A backend that sends requests with `RequestContext::added_headers`. Each combination of headers has connections and
/// sessions of its own.
class HeaderKeyedPool final : public ManagedBackend {
 public:
  using Make = std::function<std::shared_ptr<ManagedBackend>(const std::vector<protocol::Header>&)>;
  static constexpr std::size_t max_entries = 256;
  /// The most entries for headers that came with the requests of one caller.
  static constexpr std::size_t max_entries_per_caller = fair_share(max_entries);
  /// How long an unused entry with client headers is kept.
  static constexpr Duration idle_timeout = std::chrono::minutes{5};

  HeaderKeyedPool(const EventLoop& loop, std::shared_ptr<ManagedBackend> default_backend, Make make);
  HeaderKeyedPool(const HeaderKeyedPool&) = delete;
  HeaderKeyedPool& operator=(const HeaderKeyedPool&) = delete;

  Task<void> stop() override;
  std::vector<UpstreamState> states() const override;
  void reset_backoff() override;

  const std::string& name() const override { return default_->name(); }
  Task<Result<client::ServerDescription>> describe() override { return default_->describe(); }
  Task<Result<client::ServerDescription>> describe_for(const session::Call& call) override;
  const client::ServerDescription* last_description() const override;
  bool is_connected() const override { return default_->is_connected(); }
  void expect_revision(const protocol::Revision& revision) override { default_->expect_revision(revision); }
  bool accepts_headers() const override { return true; }

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notification& notice) override;
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef ref) override;

 private:
  /// An open session and its hooks at the entries that it has used.
  struct PoolSession {
    session::SessionRef ref;
    std::map<std::string, std::unique_ptr<session::SessionHook>> hooks = {};
  };

  struct Entry {
    std::shared_ptr<ManagedBackend> backend;
    bool from_client = false;  ///< Has headers of a client's request; removed when unused.
    /// Of the last call. Expired when no chain adds these headers any more.
    std::vector<std::weak_ptr<const session::AddedHeaders>> sources = {};
    std::size_t in_use = 0;
    CallerId opened_by = {};
    TimePoint last_used = {};
  };
  /// By source, names and values of the headers.
  using Entries = std::map<std::string, std::shared_ptr<Entry>>;

  /// Null for the default backend.
  Result<std::shared_ptr<Entry>> entry_for(const session::Call& call);
  auto use(std::shared_ptr<Entry> entry) const;
  Result<std::shared_ptr<Entry>> open_entry(const std::string& key, const session::Call& call);
  Entries::iterator retire(Entries::iterator entry);
  void retire_unknown();
  void retire_unused();
  /// Removes the least recently used entry that matches the filter.
  void retire_oldest(const std::function<bool(const Entry&)>& filter);
  std::size_t client_entries_of(const CallerId& caller) const;
  bool is_used(const Entries::value_type& entry) const;
  Task<Result<session::Reply>> call_with_headers(session::Call& call);

  const Clock& clock_;
  TaskScope scope_;
  std::shared_ptr<ManagedBackend> default_;
  Make make_;
  Entries entries_;
  bool stopped_ = false;  // Permanent: no entry is opened any more.
  std::map<std::uint64_t, PoolSession> sessions_;
  Timer sweep_timer_;
};

}  // namespace fairlead::gateway
