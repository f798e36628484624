#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <fairlead/base/utf8.hpp>
#include <fairlead/transport/transport.hpp>
#include <utility>

namespace fairlead::transport {

/// The beginning of a message, kept on the stack until the message was parsed.
class Excerpt {
 public:
  static constexpr std::size_t most = 256;  ///< Bytes.

  explicit Excerpt(std::string_view text) : size_(text.size()) {
    std::memcpy(bytes_.data(), text.data(), std::min(most, text.size()));
  }

  /// Ends with "…" if the message is longer; cut at a character boundary.
  std::string text() const {
    const std::string_view kept(bytes_.data(), std::min(most, size_));
    if (size_ <= most) return std::string(kept);
    auto end = kept.size();
    for (std::size_t back = 1; back <= 4; ++back) {
      const auto lead = static_cast<unsigned char>(kept[kept.size() - back]);
      if ((lead & 0xC0U) == 0x80U) continue;
      if (utf8_length(kept, kept.size() - back) == 0) end = kept.size() - back;
      break;
    }
    return std::string(kept.substr(0, end)) + "…";
  }

 private:
  std::array<char, most> bytes_;
  std::size_t size_;
};

/// Parses a text. An invalid message keeps its beginning.
inline Received read_received(std::string text) {
  const Excerpt begin(text);
  auto incoming = jsonrpc::read(std::move(text));
  if (!incoming) return InvalidMessage{.reply = std::move(incoming.error()), .text = begin.text()};
  return std::visit([](auto& what) { return Received(std::move(what)); }, *incoming);
}

}  // namespace fairlead::transport
