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

/// Where a value comes from.
struct Source {
  std::string file = {};  ///< Empty for the command line.
  std::size_t line = 0;
  std::size_t column = 0;                   ///< Told where there are no lines: on the command line.
  std::string path = {};                    ///< As it is written there: `mcpServers.git.endpoint`.
  std::vector<std::string> variables = {};  ///< Of the environment, that the value is made of.

  /// Such as `chain.yaml:12` or `command line, column 7`.
  std::string place() const;
  /// The same with the variables.
  std::string text() const;
};

/// Which value came from where, by its path in our own spelling: `servers.git.url`. What is not in it is a default.
class Sources {
 public:
  void set(std::string path, Source source) { sources_.insert_or_assign(std::move(path), std::move(source)); }
  /// The value itself and everything below it.
  void forget(const std::string& path);

  /// The nearest that is known, upwards: the source of `servers.git` for `servers.git.timeout`. Null for a default.
  const Source* find(const std::string& path) const;
  const Source* nearest(std::string path) const;

 private:
  std::map<std::string, Source, std::less<>> sources_;
};

/// A path's next step; names that are not plain words are put in quotes.
std::string below(const std::string& path, std::string_view name);

/// Everything that is wrong, in the order of its finding, without what might be a secret.
class Problems {
 public:
  void add(const Source& at, std::string_view path, std::string_view message);
  void warn(const Source& at, std::string_view path, std::string_view message);

  /// Notes that a value, by its path in our own spelling, could not be read. An empty path stands for everything.
  void spoil(std::string path) { spoilt_.push_back(std::move(path)); }
  /// Whether the value, something below it or something above it could not be read: what it seems to lack may be there.
  bool is_spoilt(std::string_view path) const;

  bool empty() const { return problems_.empty(); }
  std::size_t count() const { return problems_.size(); }
  const std::vector<std::string>& lines() const { return problems_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// One line each, the same one once.
  Error error() const;

 private:
  std::string line(const Source& at, std::string_view path, std::string_view message) const;

  Redactor redactor_;
  std::vector<std::string> problems_;
  std::vector<std::string> warnings_;
  std::vector<std::string> spoilt_;
};

/// A value in a message: in quotes, and not the whole of it if it is long.
std::string value_in_quotes(std::string_view value);

}  // namespace fairlead::gateway
