#pragma once

#include <fairlead/base/log.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead {

/// Replaces secrets in text before it is logged. One linear pass over any bytes, also truncated ones.
///
/// Redacts the values of JSON members, headers, form and query parameters with a sensitive name (`password`,
/// `X-Api-Key`, `GITHUB_TOKEN`, …), credentials after `Bearer`, `Basic` and `DPoP`, passwords in URLs, private keys,
/// tokens with a known prefix or form, and all values of add_secret(). Valid JSON stays valid JSON. Thread-safe.
class Redactor : NonCopyable {
 public:
  static constexpr std::string_view mark = "[redacted]";
  /// add_secret() refuses shorter values: they would match ordinary text.
  static constexpr std::size_t shortest_secret = 4;

  Redactor();
  ~Redactor();

  /// Adds a name whose values are secret. Ignores case, `-` and `_`; also matches longer names that end in `key` after
  /// a `-`, `_` or `.`.
  void add_key(std::string_view key);

  /// Adds a value to redact wherever it occurs: verbatim, JSON-escaped (up to twice) or percent-encoded. Returns false
  /// if it is shorter than `shortest_secret`.
  bool add_secret(std::string_view value);

  /// Adds a value that all redactors of this process replace, such as an access token. Only the newest are kept: older
  /// ones are still found by their name or form.
  static void add_process_secret(std::string_view value);
  static std::shared_ptr<const std::vector<std::string>> process_secrets();

  std::string redact(std::string_view text) const;

  /// Redacts only the values of add_secret() and add_process_secret(), for text that may contain sensitive names
  /// legitimately.
  std::string redact_values(std::string_view text) const;

 private:
  struct Rules;
  std::shared_ptr<const Rules> rules() const;
  template <class Change>
  void change(Change change);

  mutable std::mutex mutex_;
  std::shared_ptr<const Rules> rules_;
};

/// Redacts messages and forwards them to `next`. Both references must outlive it.
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
