#pragma once

#include <array>
#include <fairlead/base/guarded.hpp>
#include <fairlead/protocol/header_params.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/bell.hpp"
#include "gateway/merge/catalogue.hpp"
#include "gateway/merge/merged_list.hpp"

namespace fairlead::gateway {

struct MergeOptions {
  MergeConfig names = {};
  Duration deadline = std::chrono::seconds{5};  ///< How long a list waits for a server before it goes without it.
  bool one_as_it_is = false;                    ///< A server that is alone is passed through.
  std::size_t page_size = 1000;
  std::size_t max_instructions = 32 * 1024;  ///< In bytes, of all servers together.
  ListingOptions listing = {};
  std::filesystem::path file = {};                ///< Keeps the last good lists; empty for none.
  Duration save_after = std::chrono::seconds{1};  ///< So that changes that come together are written once.
};

/// The servers in their order, and their lists as one.
///
/// A server that fails, or is slow, hides nobody: it is listed as it was last seen, or left out, until it answers.
class Roster {
 public:
  using Catalogues = std::vector<std::shared_ptr<Catalogue>>;

  /// Whom a call waits for.
  enum class Want : std::uint8_t {
    lists,     ///< Everybody whose list is out of date, but for those who are known not to answer.
    missing,   ///< Those as well, if nothing of theirs is known.
    strangers  ///< Only those of whom it is not known what they can do.
  };

  /// `tell` is called when clients should hear that a list has changed. `tasks` outlives the roster.
  Roster(Loop loop, TaskScope& tasks, MergeOptions options, std::function<void(ListKind)> tell);
  Roster(const Roster&) = delete;
  Roster& operator=(const Roster&) = delete;
  ~Roster();

  /// Those who were there before keep what is known of them; of what clients see otherwise now they are told.
  /// `attended`: there are clients, for whom what new servers bring is news.
  void replace(std::vector<Seat> seats, bool attended);
  const Catalogues& all() const { return all_; }

  std::shared_ptr<const MergedList> merged(ListKind kind) const { return merged_[std::to_underlying(kind)]; }
  CacheHints hints(ListKind kind) const;
  /// Somebody has seen the list, so that a change is news.
  void shown(ListKind kind) { shown_[std::to_underlying(kind)] = true; }
  /// Whether `gather` would wait for nothing.
  bool is_gathered(ListKind kind) const;

  /// Asks for what is due, and waits until it is there, at most until the deadline.
  Task<Result<void>> gather(std::vector<ListKind> kinds, Want want);

  /// Any thread may ask.
  std::vector<protocol::HeaderParam> header_params(std::string_view tool) const;
  Result<void> save() const;
  const MergeOptions& options() const { return options_; }
  const Loop& loop() const { return loop_; }

 private:
  using HeaderTable = std::map<std::string, std::vector<protocol::HeaderParam>, std::less<>>;

  std::shared_ptr<Catalogue> seated(Seat seat, const Catalogues& before, std::vector<SavedMember>& saved);
  bool rebuild(ListKind kind);
  void collect_headers();
  void landed(Catalogue& catalogue, ListKind kind, const Listing::Landing& landing);
  bool is_wanted(const Catalogue& catalogue, Want want) const;
  bool is_awaited(const Catalogue& catalogue, ListKind kind, Want want) const;
  bool is_anybody_awaited(const std::vector<ListKind>& kinds, Want want) const;
  Task<Result<bool>> wait_for(const std::vector<ListKind>& kinds, Want want);
  std::vector<SavedMember> load() const;
  void expect_the_same(const Catalogues& before);

  Loop loop_;
  TaskScope& tasks_;
  MergeOptions options_;
  std::function<void(ListKind)> tell_;
  Catalogues all_;
  std::array<std::shared_ptr<const MergedList>, all_lists.size()> merged_;
  std::array<bool, all_lists.size()> shown_ = {};
  std::array<bool, all_lists.size()> owed_ = {};  // A change that is to be told once what belongs to it has landed.
  Guarded<std::shared_ptr<const HeaderTable>> headers_{std::make_shared<const HeaderTable>()};
  bool open_ = false;  // There were servers to begin with.
  Bell landed_;
  Timer saving_;
};

}  // namespace fairlead::gateway
