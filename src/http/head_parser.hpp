#pragma once

#include <expected>
#include <fairlead/http/message.hpp>
#include <span>

namespace fairlead::http {

struct HeadLimits {
  std::size_t bytes = 16 * 1024;  ///< Size of the whole head.
  std::size_t headers = 100;
  std::size_t target = 8 * 1024;
};

/// A violation of HTTP/1.1: the status of the error response, and a literal that says what to do.
struct HttpParseError {
  std::uint16_t status = 400;
  std::string_view why = {};

  bool operator==(const HttpParseError&) const = default;
};

struct RequestHead {
  std::string_view method = {};
  std::string_view target = {};
  unsigned minor = 1;    ///< HTTP/1.0 or HTTP/1.1.
  std::size_t size = 0;  ///< Size in bytes, including the empty line.
};

struct ResponseHead {
  std::uint16_t status = 0;
  std::string_view reason = {};
  unsigned minor = 1;
  std::size_t size = 0;
};

/// Nothing while the head is incomplete.
template <class Head>
using Parsed = std::expected<std::optional<Head>, HttpParseError>;

/// Parses the head at the start of `bytes`; all views point into them, and values are trimmed. Strict: two parsers must
/// never see different messages in the same bytes (request smuggling).
Parsed<RequestHead> parse_request_head(std::string_view bytes, const HeadLimits& limits,
                                       std::vector<HeaderView>& headers);
Parsed<ResponseHead> parse_response_head(std::string_view bytes, const HeadLimits& limits,
                                         std::vector<HeaderView>& headers);

/// Length of the body according to RFC 9112, section 6.3.
struct BodyFraming {
  bool chunked = false;
  std::optional<std::uint64_t> length = {};
};

/// Conflicting or repeated lengths are an error.
std::expected<BodyFraming, HttpParseError> parse_framing(std::span<const HeaderView> headers, unsigned minor);

}  // namespace fairlead::http
