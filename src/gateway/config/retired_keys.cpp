#include "gateway/config/retired_keys.hpp"

#include <algorithm>
#include <array>

namespace fairlead::gateway {
namespace {

struct RetiredKey {
  std::string_view scope;
  std::string_view key;
  std::string_view now;
};

constexpr auto retired_keys = std::to_array<RetiredKey>({
    {"", "merge", "naming, and its budget to max_length"},
    {"", "parking", "pending_input, its places to max_calls and its patience to timeout"},
    {"", "catalogue", "list_cache"},
    {"", "list_deadline", "list_timeout"},
    {"", "question_timeout", "server_request_timeout"},
    {"naming", "budget", "max_length"},
    {"pending_input", "places", "max_calls"},
    {"pending_input", "patience", "timeout"},
    {"restart", "first", "initial_delay"},
    {"restart", "most", "max_delay"},
    {"restart", "give_up_after", "max_failures"},
    {"auth", "who", "caller"},
    {"headers", "who", "caller"},
    {"retry", "most", "max_delay"},
    {"timeout", "cap", "max_time"},
    {"tap", "room", "endpoint"},
    {"tap", "conversation", "session"},
});

}  // namespace

std::optional<std::string_view> renamed_key(std::string_view scope, std::string_view key) {
  const auto found = std::ranges::find_if(
      retired_keys, [&](const RetiredKey& each) { return each.scope == scope && each.key == key; });
  return found == retired_keys.end() ? std::nullopt : std::optional(found->now);
}

}  // namespace fairlead::gateway
