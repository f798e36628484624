#include "answer/citations.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "answer/json_access.hpp"
#include "base/ascii.hpp"

namespace fairlead::answer {
namespace {

namespace bj = boost::json;

constexpr std::size_t max_url_depth = 8, max_collected_urls = 50;

/// The first non-empty string among these members.
std::string first_text(const bj::value& value, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    if (const auto text = text_at(value, name); !text.empty()) return std::string(text);
  }
  return "";
}

std::optional<std::string> unless_empty(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

std::string date_of(const bj::value& value) {
  return iso_date_in(first_text(value, {"published_at", "published_date", "date"}));
}

void add_annotation(const bj::value& annotation, ReplySources& sources) {
  if (text_at(annotation, "type") != "url_citation") return;
  sources.searched = true;
  const auto* nested = member_at(annotation, "url_citation");
  const auto& where = nested != nullptr && nested->is_object() ? *nested : annotation;
  const auto url = text_at(where, "url");
  if (url.empty()) return;
  sources.cited.push_back({std::string(url), unless_empty(text_at(where, "title")), date_of(where)});
}

std::optional<SourceMention> source_of(const bj::value& entry) {
  if (const auto* text = entry.if_string()) {
    return text->empty() ? std::nullopt : std::optional(SourceMention{.url = std::string(*text)});
  }
  if (auto url = first_text(entry, {"url", "link"}); !url.empty()) {
    return SourceMention{std::move(url), unless_empty(first_text(entry, {"title", "name"})), date_of(entry)};
  }
  const auto id = text_at(entry, "name");
  if (id.empty()) return std::nullopt;
  return SourceMention{std::string(id), unless_empty(text_at(entry, "type")), date_of(entry)};
}

const bj::array* sources_of(const bj::value& call) {
  if (const auto* action = member_at(call, "action")) {
    if (const auto* list = list_at(*action, "sources")) return list;
  }
  const auto* nested = member_at(call, "web_search_call");
  const auto* list = nested != nullptr ? sources_of(*nested) : nullptr;
  return list != nullptr ? list : list_at(call, "sources");
}

std::string_view trimmed_address(std::string_view text) {
  const auto end = text.find_last_not_of("),.;");
  return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

/// Collects all URLs in a search call that does not list its sources.
void collect_urls(const bj::value& value, std::size_t depth, std::vector<SourceMention>& found) {
  if (depth > max_url_depth || found.size() >= max_collected_urls) return;
  if (const auto* text = value.if_string()) {
    std::string_view rest(text->data(), text->size());
    for (auto at = rest.find("http"); at != std::string_view::npos; at = rest.find("http", at)) {
      const auto end = std::min(rest.find_first_of(" \t\r\n\"'<>", at), rest.size());
      const auto address = trimmed_address(rest.substr(at, end - at));
      if (is_web_address(address) && found.size() < max_collected_urls) found.push_back({.url = std::string(address)});
      at = end;
    }
  } else if (const auto* list = value.if_array()) {
    for (const auto& item : *list) collect_urls(item, depth + 1, found);
  } else if (const auto* object = value.if_object()) {
    for (const auto& each : *object) collect_urls(each.value(), depth + 1, found);
  }
}

void add_search(const bj::value& call, ReplySources& sources) {
  sources.searched = true;
  const auto* list = sources_of(call);
  if (list == nullptr) return collect_urls(call, 0, sources.sources);
  for (const auto& entry : *list) {
    if (auto source = source_of(entry)) sources.sources.push_back(std::move(*source));
  }
}

void add_message(const bj::value& item, ReplySources& sources) {
  const auto* parts = list_at(item, "content");
  if (parts == nullptr) return;
  for (const auto& part : *parts) {
    const auto* annotations = list_at(part, "annotations");
    if (annotations == nullptr) continue;
    for (const auto& annotation : *annotations) add_annotation(annotation, sources);
  }
}

/// The date of the mention, else that of the search source with the same URL, else `today`.
std::string date_for(const SourceMention& found, const ReplySources& sources, std::string_view today) {
  if (!found.date.empty()) return found.date;
  const auto dated = [&](const SourceMention& source) { return source.url == found.url && !source.date.empty(); };
  const auto known = std::ranges::find_if(sources.sources, dated);
  return known != sources.sources.end() ? known->date : std::string(today);
}

}  // namespace

bool is_web_address(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

std::string iso_date_in(std::string_view text) {
  constexpr std::string_view shape = "dddd-dd-dd";
  const auto fits = [&](std::string_view part) {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] == 'd' ? !ascii::is_digit(part[i]) : part[i] != '-') return false;
    }
    const int month = (part[5] - '0') * 10 + part[6] - '0';
    const int day = (part[8] - '0') * 10 + part[9] - '0';
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
  };
  for (std::size_t at = 0; at + shape.size() <= text.size(); ++at) {
    const bool begins = at == 0 || !ascii::is_digit(text[at - 1]);
    const bool ends = at + shape.size() == text.size() || !ascii::is_digit(text[at + shape.size()]);
    if (begins && ends && fits(text.substr(at, shape.size()))) return std::string(text.substr(at, shape.size()));
  }
  return "";
}

ReplySources sources_in_reply(const bj::value& output) {
  ReplySources sources;
  const auto* items = output.if_array();
  if (items == nullptr) return sources;
  for (const auto& item : *items) {
    if (text_at(item, "type") == "web_search_call") {
      add_search(item, sources);
    } else {
      add_message(item, sources);
    }
  }
  return sources;
}

std::vector<Citation> merge_citations(const ReplySources& sources, std::size_t max_count, std::string_view today) {
  std::vector<Citation> merged;
  const auto add = [&](const SourceMention& found) {
    if (merged.size() >= max_count || std::ranges::find(merged, found.url, &Citation::url) != merged.end()) return;
    merged.push_back({found.url, found.title, date_for(found, sources, today)});
  };
  for (const auto& cited : sources.cited) add(cited);
  for (const auto& source : sources.sources) {
    if (sources.cited.empty() || !is_web_address(source.url)) add(source);
  }
  return merged;
}

}  // namespace fairlead::answer
