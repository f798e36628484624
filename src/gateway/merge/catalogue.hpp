#pragma once

#include <array>
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

  /// It says that a list has changed. False if `notice` says something else.
  bool hear(std::string_view notice);
  /// A call was answered, so it is awake: the time to ask for what an earlier run knew.
  void used();

  SavedMember saved() const;
  void restore(SavedMember saved);

 private:
  Seat seat_;
  std::array<std::shared_ptr<Listing>, all_lists.size()> lists_;
  std::optional<SavedMember> restored_;
};

}  // namespace fairlead::gateway
