#pragma once

#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/result.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::gateway {

/// As written: `timeout(30s, cap=5m)`. In order; those without a name under "".
using ArgumentList = std::vector<std::pair<std::string, std::string>>;

/// Reads what a middleware was given, argument by argument. Those without a name fill the names in the order in which
/// they are read. The first mistake counts, and `end` tells it.
class Arguments {
 public:
  /// `usage` shows how it is meant: `timeout(30s, cap=5m)`.
  Arguments(std::string middleware, std::string usage, ArgumentList given);

  std::optional<std::string> text(std::string_view name);
  std::optional<Duration> duration(std::string_view name);
  std::optional<std::int64_t> number(std::string_view name, std::int64_t least, std::int64_t most);
  std::optional<bool> flag(std::string_view name);
  /// Every one of this name and all that are left without one.
  std::vector<std::string> texts(std::string_view name);
  /// Every one of this name, and no other.
  std::vector<std::string> named(std::string_view name);
  /// All that are left, as names and values of the user's own choice: `search=find`, `"git *"="g *"`.
  ArgumentList pairs();

  /// For what makes no sense for another reason.
  void wrong(std::string_view name, std::string_view why);
  void needs(std::string_view name) { wrong(name, "is missing"); }

  /// Nothing was wrong, and nothing is left that nobody asked for.
  Result<void> end();

 private:
  std::optional<std::string> take(std::string_view name);
  std::vector<std::string> take_all(std::string_view name, bool nameless_too);
  void complain(std::string text);

  std::string middleware_;
  std::string usage_;
  ArgumentList left_;
  std::vector<std::string> known_;
  std::optional<std::string> mistake_;
};

}  // namespace fairlead::gateway
