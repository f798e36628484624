#pragma once

#include <cstdint>
#include <fairlead/protocol/headers.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::http {

using protocol::Header;
using protocol::HeaderView;

class LaterAnswer;

/// A request that has arrived whole. Its views point into the connection's buffer: whoever keeps one past the exchange
/// copies it.
struct Request {
  std::string_view method;  ///< As it was sent; methods are case-sensitive.
  std::string_view target;
  std::string_view path;   ///< Of the target, undecoded.
  std::string_view query;  ///< Without its question mark.
  std::vector<HeaderView> headers;
  std::string body;  ///< A handler may move it away.

  std::string remote;     ///< The peer's address and port.
  std::string principal;  ///< As whom a gate has let it in; empty for nobody.
  bool secure = false;    ///< It came over TLS.

  /// A bit for each name among the headers, by `mark_of`, so that those which are not there are not looked for. All
  /// bits where nobody has counted them.
  std::uint64_t names = ~std::uint64_t{0};

  /// Left by a handler's `answer_now`, which had no answer: then this gives it, and not `serve`.
  std::shared_ptr<LaterAnswer> later;

  /// The first of that name, trimmed; nothing if there is none.
  std::optional<std::string_view> header(std::string_view name) const;
  std::size_t count(std::string_view name) const;

  bool may_have(std::string_view name) const { return (names & mark_of(name)) != 0; }
  static constexpr std::uint64_t mark_of(std::string_view name) {
    // Without the bit that tells a capital from a small letter.
    const auto end = name.empty() ? 0u : static_cast<unsigned char>(name.back()) & 0x1fu;
    return std::uint64_t{1} << ((name.size() * 5 + end) & 63);
  }
};

/// An answer, or the head of one whose body follows in pieces. Length, date and connection are the connection's
/// business.
struct Response {
  std::uint16_t status = 200;
  std::string_view content_type = {};  ///< A literal; empty for none.
  std::vector<Header> headers = {};
  std::string body = {};
};

std::string_view reason_phrase(std::uint16_t status);

}  // namespace fairlead::http
