#include "gateway/record/replay_diff.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cctype>
#include <fairlead/json/dom.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fmt/format.h>
#include <utility>

namespace fairlead::gateway {
namespace {

namespace bj = boost::json;

// Present or absent depending on the caller.
constexpr std::array<std::string_view, 4> passing{"progressToken", "traceparent", "tracestate", "baggage"};
// Must be present, with any value.
constexpr std::array<std::string_view, 10> fleeting{
    "requestState",  "taskId",       "sessionId",     "timestamp",  "createdAt",
    "lastUpdatedAt", "lastModified", "elicitationId", "nextCursor", protocol::meta::subscription_id};

bool is_one_of(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// In a shape, `d` is a digit and `x` a hex digit.
bool has_shape(std::string_view text, std::string_view shape) {
  return text.size() >= shape.size() && std::ranges::equal(text.substr(0, shape.size()), shape, [](char c, char like) {
           const auto byte = static_cast<unsigned char>(c);
           return like == 'd' ? std::isdigit(byte) != 0 : like == 'x' ? std::isxdigit(byte) != 0 : c == like;
         });
}

bool is_time(std::string_view text) {
  return text.size() <= 40 && has_shape(text, "dddd-dd-ddTdd:dd");
}

bool is_uuid(std::string_view text) {
  constexpr std::string_view shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  return text.size() == shape.size() && has_shape(text, shape);
}

/// True if `text` equals `recorded` with any text in place of each redaction mark.
bool fills(std::string_view recorded, std::string_view text) {
  const auto first = recorded.find(Redactor::mark);
  if (!text.starts_with(recorded.substr(0, first))) return false;
  text.remove_prefix(first);
  recorded.remove_prefix(first + Redactor::mark.size());
  if (!recorded.contains(Redactor::mark)) return text.ends_with(recorded);
  const auto between = recorded.substr(0, recorded.find(Redactor::mark));
  for (auto at = text.find(between); at != text.npos; at = text.find(between, at + 1)) {
    if (fills(recorded, text.substr(at))) return true;
  }
  return false;
}

std::string brief(const bj::value& value) {
  constexpr std::size_t most = 120;
  std::string text;
  json::write_dom(text, value);
  if (text.size() <= most) return text;
  auto end = most;
  while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

const bj::value& or_object(const json::Payload& payload) {
  static const bj::value none = bj::object();
  return payload.empty() ? none : payload.value();
}

void translate(bj::value& value, const std::map<std::string, std::string, std::less<>>& ids) {
  if (auto* object = value.if_object()) {
    for (auto& member : *object) translate(member.value(), ids);
  } else if (auto* array = value.if_array()) {
    for (auto& item : *array) translate(item, ids);
  } else if (const auto* text = value.if_string()) {
    const auto found = ids.find(std::string_view(text->data(), text->size()));
    if (found != ids.end()) value = bj::string(found->second);
  }
}

}  // namespace

struct ReplayDiff::Walk {
  ReplayDiff& like;
  std::vector<std::string> found = {};

  void report(const std::string& path, std::string what) {
    found.push_back(path.empty() ? std::move(what) : path + ": " + what);
  }

  void learn(const bj::value& recorded, const bj::value& now) {
    if (recorded.is_string() && now.is_string() && recorded != now) {
      like.ids_[std::string(recorded.get_string())] = std::string(now.get_string());
    }
  }

  void objects(const std::string& path, const bj::object& recorded, const bj::object& now) {
    static const bj::value none = bj::object();
    const auto inside = [&](std::string_view name) {
      return path.empty() ? std::string(name) : path + "." + std::string(name);
    };
    for (const auto& [key, value] : recorded) {
      const std::string_view name(key.data(), key.size());
      if (is_one_of(passing, name) || like.ignored_.contains(name)) continue;
      const auto* other = now.if_contains(key);
      if (other == nullptr && name == "_meta") other = &none;
      if (other == nullptr) {
        report(inside(name), "is missing, expected " + brief(value));
      } else if (is_one_of(fleeting, name)) {
        learn(value, *other);
      } else {
        values(inside(name), value, *other);
      }
    }
    for (const auto& [key, value] : now) {
      const std::string_view name(key.data(), key.size());
      if (recorded.contains(key) || is_one_of(passing, name) || like.ignored_.contains(name)) continue;
      if (name == "_meta") {
        values(inside(name), none, value);
      } else {
        report(inside(name), brief(value) + " is new");
      }
    }
  }

  void arrays(const std::string& path, const bj::array& recorded, const bj::array& now) {
    if (recorded.size() != now.size()) {
      report(path, fmt::format("{} items instead of {}", now.size(), recorded.size()));
    }
    for (std::size_t i = 0; i < std::min(recorded.size(), now.size()); ++i) {
      values(fmt::format("{}[{}]", path, i), recorded[i], now[i]);
    }
  }

  bool same_text(std::string_view recorded, const bj::value& now) {
    if (recorded == Redactor::mark) return true;
    const auto* other = now.if_string();
    if (other == nullptr) return false;
    const std::string_view text(other->data(), other->size());
    if (recorded == text || (is_time(recorded) && is_time(text))) return true;
    if (is_uuid(recorded) && is_uuid(text)) {
      like.ids_[std::string(recorded)] = std::string(text);
      return true;
    }
    return recorded.contains(Redactor::mark) && fills(recorded, text);
  }

  void values(const std::string& path, const bj::value& recorded, const bj::value& now) {
    if (recorded.is_object() && now.is_object()) return objects(path, recorded.get_object(), now.get_object());
    if (recorded.is_array() && now.is_array()) return arrays(path, recorded.get_array(), now.get_array());
    const auto* text = recorded.if_string();
    const bool same = text != nullptr ? same_text({text->data(), text->size()}, now) : recorded == now;
    if (!same) report(path, brief(now) + " instead of " + brief(recorded));
  }
};

ReplayDiff::ReplayDiff(std::vector<std::string> ignore) : ignored_(ignore.begin(), ignore.end()) {}

std::vector<std::string> ReplayDiff::differences(const json::Payload& recorded, const json::Payload& now) {
  if (recorded == now) return {};
  Walk walk{.like = *this};
  walk.values("", or_object(recorded), or_object(now));
  return std::move(walk.found);
}

json::Payload ReplayDiff::with_current_ids(const json::Payload& recorded) const {
  if (ids_.empty() || recorded.empty()) return recorded;
  auto value = recorded.value();
  translate(value, ids_);
  if (value == recorded.value()) return recorded;
  std::string text;
  json::write_dom(text, value);
  return json::Payload::trusted(std::move(text));
}

}  // namespace fairlead::gateway
