#include <fairlead/gateway/registry.hpp>

#include <fmt/format.h>
#include <ranges>
#include <utility>

#include "base/nearest.hpp"
#include "gateway/middleware/entries.hpp"
#include "gateway/upstream/header_sets.hpp"

namespace fairlead::gateway {
namespace {

Error unknown(std::string_view name, const std::map<std::string, Registry::Entry, std::less<>>& entries) {
  const std::vector<std::string> names(std::views::keys(entries).begin(), std::views::keys(entries).end());
  const auto meant = nearest(name, names);
  return {.kind = ErrorKind::invalid,
          .message = fmt::format("there is no middleware '{}'; {}", name,
                                 meant ? fmt::format("is '{}' meant?", entries.find(*meant)->second.usage)
                                       : fmt::format("there is: {}", fmt::join(names, ", ")))};
}

}  // namespace

Registry Registry::standard() {
  Registry all;
  all.add("allow", allow_entry());
  all.add("auth", auth_entry());
  all.add("breaker", breaker_entry());
  all.add("cache", cache_entry());
  all.add("cli", cli_entry());
  all.add("deny", deny_entry());
  all.add("describe", describe_entry());
  all.add("fault", fault_entry());
  all.add("headers", headers_entry(std::make_shared<HeaderSets>()));
  all.add("limit", limit_entry());
  all.add("log", log_entry());
  all.add("lua", lua_entry());
  all.add("pin", pin_entry());
  all.add("redact", redact_entry());
  all.add("rename", rename_entry());
  all.add("retry", retry_entry());
  all.add("search", search_entry());
  all.add("timeout", timeout_entry());
  return all;
}

Registry& Registry::add(std::string name, Entry entry) {
  entries_.insert_or_assign(std::move(name), std::move(entry));
  return *this;
}

Result<std::unique_ptr<Middleware>> Registry::make(std::string_view name, ArgumentList arguments, Loop loop) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::unexpected(unknown(name, entries_));
  Arguments reading(std::string(name), found->second.usage, std::move(arguments));
  auto made = found->second.make(reading, std::move(loop));
  if (auto read = reading.end(); !read) return std::unexpected(std::move(read.error()));
  return made;
}

}  // namespace fairlead::gateway
