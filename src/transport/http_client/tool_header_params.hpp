#pragma once

#include <fairlead/base/log.hpp>
#include <fairlead/base/lru_cache.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/protocol/header_params.hpp>

namespace fairlead::transport {

/// Limits on the number of tools, and on their approximate size in bytes.
struct ToolHeaderLimits {
  std::size_t tools = 20'000;
  std::size_t bytes = std::size_t{32} * 1024 * 1024;
};

/// Arguments of tools that are also sent as headers, learned from tool lists. Entries are kept even if a list expires.
/// Tools without such arguments are not stored. Beyond the limits, the tool that was listed least recently is dropped.
class ToolHeaderParams {
 public:
  explicit ToolHeaderParams(ToolHeaderLimits limits = {}) : known_({.entries = limits.tools, .weight = limits.bytes}) {}

  /// Learns from a `ListToolsResult` and removes tools with invalid header annotations from it.
  void learn(json::Payload& result, LogSink& log);

  /// True if the tool has header arguments. `tool` is the name as JSON.
  bool has_header_params(std::string_view tool) const;

  /// Headers for a call; none for a tool that is not stored.
  Result<std::vector<protocol::Header>> headers(std::string_view tool, std::string_view params) const;

  std::size_t size() const { return known_.size(); }

 private:
  void remember(std::string tool, std::vector<protocol::HeaderParam> params);

  LruCache<std::string, std::vector<protocol::HeaderParam>> known_;  // Listing a tool is its only use.
};

}  // namespace fairlead::transport
