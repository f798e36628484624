#pragma once

#include <fairlead/base/redactor.hpp>
#include <fairlead/base/result.hpp>
#include <utility>

#include "config/source.hpp"

namespace fairlead::config {

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

}  // namespace fairlead::config
