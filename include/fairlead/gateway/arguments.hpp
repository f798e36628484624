#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/result.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::gateway {

/// Arguments as written, in order: `timeout(30s, max_time=5m)`. Positional arguments have the name "".
using ArgumentList = std::vector<std::pair<std::string, std::string>>;

/// Reads the arguments of a middleware one by one. Positional arguments are assigned in the order of reading. finish()
/// returns the first error.
class MiddlewareArguments {
 public:
  /// `usage` is an example for error messages: `timeout(30s, max_time=5m)`.
  MiddlewareArguments(std::string middleware, std::string usage, ArgumentList given);

  std::optional<std::string> text(std::string_view name);
  std::optional<Duration> duration(std::string_view name);
  std::optional<std::int64_t> number(std::string_view name, std::int64_t min, std::int64_t max);
  std::optional<bool> flag(std::string_view name);
  /// All arguments of this name and all remaining positional ones.
  std::vector<std::string> texts(std::string_view name);
  /// All arguments of this name.
  std::vector<std::string> named(std::string_view name);
  /// All remaining arguments as pairs of the user's choice: `search=find`, `"git *"="g *"`.
  ArgumentList pairs();

  /// Records an error about an argument; the first one wins.
  void report_error(std::string_view name, std::string_view why);
  void report_missing(std::string_view name) { report_error(name, "is missing"); }

  /// Fails if an argument was invalid or not read.
  Result<void> finish();

 private:
  std::optional<std::string> take(std::string_view name);
  std::vector<std::string> take_all(std::string_view name, bool include_unnamed);
  void set_error(std::string text);

  std::string middleware_;
  std::string usage_;
  ArgumentList unread_;
  std::vector<std::string> names_read_;
  std::optional<std::string> error_;
};

}  // namespace fairlead::gateway
