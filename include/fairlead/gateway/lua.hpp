#pragma once

#include <chrono>
#include <cstddef>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

struct LuaLimits {
  std::size_t memory = std::size_t{32} * 1024 * 1024;  ///< Bytes, for all calls of the script together.
  std::uint64_t instructions = 10'000'000;             ///< Per call.
  /// Running time per call, without waiting. Limits slow instructions.
  std::chrono::milliseconds time = std::chrono::seconds{2};
};

/// Runs a script with the functions `metadata(next, value)`, `request(next, value)`, or both. An error in the script
/// fails the call and names the line. `name` is the file name in errors.
Result<std::unique_ptr<Middleware>> lua_script(std::string name, std::string_view source, EventLoop loop,
                                               LuaLimits limits = {});

/// Reads the script from a file.
Result<std::unique_ptr<Middleware>> lua_file(const std::string& path, EventLoop loop, LuaLimits limits = {});

}  // namespace fairlead::gateway
