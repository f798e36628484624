#include "gateway/aggregate/merged_list.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "gateway/model/json_rewrite.hpp"

namespace fairlead::gateway {
namespace {

std::string what(ListKind kind) {
  switch (kind) {
    case ListKind::tools: return "tool";
    case ListKind::prompts: return "prompt";
    case ListKind::resources: return "resource";
    case ListKind::skills: return "skill";
    case ListKind::templates: break;
  }
  return "resource template";
}

}  // namespace

MergedList::MergedList(ListKind kind, std::vector<Source> sources, const NamingConfig& rules)
    : kind_(kind), sources_(std::move(sources)) {
  if (is_named(kind)) {
    add_named(rules);
  } else {
    add_unnamed();
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) by_name_.try_emplace(entries_[i].name, i);
  if (kind == ListKind::templates) compile_templates();
  report_sources();
}

void MergedList::add_named(const NamingConfig& rules) {
  std::vector<UpstreamNames> upstream_name;
  for (const auto& source : sources_) {
    auto& names = upstream_name.emplace_back(UpstreamNames{.server = source.server, .prefix = source.prefix});
    if (!source.list) continue;
    for (const auto& item : source.list->items) names.names.push_back(item.key);
  }
  for (auto& outside : client_names(upstream_name, rules)) {
    const auto& item = sources_[outside.server].list->items[outside.item];
    report(outside, item.key, rules);
    if (outside.change == NameChange::hidden) continue;
    Entry entry{.server = outside.server, .item = &item, .name = std::move(outside.name)};
    if (entry.name != item.key) entry.renamed_text = replace_string(item.text, list_info(kind_).key, entry.name);
    entries_.push_back(std::move(entry));
  }
}

void MergedList::add_unnamed() {
  std::unordered_map<std::string_view, std::size_t> owners;
  for (std::size_t server = 0; server < sources_.size(); ++server) {
    if (!sources_[server].list) continue;
    for (const auto& item : sources_[server].list->items) {
      const auto [owner, fresh] = owners.try_emplace(item.key, server);
      if (fresh) {
        entries_.push_back({.server = server, .item = &item, .name = item.key});
      } else {
        problems_.push_back({ProblemKind::duplicate_uri, sources_[server].server, item.key,
                             fmt::format("the {} '{}' of {} is hidden: {} offers it too, and comes first", what(kind_),
                                         item.key, sources_[server].server, sources_[owner->second].server)});
      }
    }
  }
}

void MergedList::report(const ClientName& name, const std::string& upstream_name, const NamingConfig& rules) {
  const auto& server = sources_[name.server].server;
  const auto add = [&](ProblemKind kind, std::string text) {
    problems_.push_back(
        {kind, server, upstream_name, fmt::format("the {} '{}' of {} {}", what(kind_), upstream_name, server, text)});
  };
  switch (name.change) {
    case NameChange::none: break;
    case NameChange::prefixed:
      if (rules.prefix == PrefixPolicy::clash) {
        add(ProblemKind::clash, fmt::format("is renamed to '{}', because another server uses the name too", name.name));
      }
      break;
    case NameChange::disambiguated:
      add(ProblemKind::disambiguated,
          fmt::format("is renamed to '{}', because the prefixed name is used twice", name.name));
      break;
    case NameChange::truncated:
      add(ProblemKind::over_long,
          fmt::format("is renamed to '{}', because it has more than {} characters; give its server a "
                      "shorter prefix",
                      name.name, rules.max_length));
      break;
    case NameChange::hidden:
      add(ProblemKind::hidden, "is hidden: an earlier one has the same name; give its server a prefix");
      break;
  }
  if (name.change != NameChange::truncated && rules.max_length != 0 && name.name.size() > rules.max_length) {
    add(ProblemKind::over_long,
        fmt::format("has more than {} characters, which some clients reject", rules.max_length));
  }
}

void MergedList::report_sources() {
  for (const auto& source : sources_) {
    if (!source.list) continue;
    if (source.list->skipped != 0) {
      problems_.push_back(
          {ProblemKind::skipped,
           source.server,
           {},
           fmt::format("{} items in {}'s answer to {} are left out: they are not objects, have no {}, or have "
                       "duplicate keys",
                       source.list->skipped, source.server, list_info(kind_).method, list_info(kind_).key)});
    }
    if (source.list->truncated) {
      problems_.push_back({ProblemKind::truncated,
                           source.server,
                           {},
                           fmt::format("{}'s answer to {} is truncated after {} items: it exceeds the limits",
                                       source.server, list_info(kind_).method, source.list->items.size())});
    }
  }
}

void MergedList::compile_templates() {
  for (const auto& entry : entries_) {
    auto parsed = protocol::UriTemplate::parse(entry.name);
    if (!parsed) {
      const auto& server = sources_[entry.server].server;
      problems_.push_back(
          {ProblemKind::bad_template, server, entry.name,
           fmt::format("the resource template '{}' of {}: {}", entry.name, server, parsed.error().message)});
    }
    templates_.push_back(parsed ? std::optional(std::move(*parsed)) : std::nullopt);
  }
}

const MergedList::Entry* MergedList::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &entries_[found->second];
}

const MergedList::Entry* MergedList::match(std::string_view uri) const {
  for (std::size_t i = 0; i < templates_.size(); ++i) {
    if (templates_[i] && templates_[i]->match(uri)) return &entries_[i];
  }
  return nullptr;
}

bool MergedList::is_visibly_equal(const MergedList& other) const {
  return std::ranges::equal(entries_, other.entries_, {}, &Entry::text, &Entry::text);
}

}  // namespace fairlead::gateway
