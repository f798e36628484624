#pragma once

#include <cstdint>
#include <fairlead/protocol/uri_template.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gateway/merge/member_list.hpp"
#include "gateway/merge/naming.hpp"

namespace fairlead::gateway {

enum class ProblemKind : std::uint8_t {
  clash,          ///< Two servers have the same name; both got a prefix.
  twisted,        ///< Even the names outside would be the same; both got a tail.
  hidden,         ///< Somebody before it has the name.
  over_long,      ///< Cut to the budget, or longer than it.
  duplicate_uri,  ///< Somebody before it has the URI.
  bad_template,   ///< Listed, but no URI matches it.
  strange,        ///< Left out of the list: not what the protocol says.
  cut,            ///< A list is longer than the limits allow.
  degraded,       ///< A server does not answer; its last good list is used, if there is one.
};

/// Something an operator may want to change.
struct Problem {
  ProblemKind kind;
  std::string server;
  std::string subject = {};  ///< A name or URI.
  std::string text;          ///< For people.

  bool operator==(const Problem&) const = default;
};

/// The lists of all servers as one, and whose each item is. Immutable.
class MergedList {
 public:
  /// A server's part in it; `list` is null for one that never answered.
  struct Source {
    std::string server;
    std::string prefix = {};
    std::shared_ptr<const MemberList> list = {};
  };

  struct Entry {
    std::size_t server;  ///< Index into the sources.
    const ListItem* item;
    std::string name;            ///< Outside; inside it is the item's key.
    std::string respelled = {};  ///< The item under its outside name, if that is another.

    std::string_view text() const { return respelled.empty() ? std::string_view(item->text) : respelled; }
  };

  MergedList(ListKind kind, std::vector<Source> sources, const MergeConfig& rules);
  MergedList(const MergedList&) = delete;
  MergedList& operator=(const MergedList&) = delete;

  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<Problem>& problems() const { return problems_; }

  /// By its exact name outside; null if there is none.
  const Entry* find(std::string_view name) const;
  /// The first template that the URI fits; null if there is none.
  const Entry* match(std::string_view uri) const;

  /// Whether a client would see the same.
  bool shows_the_same(const MergedList& other) const;

 private:
  void add_named(const MergeConfig& rules);
  void add_unnamed();
  void report(const OutsideName& name, const std::string& inside, const MergeConfig& rules);
  void report_sources();
  void compile_templates();

  ListKind kind_;
  std::vector<Source> sources_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, std::size_t> by_name_;  // Of names that the entries hold.
  std::vector<std::optional<protocol::UriTemplate>> templates_;
  std::vector<Problem> problems_;
};

}  // namespace fairlead::gateway
