#include "http/head_parser.hpp"

#include "base/parse_number.hpp"
#include "http/char_class.hpp"

namespace fairlead::http {
namespace {

using Bad = std::unexpected<HttpParseError>;

Bad bad(std::string_view why, std::uint16_t status = 400) {
  return Bad(HttpParseError{.status = status, .why = why});
}

constexpr std::string_view too_large = "the head is too large: send fewer or shorter header fields";

constexpr std::string_view bare_line_feed = "a line must end with CR LF";

/// Splits the head into lines.
class Lines {
 public:
  enum class Next : std::uint8_t { line, missing, bad };

  explicit Lines(std::string_view bytes) : bytes_(bytes) {}

  Next next(std::string_view& line) {
    const auto end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) return Next::missing;
    // Reject a bare LF: parsers disagree on whether it ends a line.
    if (end == at_ || bytes_[end - 1] != '\r') return Next::bad;
    line = bytes_.substr(at_, end - 1 - at_);
    at_ = end + 1;
    return Next::line;
  }

  // RFC 9112, section 2.2: old clients send an extra CRLF after a body.
  void skip_empty_line() {
    if (bytes_.starts_with("\r\n")) at_ = 2;
  }

  std::size_t position() const { return at_; }
  std::string_view rest() const { return bytes_.substr(at_); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

constexpr std::string_view long_target = "the target is too long: put the data into the body";

// Allowance for method and version.
bool is_long_line(std::string_view line, const HeadLimits& limits) {
  return line.size() > limits.target + 64;
}

// These bytes cannot become a head: do not wait for more.
bool is_hopeless(std::string_view unfinished) {
  if (unfinished.ends_with('\r')) unfinished.remove_suffix(1);
  return !consists_of(unfinished, char_class::field);
}

Parsed<RequestHead> unfinished_request_line(std::string_view line, const HeadLimits& limits) {
  if (is_hopeless(line)) return bad("this is not an HTTP request; for TLS use https");
  if (is_long_line(line, limits)) return bad(long_target, 414);
  if (line.size() > limits.bytes) return bad(too_large, 431);
  return std::nullopt;
}

std::expected<unsigned, HttpParseError> parse_version(std::string_view version) {
  if (version == "HTTP/1.1") return 1u;
  if (version == "HTTP/1.0") return 0u;
  const auto is_digit = [&](std::size_t at) { return version[at] >= '0' && version[at] <= '9'; };
  if (version.size() == 8 && version.starts_with("HTTP/") && is_digit(5) && version[6] == '.' && is_digit(7)) {
    return bad("only HTTP/1.1 and HTTP/1.0 are supported", 505);
  }
  return bad("the first line must end with HTTP/1.1");
}

std::expected<RequestHead, HttpParseError> parse_request_line(std::string_view line, const HeadLimits& limits) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return bad("the first line must be: method, space, target, space, HTTP/1.1");
  }
  RequestHead head{.method = line.substr(0, first), .target = line.substr(first + 1, last - first - 1)};
  if (!consists_of(head.method, char_class::token) || head.method.empty()) return bad("the method is not a token");
  const auto minor = parse_version(line.substr(last + 1));
  if (!minor) return std::unexpected(minor.error());
  if (head.target.size() > limits.target || is_long_line(line, limits)) return bad(long_target, 414);
  if (head.target.empty() || !consists_of(head.target, char_class::target)) {
    return bad("the target holds a character that must be percent-encoded");
  }
  head.minor = *minor;
  return head;
}

std::expected<ResponseHead, HttpParseError> parse_status_line(std::string_view line) {
  if (line.size() < 12 || line[8] != ' ') return bad("the status line must be: HTTP/1.1, space, status");
  const auto minor = parse_version(line.substr(0, 8));
  if (!minor) return std::unexpected(minor.error());
  ResponseHead head{.minor = *minor};
  head.status = parse_number<decltype(head.status)>(line.substr(9, 3)).value_or(0);
  const bool ends = line.size() <= 12 || line[12] == ' ';
  if (head.status < 100 || !ends) return bad("the status must have three digits");
  if (line.size() > 13) head.reason = line.substr(13);
  if (!consists_of(head.reason, char_class::field)) return bad("the reason phrase holds a control character");
  return head;
}

Bad bad_field(std::string_view line) {
  if (line.front() == ' ' || line.front() == '\t') return bad("a header field must not be folded: keep it on one line");
  if (!line.contains(':')) return bad("a header field has no colon");
  // White space before the colon enables request smuggling.
  return bad("a header field's name is not a token");
}

// The line that is valid up to `end` does not end there.
std::expected<bool, HttpParseError> unfinished_field(std::string_view bytes, std::size_t end,
                                                     const HeadLimits& limits) {
  const auto rest = bytes.substr(end);
  if (rest.starts_with('\n')) return bad(bare_line_feed);
  if (!rest.empty() && rest != "\r") return bad("a header field holds a control character");
  if (bytes.size() > limits.bytes) return bad(too_large, 431);
  return false;
}

// Reads the fields from `at` on. True once the empty line was read; `at` is then the end of the head.
std::expected<bool, HttpParseError> parse_fields(std::string_view bytes, std::size_t& at, const HeadLimits& limits,
                                                 std::vector<HeaderView>& headers) {
  headers.clear();
  for (auto begin = at;; begin = at) {
    const auto colon = end_of(bytes, begin, char_class::token);
    const auto end = field_end(bytes, colon);
    if (bytes.size() - end < 2 || bytes[end] != '\r' || bytes[end + 1] != '\n') {
      return unfinished_field(bytes, end, limits);
    }
    at = end + 2;
    if (at > limits.bytes) return bad(too_large, 431);
    if (end == begin) return true;
    if (headers.size() == limits.headers) return bad("too many header fields", 431);
    const auto* const line = bytes.data() + begin;
    const std::string_view name(line, colon - begin);
    if (name.empty() || bytes[colon] != ':') return bad_field({line, end - begin});
    headers.push_back({.name = name, .value = protocol::trim_header({line + name.size() + 1, end - colon - 1})});
  }
}

template <class Head>
Parsed<Head> finish_head(std::expected<Head, HttpParseError> head, std::string_view bytes, const Lines& lines,
                         const HeadLimits& limits, std::vector<HeaderView>& headers) {
  if (!head) return std::unexpected(head.error());
  head->size = lines.position();
  const auto whole = parse_fields(bytes, head->size, limits, headers);
  if (!whole) return std::unexpected(whole.error());
  if (!*whole) return std::nullopt;
  return *head;
}

}  // namespace

