#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <memory>
#include <string>
#include <string_view>

namespace fairlead::gateway {

struct LuaLimits {
  std::size_t memory = std::size_t{32} * 1024 * 1024;  ///< Of the script, for all calls together.
  std::uint64_t instructions = 10'000'000;             ///< Of one call.
  /// Of one call without its waiting. A guard against what takes long in few instructions.
  std::chrono::milliseconds time = std::chrono::seconds{2};
};

/// A script with the functions `metadata(next, value)`, `request(next, value)`, or both. What goes wrong in it fails
/// the call, and the error names the line. `name` is what errors call the file.
Result<std::unique_ptr<Middleware>> lua_script(std::string name, std::string_view source, Loop loop,
                                               LuaLimits limits = {});

/// The same from a file.
Result<std::unique_ptr<Middleware>> lua_file(const std::string& path, Loop loop, LuaLimits limits = {});

}  // namespace fairlead::gateway
