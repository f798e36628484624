#pragma once

#include <atomic>
#include <fairlead/base/result.hpp>
#include <fairlead/json/scan.hpp>
#include <functional>
#include <utility>

namespace boost::json {
class value;
}

namespace fairlead::json {

/// A JSON value that keeps the bytes it was received as: an unedited value is forwarded byte for byte.
///
/// Owns its text, which is valid JSON or empty. value() parses once, on demand; thread-safe. Compared by text.
class Payload {
 public:
  Payload() = default;
  Payload(const Payload& other);
  // An object that is moved from or destroyed is not shared, so relaxed order suffices; calls move many payloads.
  Payload(Payload&& other) noexcept
      : buffer_(std::move(other.buffer_)),
        span_(std::exchange(other.span_, {})),
        names_(other.names_),
        parsed_(other.parsed_.load(std::memory_order_relaxed)) {
    other.parsed_.store(nullptr, std::memory_order_relaxed);
  }
  Payload& operator=(const Payload& other) { return *this = Payload(other); }
  Payload& operator=(Payload&& other) noexcept;
  ~Payload() {
    if (auto* parsed = parsed_.load(std::memory_order_relaxed)) destroy(parsed);
  }

  /// Validates untrusted text with scan() and takes it over.
  static Result<Payload> parse(std::string text, const ScanOptions& options = {});

  /// Takes over text that this program wrote or has already scanned, without validation.
  static Payload trusted(std::string text) {
    const Span whole{0, text.size()};
    return {std::move(text), whole, all_name_bits};
  }

  /// Holds one value of a scanned message without copying it: keeps the whole message in memory. `names` are the name
  /// bits of the value's members, if they are known.
  static Payload slice(std::string message, Span value, std::uint64_t names = all_name_bits) {
    return {std::move(message), value, names};
  }

  bool empty() const { return span_.size == 0; }
  std::string_view text() const { return span_.in(buffer_); }

  /// Bloom filter of member names: false means that the member is absent.
  bool may_contain(std::string_view name) const { return may_contain_any(name_bit(name)); }
  bool may_contain_any(std::uint64_t names) const { return (names_ & names) != 0; }

  /// The parsed value; null for an empty payload. Integers beyond 64 bits become doubles here; text() keeps them.
  const boost::json::value& value() const;

  /// Applies `change` to the parsed value and serializes the result as the new text.
  void edit(const std::function<void(boost::json::value&)>& change);

  /// Removes a range of the text. The remaining text must be valid JSON.
  void erase(Span range);

  bool operator==(const Payload& other) const { return text() == other.text(); }

 private:
  Payload(std::string&& message, Span value, std::uint64_t names)
      : buffer_(std::move(message)), span_(value), names_(names) {}
  static void destroy(boost::json::value* parsed) noexcept;

  std::string buffer_;
  Span span_;
  std::uint64_t names_ = all_name_bits;
  mutable std::atomic<boost::json::value*> parsed_ = nullptr;
};

}  // namespace fairlead::json
