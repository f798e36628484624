#pragma once

#include <cstddef>
#include <fairlead/base/redactor.hpp>
#include <fairlead/base/result.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::gateway {

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

 private:
  std::map<std::string, Source, std::less<>> sources_;
};

/// Appends a member to a path. Names that are not plain words are quoted.
std::string below(const std::string& path, std::string_view name);

/// Errors and warnings in the order of their discovery, with secrets redacted.
class Diagnostics {
 public:
  void add(const Source& at, std::string_view path, std::string_view message);
  void warn(const Source& at, std::string_view path, std::string_view message);

  /// Marks a value, by its canonical path, as unreadable; an empty path marks the whole configuration.
  void mark_invalid(std::string path) { invalid_paths_.push_back(std::move(path)); }
  /// True if the value, its parent or one of its members could not be read. Validation skips such values.
  bool is_invalid(std::string_view path) const;

  bool empty() const { return diagnostics_.empty(); }
  std::size_t count() const { return diagnostics_.size(); }
  const std::vector<std::string>& lines() const { return diagnostics_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// All errors, one line each, without duplicates.
  Error error() const;

 private:
  std::string line(const Source& at, std::string_view path, std::string_view message) const;

  Redactor redactor_;
  std::vector<std::string> diagnostics_;
  std::vector<std::string> warnings_;
  std::vector<std::string> invalid_paths_;
};

/// Quotes a value for a message and shortens long ones.
std::string value_in_quotes(std::string_view value);

}  // namespace fairlead::gateway
