#pragma once

#include <fairlead/base/non_copyable.hpp>
#include <fairlead/protocol/uri_template.hpp>
#include <memory>
#include <unordered_map>

#include "gateway/aggregate/naming.hpp"
#include "gateway/model/backend_list.hpp"

namespace fairlead::gateway {

enum class ProblemKind : std::uint8_t {
  clash,          ///< Two servers use the same name; both got a prefix.
  disambiguated,  ///< The prefixed names are equal too; both got a suffix.
  hidden,         ///< An earlier item has the name.
  over_long,      ///< Truncated to `max_length`, or longer than it.
  duplicate_uri,  ///< An earlier server has the URI.
  bad_template,   ///< Listed, but no URI matches it.
  skipped,        ///< Items that violate the protocol were left out.
  truncated,      ///< The list exceeds the limits.
  degraded,       ///< The server does not answer; its last list is used, if there is one.
};

/// A problem for the operator.
struct Problem {
  ProblemKind kind;
  std::string server;
  std::string subject = {};  ///< Name or URI of the item.
  std::string text;          ///< Readable text.

  bool operator==(const Problem&) const = default;
};

/// The merged list of all servers, with the server of each item. Immutable.
class MergedList : NonCopyable {
 public:
  /// The list of one server; `list` is null if it never answered.
  struct Source {
    std::string server;
    std::string prefix = {};
    std::shared_ptr<const BackendList> list = {};
  };

  struct Entry {
    std::size_t server;  ///< Index into the sources.
    const ListItem* item;
    std::string name;               ///< The name for clients; the upstream name is the item's key.
    std::string renamed_text = {};  ///< The item with its name for clients, if that differs.

    std::string_view text() const { return renamed_text.empty() ? std::string_view(item->text) : renamed_text; }
  };

  MergedList(ListKind kind, std::vector<Source> sources, const NamingConfig& rules);

  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<Problem>& problems() const { return problems_; }

  /// Finds an item by its exact client name; null if there is none.
  const Entry* find(std::string_view name) const;
  /// The first template that matches the URI; null if there is none.
  const Entry* match(std::string_view uri) const;

  /// Whether clients see the same list.
  bool is_visibly_equal(const MergedList& other) const;

 private:
  void add_named(const NamingConfig& rules);
  void add_unnamed();
  void report(const ClientName& name, const std::string& upstream_name, const NamingConfig& rules);
  void report_sources();
  void compile_templates();

  ListKind kind_;
  std::vector<Source> sources_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, std::size_t> by_name_;  // The keys are views of the entries' names.
  std::vector<std::optional<protocol::UriTemplate>> templates_;
  std::vector<Problem> problems_;
};

}  // namespace fairlead::gateway
