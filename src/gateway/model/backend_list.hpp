#pragma once

#include <chrono>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/protocol/model/common.hpp>

#include "gateway/model/backend.hpp"
#include "gateway/model/list_kind.hpp"

namespace fairlead::gateway {

/// How long, and for whom, a result may be cached. An absent member forbids caching.
struct CacheHints {
  std::optional<std::chrono::milliseconds> ttl = {};
  std::optional<protocol::CacheScope> scope = {};

  bool operator==(const CacheHints&) const = default;
};

CacheHints read_hints(std::string_view result);

/// Combines two hints: the shorter time and the stricter scope.
CacheHints stricter(const CacheHints& left, const CacheHints& right);

/// One tool, prompt, resource or template, as the bytes that its server sent.
struct ListItem {
  std::string key;
  std::string text;

  bool operator==(const ListItem&) const = default;
};

/// A server's whole list, all pages together.
struct BackendList {
  std::vector<ListItem> items = {};
  CacheHints hints = {};
  bool truncated = false;   ///< The list exceeds the limits; the rest was dropped.
  std::size_t skipped = 0;  ///< Items left out: not an object, without a key, or with a duplicate key.
};

struct ListLimits {
  std::size_t items = 20'000;
  std::size_t bytes = 32 * 1024 * 1024;
  std::size_t pages = 1'000;
};

/// Appends the items of a JSON array to a list. False once the list is full.
bool add_items(BackendList& list, std::string_view array, ListKind kind, const ListLimits& limits);

/// Whether the server does not know the method, so that the call had no effect.
bool is_unknown_method(const Error& error);

/// Fetches all pages of a list. Stops at a repeated cursor and at the limits.
Task<Result<BackendList>> fetch_list(Backend& backend, ListKind kind, ListLimits limits);

}  // namespace fairlead::gateway