Parsed<RequestHead> parse_request_head(std::string_view bytes, const HeadLimits& limits,
                                       std::vector<HeaderView>& headers) {
  Lines lines(bytes);
  lines.skip_empty_line();
  std::string_view line;
  switch (lines.next(line)) {
    case Lines::Next::bad: return bad(bare_line_feed);
    case Lines::Next::missing: return unfinished_request_line(lines.rest(), limits);
    case Lines::Next::line: break;
  }
  return finish_head(parse_request_line(line, limits), bytes, lines, limits, headers);
}

Parsed<ResponseHead> parse_response_head(std::string_view bytes, const HeadLimits& limits,
                                         std::vector<HeaderView>& headers) {
  Lines lines(bytes);
  std::string_view line;
  switch (lines.next(line)) {
    case Lines::Next::bad: return bad(bare_line_feed);
    case Lines::Next::missing:
      if (is_hopeless(bytes)) return bad("this is not an HTTP response");
      if (bytes.size() > limits.bytes) return bad(too_large, 431);
      return std::nullopt;
    case Lines::Next::line: break;
  }
  return finish_head(parse_status_line(line), bytes, lines, limits, headers);
}

namespace {

std::expected<std::uint64_t, HttpParseError> parse_length(std::string_view digits) {
  const auto length = parse_number<std::uint64_t>(digits);
  if (!length) return bad("Content-Length must be one number");
  return *length;
}

}  // namespace

std::expected<BodyFraming, HttpParseError> parse_framing(std::span<const HeaderView> headers, unsigned minor) {
  BodyFraming framing;
  for (const auto& field : headers) {
    if (protocol::same_header(field.name, "Content-Length")) {
      if (framing.length) return bad("Content-Length must not be sent twice");
      const auto length = parse_length(field.value);
      if (!length) return std::unexpected(length.error());
      framing.length = *length;
    } else if (protocol::same_header(field.name, "Transfer-Encoding")) {
      if (framing.chunked) return bad("Transfer-Encoding must not be sent twice");
      if (minor == 0) return bad("HTTP/1.0 has no Transfer-Encoding");
      if (!protocol::same_header(field.value, "chunked")) {
        return bad("the only supported transfer coding is: chunked", 501);
      }
      framing.chunked = true;
    }
  }
  if (framing.chunked && framing.length) return bad("Content-Length and Transfer-Encoding exclude each other");
  return framing;
}

}  // namespace fairlead::http
