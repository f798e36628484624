#include "gateway/merge/merged_list.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "gateway/merge/splice.hpp"

namespace fairlead::gateway {
namespace {

std::string what(ListKind kind) {
  switch (kind) {
    case ListKind::tools: return "tool";
    case ListKind::prompts: return "prompt";
    case ListKind::resources: return "resource";
    case ListKind::templates: break;
  }
  return "resource template";
}

}  // namespace

MergedList::MergedList(ListKind kind, std::vector<Source> sources, const MergeConfig& rules)
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

void MergedList::add_named(const MergeConfig& rules) {
  std::vector<InsideNames> inside;
  for (const auto& source : sources_) {
    auto& names = inside.emplace_back(InsideNames{.server = source.server, .prefix = source.prefix});
    if (!source.list) continue;
    for (const auto& item : source.list->items) names.names.push_back(item.key);
  }
  for (auto& outside : outside_names(inside, rules)) {
    const auto& item = sources_[outside.server].list->items[outside.item];
    report(outside, item.key, rules);
    if (outside.change == NameChange::hidden) continue;
    Entry entry{.server = outside.server, .item = &item, .name = std::move(outside.name)};
    if (entry.name != item.key) entry.respelled = with_string(item.text, form_of(kind_).key, entry.name);
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
                             fmt::format("the {} '{}' of {} is hidden: {} has it too, and comes first", what(kind_),
                                         item.key, sources_[server].server, sources_[owner->second].server)});
      }
    }
  }
}

void MergedList::report(const OutsideName& name, const std::string& inside, const MergeConfig& rules) {
  const auto& server = sources_[name.server].server;
  const auto add = [&](ProblemKind kind, std::string text) {
    problems_.push_back({kind, server, inside, fmt::format("the {} '{}' of {} {}", what(kind_), inside, server, text)});
  };
  switch (name.change) {
    case NameChange::none: break;
    case NameChange::prefixed:
      if (rules.prefix == PrefixPolicy::clash) {
        add(ProblemKind::clash, fmt::format("is called '{}', because another server has the name too", name.name));
      }
      break;
    case NameChange::twisted:
      add(ProblemKind::twisted, fmt::format("is called '{}', because another would be called the same", name.name));
      break;
    case NameChange::cut:
      add(ProblemKind::over_long, fmt::format("is called '{}': it has more than {} letters; give its server a shorter "
                                              "prefix",
                                              name.name, rules.budget));
      break;
    case NameChange::hidden:
      add(ProblemKind::hidden, "is hidden: one before it has the name; give its server a prefix");
      break;
  }
  if (name.change != NameChange::cut && rules.budget != 0 && name.name.size() > rules.budget) {
    add(ProblemKind::over_long, fmt::format("has more than {} letters, which some clients refuse", rules.budget));
  }
}

void MergedList::report_sources() {
  for (const auto& source : sources_) {
    if (!source.list) continue;
    if (source.list->strange != 0) {
      problems_.push_back(
          {ProblemKind::strange,
           source.server,
           {},
           fmt::format("{} items of {}'s {} are left out: they are no objects, have no {}, or have a "
                       "member twice",
                       source.list->strange, source.server, form_of(kind_).method, form_of(kind_).key)});
    }
    if (source.list->cut) {
      problems_.push_back({ProblemKind::cut,
                           source.server,
                           {},
                           fmt::format("{}'s {} is cut after {} items: it is longer than the limits allow",
                                       source.server, form_of(kind_).method, source.list->items.size())});
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

bool MergedList::shows_the_same(const MergedList& other) const {
  return std::ranges::equal(entries_, other.entries_, {}, &Entry::text, &Entry::text);
}

}  // namespace fairlead::gateway
