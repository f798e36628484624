#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::answer {

/// What a reply says about one source.
struct Found {
  std::string url = {};  ///< Or an id such as `oai-weather`.
  std::optional<std::string> title = {};
  std::string date = {};  ///< YYYY-MM-DD, or empty.

  bool operator==(const Found&) const = default;
};

/// A source as the caller of a tool gets it.
struct Citation {
  std::string url;
  std::optional<std::string> title = {};
  std::string published_at = {};

  bool operator==(const Citation&) const = default;
};

/// What a whole reply says.
struct Evidence {
  std::vector<Found> cited = {};    ///< By annotations of the text.
  std::vector<Found> sources = {};  ///< Of searches.
  bool searched = false;
};

/// Of the `output` of a reply, whatever is in it.
Evidence evidence_in(const boost::json::value& output);

/// What is cited, each once, and sources with an id only; all sources where nothing is cited. A source without a date
/// has `today`.
std::vector<Citation> merge_citations(const Evidence& evidence, std::size_t most, std::string_view today);

/// The first date in a text, as YYYY-MM-DD; empty if there is none.
std::string iso_date_in(std::string_view text);

bool is_web_address(std::string_view text);

}  // namespace fairlead::answer
