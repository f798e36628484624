#pragma once

#include <fairlead/gateway/middleware.hpp>
#include <memory>
#include <string>
#include <vector>

namespace fairlead::gateway {

/// Patterns with `*` and `?`. What is empty makes no difference.
struct Selection {
  std::vector<std::string> tools = {};
  std::vector<std::string> prompts = {};
  std::vector<std::string> resources = {};  ///< By their URIs.
  std::vector<std::string> servers = {};
  std::vector<std::string> methods = {};
};

/// Lets through what matches in every respect that is given; the rest is refused, and missing from lists.
std::unique_ptr<Middleware> allow(Selection selection);

/// Refuses what matches in every respect that is given, and leaves it out of lists.
std::unique_ptr<Middleware> deny(Selection selection);

}  // namespace fairlead::gateway
