#pragma once

#include <atomic>
#include <cstdint>
#include <fairlead/base/result.hpp>
#include <fairlead/json/scan.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace boost::json {
class value;
}

namespace fairlead::json {

/// A JSON value as the bytes it came in: what nobody edits leaves exactly as it arrived.
///
/// Owns its text, which is valid JSON or nothing at all. `value()` parses once, on demand, and may be called from
/// several threads. Copies compare by their text.
class Payload {
 public:
  Payload() = default;
  Payload(const Payload& other);
  // One that is moved or destroyed is nobody else's: no order among threads to keep, and calls move many of them.
  Payload(Payload&& other) noexcept
      : buffer_(std::move(other.buffer_)),
        span_(std::exchange(other.span_, {})),
        names_(other.names_),
        parsed_(other.parsed_.load(std::memory_order_relaxed)) {
    other.parsed_.store(nullptr, std::memory_order_relaxed);
  }
  Payload& operator=(Payload other) noexcept;
  ~Payload() {
    if (auto* parsed = parsed_.load(std::memory_order_relaxed)) destroy(parsed);
  }

  /// Takes text from outside, if `scan` finds nothing wrong with it.
  static Result<Payload> parse(std::string text, const ScanOptions& options = {});

  /// Takes text that this program wrote or has scanned.
  static Payload trusted(std::string text);

  /// Keeps a whole scanned message in memory for the sake of the one value in it that matters, without a copy.
  /// `names` are the marks of the object's, where they are known.
  static Payload slice(std::string message, Span value, std::uint64_t names = every_mark);

  bool empty() const { return span_.size == 0; }
  std::string_view text() const { return span_.in(buffer_); }

  /// False only for a member that is not there: most that are looked for are not.
  bool may_have(std::string_view name) const { return (names_ & mark_of(name)) != 0; }

  /// The parsed value; null for an empty payload. Integers beyond 64 bits read as doubles here; `text` keeps them.
  const boost::json::value& value() const;

  /// Lets `change` work on the parsed value and makes the result this payload's text.
  void edit(const std::function<void(boost::json::value&)>& change);

  /// Takes a stretch out of the text, which is valid without it.
  void cut(Span stretch);

  bool operator==(const Payload& other) const { return text() == other.text(); }

 private:
  static void destroy(boost::json::value* parsed) noexcept;

  std::string buffer_;
  Span span_;
  std::uint64_t names_ = every_mark;
  mutable std::atomic<boost::json::value*> parsed_ = nullptr;
};

}  // namespace fairlead::json
