#include "gateway/aggregate/naming.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/ascii.hpp"
#include "crypto/digest.hpp"

namespace fairlead::gateway {
namespace {

// Lengths to try, in hex digits; names that still collide are hidden.
constexpr std::array<std::size_t, 3> suffix_lengths = {8, 16, 32};

/// An item whose client name is being chosen.
struct Candidate {
  ClientName out;
  const UpstreamNames* server = nullptr;
  const std::string* upstream_name = nullptr;
  std::string plain = {};         ///< Without a suffix.
  std::size_t disambiguated = 0;  ///< Suffix lengths tried so far.
  bool over_budget = false;       ///< Needs a suffix because it is truncated.
};

std::string suffix_of(const Candidate& candidate, std::size_t digits) {
  // NUL cannot occur in a server's name, so each pair makes a different text.
  std::string identity = candidate.server->server;
  identity += '\0';
  identity += *candidate.upstream_name;
  return crypto::sha256_hex(identity).substr(0, digits);
}

// Does not split a UTF-8 character.
std::string_view utf8_prefix(std::string_view text, std::size_t size) {
  if (size >= text.size()) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size);
}

void assign_name(Candidate& candidate, std::size_t budget) {
  auto& out = candidate.out;
  if (!candidate.over_budget && candidate.disambiguated == 0) {
    out.name = candidate.plain;
    return;
  }
  const auto suffix = '_' + suffix_of(candidate, suffix_lengths[std::max<std::size_t>(candidate.disambiguated, 1) - 1]);
  const auto prefix_size = budget == 0 ? candidate.plain.size() : budget - std::min(budget, suffix.size());
  out.name = std::string(utf8_prefix(candidate.plain, prefix_size)) + suffix;
  out.change = candidate.over_budget ? NameChange::truncated : NameChange::disambiguated;
}

using Counts = std::unordered_map<std::string_view, std::size_t>;

// Counts the servers that use each name.
Counts count_servers(const std::vector<UpstreamNames>& servers) {
  Counts counts;
  for (const auto& server : servers) {
    std::unordered_set<std::string_view> seen;
    for (const auto& name : server.names) {
      if (seen.insert(name).second) ++counts[name];
    }
  }
  return counts;
}

Candidate candidate_of(const UpstreamNames& server, const std::string& upstream_name, bool prefixed,
                       const NamingConfig& rules) {
  Candidate made{.out = {}, .server = &server, .upstream_name = &upstream_name, .plain = upstream_name};
  if (prefixed) {
    made.plain = clean_prefix(server.prefix.empty() ? server.server : server.prefix) + rules.separator + upstream_name;
    made.out.change = NameChange::prefixed;
  }
  // `prefix: never` excludes any change.
  const bool may_truncate = rules.prefix != PrefixPolicy::never && rules.max_length != 0;
  made.over_budget = may_truncate && made.plain.size() > rules.max_length;
  return made;
}

std::vector<Candidate> candidates(const std::vector<UpstreamNames>& servers, const NamingConfig& rules) {
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
      assign_name(made, rules.max_length);
      if (!seen.insert(names[item]).second) made.out.change = NameChange::hidden;
      all.push_back(std::move(made));
    }
  }
  return all;
}

// Lengthens the suffix of all names that collide. False if none collide, or the longest suffix is used up.
bool disambiguate(std::vector<Candidate>& all, std::size_t budget) {
  std::unordered_map<std::string, std::size_t> counts;
  for (const auto& each : all) {
    if (each.out.change != NameChange::hidden) ++counts[each.out.name];
  }
  bool disambiguated = false;
  for (auto& each : all) {
    if (each.out.change == NameChange::hidden || counts[each.out.name] < 2 ||
        each.disambiguated == suffix_lengths.size())
      continue;
    ++each.disambiguated;
    if (each.over_budget && each.disambiguated == 1) ++each.disambiguated;  // It already has the shortest suffix.
    assign_name(each, budget);
    disambiguated = true;
  }
  return disambiguated;
}

void hide_duplicates(std::vector<Candidate>& all) {
  std::unordered_set<std::string_view> taken;
  for (auto& each : all) {
    if (each.out.change != NameChange::hidden && !taken.insert(each.out.name).second) {
      each.out.change = NameChange::hidden;
    }
  }
}

}  // namespace

std::string clean_prefix(std::string_view text) {
  const auto is_allowed = [](char c) { return ascii::is_alphanumeric(c) || c == '_' || c == '-' || c == '.'; };
  std::string clean(text);
  std::ranges::replace_if(clean, [&](char c) { return !is_allowed(c); }, '_');
  return clean;
}

std::vector<ClientName> client_names(const std::vector<UpstreamNames>& servers, const NamingConfig& rules) {
  auto all = candidates(servers, rules);
  if (rules.prefix != PrefixPolicy::never) {
    while (disambiguate(all, rules.max_length)) {
    }
  }
  hide_duplicates(all);
  std::vector<ClientName> names;
  names.reserve(all.size());
  for (auto& each : all) names.push_back(std::move(each.out));
  return names;
}

}  // namespace fairlead::gateway
