#pragma once

#include <fairlead/base/log.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace fairlead {

/// Hides secrets in text that is about to be logged, in one linear pass over any bytes, whole or cut off.
///
/// Hidden are: the values of JSON members, headers, form and query parameters whose name tells of a secret (`password`,
/// `X-Api-Key`, `GITHUB_TOKEN`, …); what follows `Bearer`, `Basic` and `DPoP`; passwords in URLs; private keys; tokens
/// known by their shape; and every value it was told about. JSON stays JSON. Safe to use from any thread.
class Redactor {
 public:
  static constexpr std::string_view mark = "[redacted]";
  /// Shorter values would blacken innocent text, so they are not accepted.
  static constexpr std::size_t shortest_secret = 4;

  Redactor();
  Redactor(const Redactor&) = delete;
  Redactor& operator=(const Redactor&) = delete;
  ~Redactor();

  /// One more name whose value is secret. Case, `-` and `_` make no difference; a longer name that ends in it after a
  /// `-`, `_` or `.` counts too.
  void add_key(std::string_view key);

  /// A value to hide wherever it stands: as it is, JSON-escaped (also twice) or percent-encoded. False if it is too
  /// short.
  bool add_secret(std::string_view value);

  std::string redact(std::string_view text) const;

  /// Hides only the values it was told about, for text that may speak of passwords and keys.
  std::string redact_values(std::string_view text) const;

 private:
  struct Rules;
  std::shared_ptr<const Rules> rules() const;
  template <class Change>
  void change(Change change);

  mutable std::mutex mutex_;
  std::shared_ptr<const Rules> rules_;
};

/// Redacts every message on its way to the sink behind; both outlive it.
class RedactingSink final : public LogSink {
 public:
  RedactingSink(LogSink& next, const Redactor& redactor) : next_(next), redactor_(redactor) {}

  bool enabled(LogLevel level) const noexcept override { return next_.enabled(level); }
  void write(LogLevel level, std::string_view component, std::string_view message) noexcept override;

 private:
  LogSink& next_;
  const Redactor& redactor_;
};

}  // namespace fairlead
