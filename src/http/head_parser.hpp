#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <fairlead/http/message.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace fairlead::http {

struct HeadLimits {
  std::size_t bytes = 16 * 1024;  ///< Of the whole head.
  std::size_t headers = 100;
  std::size_t target = 8 * 1024;
};

/// How a peer broke HTTP/1.1: the status that a server answers with, and a literal that says what to do.
struct HttpFault {
  std::uint16_t status = 400;
  std::string_view why = {};

  bool operator==(const HttpFault&) const = default;
};

struct RequestHead {
  std::string_view method = {};
  std::string_view target = {};
  unsigned minor = 1;    ///< HTTP/1.0 or HTTP/1.1.
  std::size_t size = 0;  ///< In bytes, up to and with the empty line.
};

struct ResponseHead {
  std::uint16_t status = 0;
  std::string_view reason = {};
  unsigned minor = 1;
  std::size_t size = 0;
};

/// Nothing as long as the head is not whole.
template <class Head>
using Parsed = std::expected<std::optional<Head>, HttpFault>;

/// Reads the head that `bytes` begin with; all views point into them, and values are trimmed. Knows no leniency: two
/// readers must never see two different messages in the same bytes.
Parsed<RequestHead> parse_request_head(std::string_view bytes, const HeadLimits& limits,
                                       std::vector<HeaderView>& headers);
Parsed<ResponseHead> parse_response_head(std::string_view bytes, const HeadLimits& limits,
                                         std::vector<HeaderView>& headers);

/// How long the body is, as RFC 9112, section 6.3, has it.
struct Framing {
  bool chunked = false;
  std::optional<std::uint64_t> length = {};
};

/// Two answers to that question are a fault, whatever they are.
std::expected<Framing, HttpFault> parse_framing(std::span<const HeaderView> headers, unsigned minor);

}  // namespace fairlead::http
