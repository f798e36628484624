#pragma once

#include <chrono>
#include <cstddef>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/protocol/model/common.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/member.hpp"
#include "gateway/merge/list_kind.hpp"

namespace fairlead::gateway {

/// How long, and by whom, a result may be used again. Nothing said is nothing allowed.
struct CacheHints {
  std::optional<std::chrono::milliseconds> ttl = {};
  std::optional<protocol::CacheScope> scope = {};

  bool operator==(const CacheHints&) const = default;
};

CacheHints read_hints(std::string_view result);

/// What holds for two results together: the shorter time and the stricter scope.
CacheHints stricter(const CacheHints& left, const CacheHints& right);

/// One tool, prompt, resource or template, as the bytes its server sent.
struct ListItem {
  std::string key;
  std::string text;

  bool operator==(const ListItem&) const = default;
};

/// A server's whole list.
struct MemberList {
  std::vector<ListItem> items = {};
  CacheHints hints = {};
  bool cut = false;         ///< There was more than the limits allow.
  std::size_t strange = 0;  ///< Items left out: no object, no key, or something said twice.
};

struct ListLimits {
  std::size_t items = 20'000;
  std::size_t bytes = 32 * 1024 * 1024;
  std::size_t pages = 1'000;
};

/// Adds the items of one result, or of a file, to a list. False once the list is full.
bool add_items(MemberList& list, std::string_view array, ListKind kind, const ListLimits& limits);

/// Whether a server says that it has no such method, so that nothing was done.
bool says_unknown_method(const Error& error);

/// Asks for a list through all its pages. A cursor that comes twice, or a list beyond the limits, ends it.
Task<Result<MemberList>> fetch_list(Member& member, ListKind kind, ListLimits limits);

}  // namespace fairlead::gateway
