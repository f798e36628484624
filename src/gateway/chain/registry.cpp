#include <fairlead/gateway/registry.hpp>

#include <fmt/format.h>
#include <ranges>
#include <utility>

#include "base/closest_match.hpp"

namespace fairlead::gateway {
namespace {

Error unknown(std::string_view name, const std::map<std::string, Registry::Entry, std::less<>>& entries) {
  const std::vector<std::string> names(std::views::keys(entries).begin(), std::views::keys(entries).end());
  const auto suggestion = closest_match(name, names);
  return {.kind = ErrorKind::invalid,
          .message = fmt::format("unknown middleware '{}'; {}", name,
                                 suggestion ? fmt::format("did you mean '{}'?", entries.find(*suggestion)->second.usage)
                                            : fmt::format("available: {}", fmt::join(names, ", ")))};
}

}  // namespace

Registry& Registry::add(std::string name, Entry entry) {
  entries_.insert_or_assign(std::move(name), std::move(entry));
  return *this;
}

Result<std::unique_ptr<Middleware>> Registry::make(std::string_view name, ArgumentList arguments,
                                                   EventLoop loop) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::unexpected(unknown(name, entries_));
  MiddlewareArguments reading(std::string(name), found->second.usage, std::move(arguments));
  auto made = found->second.make(reading, std::move(loop));
  if (auto read = reading.finish(); !read) return std::unexpected(std::move(read.error()));
  return made;
}

}  // namespace fairlead::gateway
