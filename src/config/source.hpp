#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::config {

/// The source of a configuration value.
struct Source {
  std::string file = {};  ///< Empty for the command line.
  std::size_t line = 0;
  std::size_t column = 0;                   ///< Set for the command line, which has no lines.
  std::string path = {};                    ///< Path as written in the file: `mcpServers.git.endpoint`.
  std::vector<std::string> variables = {};  ///< Environment variables that the value was expanded from.

  /// Returns `chain.yaml:12` or `command line, column 7`.
  std::string location() const;
  /// Returns the location with the names of the variables.
  std::string text() const;
};

/// Sources of values by canonical path (`servers.git.url`). A value without a source has its default.
class Sources {
 public:
  void set(std::string path, Source source) { sources_.insert_or_assign(std::move(path), std::move(source)); }
  /// Removes the source of the value and of everything below it.
  void forget(const std::string& path);

  /// `find` returns the source of exactly this path, `find_nearest` that of the closest parent: `servers.git` for
  /// `servers.git.timeout`. Null for a default.
  const Source* find(const std::string& path) const;
  const Source* find_nearest(std::string path) const;

  /// Names of the environment variables that values come from, in the order of the paths, each once.
  std::vector<std::string> variables() const;

 private:
  std::map<std::string, Source, std::less<>> sources_;
};

/// Returns the text with spaces for control characters.
std::string printable(std::string_view text);

/// Appends a member to a path. Names that are not plain words are quoted.
std::string below(const std::string& path, std::string_view name);

/// Where a value was written, as in `chain.yaml:12: servers.git`. All locations compare equal, so that moving an entry
/// within a file is not a change.
struct SourceLocation {
  std::string text = {};

  bool operator==(const SourceLocation&) const { return true; }
};

}  // namespace fairlead::config
