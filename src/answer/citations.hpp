#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::answer {

/// A source that a reply mentions.
struct SourceMention {
  std::string url = {};  ///< Or an id such as `oai-weather`.
  std::optional<std::string> title = {};
  std::string date = {};  ///< YYYY-MM-DD, or empty.

  bool operator==(const SourceMention&) const = default;
};

/// A source in the result of a tool.
struct Citation {
  std::string url;
  std::optional<std::string> title = {};
  std::string published_at = {};

  bool operator==(const Citation&) const = default;
};

/// All sources of a reply.
struct ReplySources {
  std::vector<SourceMention> cited = {};    ///< In annotations of the text.
  std::vector<SourceMention> sources = {};  ///< In results of web searches.
  bool searched = false;
};

/// Collects the sources in the `output` of a reply. Ignores members of unexpected types.
ReplySources sources_in_reply(const boost::json::value& output);

/// The cited URLs without duplicates, and sources that have an id instead of a URL; all sources if nothing is cited.
/// Sources without a date get `today`.
std::vector<Citation> merge_citations(const ReplySources& sources, std::size_t max_count, std::string_view today);

/// The first date YYYY-MM-DD in a text; empty if there is none.
std::string iso_date_in(std::string_view text);

bool is_web_address(std::string_view text);

}  // namespace fairlead::answer
