#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gateway/merge/catalogue_file.hpp"
#include "gateway/merge/listing.hpp"

namespace fairlead::gateway {

/// A server's place among those that are merged.
struct Seat {
  std::shared_ptr<Member> member;
  std::string prefix = {};       ///< Instead of its name, where names clash.
  std::string fingerprint = {};  ///< Of its configuration: what an earlier run knew of another one is forgotten.
  bool lazy = false;             ///< Not started for a list that is known from an earlier run.
};

/// What is known of one server: what it can do, and its lists.
class Catalogue {
 public:
  Catalogue(const Loop& loop, TaskScope& tasks, Seat seat, const ListingOptions& options);
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;
  ~Catalogue() { retire(); }

  /// Nobody is told of its lists any more.
  void retire();

  const Seat& seat() const { return seat_; }
  void set_prefix(std::string prefix) { seat_.prefix = std::move(prefix); }
  Member& member() const { return *seat_.member; }
  const std::string& name() const { return member().name(); }
  Listing& list(ListKind kind) const { return *lists_[static_cast<std::size_t>(kind)]; }

  /// By its own word, or by that of an earlier run; null if it was never reached.
  const protocol::ServerCapabilities* capabilities() const;
  std::string instructions() const;
  /// Nothing if it was never reached.
  std::optional<bool> offers(ListKind kind) const;

  /// Why its lists may be old or missing; empty if they are not.
  std::string trouble() const;

  /// Whether somebody has waited in vain for one of its lists, which is still under way.
  bool late() const;

  /// It says that a list has changed. False if `notice` says something else.
  bool hear(std::string_view notice);
  /// A call was answered, so it is awake: the time to ask for what an earlier run knew.
  void used();

  /// Names outside that led to a server of the same name before the configuration changed, with its names for them:
  /// they lead here until the list is known.
  using Names = std::map<std::string, std::string, std::less<>>;
  void expect(ListKind kind, Names names) { expected_[static_cast<std::size_t>(kind)] = std::move(names); }
  /// Null if the list is known, or the name was not.
  const std::string* expected(ListKind kind, std::string_view name) const;
  const Names& expected(ListKind kind) const { return expected_[static_cast<std::size_t>(kind)]; }

  SavedMember saved() const;
  void restore(SavedMember saved);

 private:
  Seat seat_;
  std::array<std::shared_ptr<Listing>, all_lists.size()> lists_;
  std::array<Names, all_lists.size()> expected_;
  std::optional<SavedMember> restored_;
};

}  // namespace fairlead::gateway
