#include "gateway/merge/naming.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "protocol/aead.hpp"

namespace fairlead::gateway {
namespace {

// In hex digits, each a try; those who still collide after the last are hidden.
constexpr std::array<std::size_t, 3> tails = {8, 16, 32};

/// A name on its way outside.
struct Candidate {
  OutsideName out;
  const InsideNames* server = nullptr;
  const std::string* inside = nullptr;
  std::string plain = {};    ///< Without a tail.
  std::size_t twisted = 0;   ///< How many tails were tried.
  bool over_budget = false;  ///< Needs a tail for its length alone.
};

std::string tail_of(const Candidate& candidate, std::size_t digits) {
  // A NUL is in no server's name, so that no two pairs make the same text.
  std::string identity = candidate.server->server;
  identity += '\0';
  identity += *candidate.inside;
  std::string hex;
  for (const char byte : protocol::sha256(identity)) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return hex.substr(0, digits);
}

// Without half a character at the end.
std::string_view first_bytes(std::string_view text, std::size_t size) {
  if (size >= text.size()) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size);
}

void spell(Candidate& candidate, std::size_t budget) {
  auto& out = candidate.out;
  if (!candidate.over_budget && candidate.twisted == 0) {
    out.name = candidate.plain;
    return;
  }
  const auto tail = '_' + tail_of(candidate, tails[std::max<std::size_t>(candidate.twisted, 1) - 1]);
  const auto room = budget == 0 ? candidate.plain.size() : budget - std::min(budget, tail.size());
  out.name = std::string(first_bytes(candidate.plain, room)) + tail;
  out.change = candidate.over_budget ? NameChange::cut : NameChange::twisted;
}

using Counts = std::unordered_map<std::string_view, std::size_t>;

// In how many servers a name is.
Counts count_servers(const std::vector<InsideNames>& servers) {
  Counts counts;
  for (const auto& server : servers) {
    std::unordered_set<std::string_view> seen;
    for (const auto& name : server.names) {
      if (seen.insert(name).second) ++counts[name];
    }
  }
  return counts;
}

Candidate candidate_of(const InsideNames& server, const std::string& inside, bool prefixed, const MergeConfig& rules) {
  Candidate made{.out = {}, .server = &server, .inside = &inside, .plain = inside};
  if (prefixed) {
    made.plain = clean_prefix(server.prefix.empty() ? server.server : server.prefix) + rules.separator + inside;
    made.out.change = NameChange::prefixed;
  }
  // Who wants no name changed gets none changed.
  const bool may_cut = rules.prefix != PrefixPolicy::never && rules.budget != 0;
  made.over_budget = may_cut && made.plain.size() > rules.budget;
  return made;
}

std::vector<Candidate> candidates(const std::vector<InsideNames>& servers, const MergeConfig& rules) {
  const auto counts = count_servers(servers);
  std::vector<Candidate> all;
  for (std::size_t server = 0; server < servers.size(); ++server) {
    const auto& names = servers[server].names;
    std::unordered_set<std::string_view> seen;
    for (std::size_t item = 0; item < names.size(); ++item) {
      const bool clashes = counts.at(names[item]) > 1;
      const bool prefixed = rules.prefix == PrefixPolicy::always || (rules.prefix == PrefixPolicy::clash && clashes);
      auto made = candidate_of(servers[server], names[item], prefixed, rules);
      made.out.server = server;
      made.out.item = item;
      spell(made, rules.budget);
      if (!seen.insert(names[item]).second) made.out.change = NameChange::hidden;
      all.push_back(std::move(made));
    }
  }
  return all;
}

// Gives a tail, or a longer one, to all who share a name. False if there was nobody, or no longer tail is left.
bool twist(std::vector<Candidate>& all, std::size_t budget) {
  std::unordered_map<std::string, std::size_t> counts;
  for (const auto& each : all) {
    if (each.out.change != NameChange::hidden) ++counts[each.out.name];
  }
  bool twisted = false;
  for (auto& each : all) {
    if (each.out.change == NameChange::hidden || counts[each.out.name] < 2 || each.twisted == tails.size()) continue;
    ++each.twisted;
    if (each.over_budget && each.twisted == 1) ++each.twisted;  // It has the shortest tail already.
    spell(each, budget);
    twisted = true;
  }
  return twisted;
}

void hide_repeated(std::vector<Candidate>& all) {
  std::unordered_set<std::string_view> taken;
  for (auto& each : all) {
    if (each.out.change != NameChange::hidden && !taken.insert(each.out.name).second) {
      each.out.change = NameChange::hidden;
    }
  }
}

}  // namespace

std::string clean_prefix(std::string_view text) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  };
  std::string clean(text);
  std::ranges::replace_if(clean, [&](char c) { return !is_allowed(c); }, '_');
  return clean;
}

std::vector<OutsideName> outside_names(const std::vector<InsideNames>& servers, const MergeConfig& rules) {
  auto all = candidates(servers, rules);
  if (rules.prefix != PrefixPolicy::never) {
    while (twist(all, rules.budget)) {
    }
  }
  hide_repeated(all);
  std::vector<OutsideName> names;
  names.reserve(all.size());
  for (auto& each : all) names.push_back(std::move(each.out));
  return names;
}

}  // namespace fairlead::gateway
