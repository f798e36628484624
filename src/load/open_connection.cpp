#include "load/open_connection.hpp"

#include <fmt/format.h>

#include "http/websocket_frame.hpp"
#include "http/websocket_handshake.hpp"

namespace fairlead::load {
namespace {

constexpr Duration initialize_timeout = std::chrono::seconds(30);

/// Stores one response.
struct OneAnswer final : AnswerSink {
  void on_answer(std::uint16_t its_status, std::string_view its_body) override {
    status = its_status;
    body = its_body;
  }
  std::uint16_t status = 0;
  std::string body;
};

/// Sends a request and waits for its response.
Result<std::string> exchange(RawConnection& raw, AnswerReader& reader, std::string_view request) {
  if (auto written = raw.write(request, initialize_timeout); !written) return std::unexpected(written.error());
  OneAnswer answer;
  std::array<char, 16 * 1024> buffer;
  while (answer.status == 0) {
    const auto got = raw.read(buffer, initialize_timeout);
    if (!got) return std::unexpected(got.error());
    if (auto fed = reader.feed({buffer.data(), *got}, answer); !fed) return std::unexpected(fed.error());
  }
  if (answer.status / 100 == 2) return std::move(answer.body);
  return fail(ErrorKind::refused,
              fmt::format("the server returned HTTP status {}: {}", answer.status, answer.body.substr(0, 200)));
}

Result<void> check_initialize(const Result<std::string>& answer) {
  if (!answer) return std::unexpected(answer.error());
  if (answer->contains("\"result\"")) return {};
  return fail(ErrorKind::refused, "the server refused to initialize: " + answer->substr(0, 200));
}

const http::TlsClient* tls_of(const LoadTarget& target) {
  return target.tls ? &*target.tls : nullptr;
}

ExpectedAnswer expectation_of(const CallStyle& style, unsigned number, bool one_body) {
  ExpectedAnswer expected;
  if (style.call.echoes) expected.echo = connection_text(number) + "-";
  if (one_body) expected.progress = style.progress;
  return expected;
}

bool needs_initialize(const protocol::Revision& revision) {
  return revision.lifecycle == protocol::Lifecycle::handshake;
}

Result<HttpRequestStyle> initialize_over_http(const LoadTarget& target, const protocol::Revision& revision,
                                              RawConnection& raw, HttpAnswerReader& reader) {
  HttpRequestStyle http_style{.url = *target.url, .headers = target.headers, .revision = &revision};
  if (!needs_initialize(revision)) return http_style;
  const auto hello = post_request(http_style, initialize_message(revision), "initialize");
  const auto initialized = check_initialize(exchange(raw, reader, hello));
  if (!initialized) return std::unexpected(initialized.error());
  http_style.session = reader.session();
  http_style.initialized = true;
  const auto ready = post_request(http_style, initialized_message(), "notifications/initialized");
  if (const auto sent = exchange(raw, reader, ready); !sent) return std::unexpected(sent.error());
  return http_style;
}

Result<OpenedConnection> open_http_connection(const LoadTarget& target, const CallStyle& style, unsigned number) {
  auto raw = RawConnection::connect(*target.url, tls_of(target));
  if (!raw) return std::unexpected(std::move(raw.error()));
  auto reader = std::make_unique<HttpAnswerReader>();
  const auto http_style = initialize_over_http(target, *style.revision, *raw, *reader);
  if (!http_style) return std::unexpected(http_style.error());
  const auto body = call_message(style.call, *style.revision, number);
  RequestText request(post_request(*http_style, body, "tools/call", style.call.tool));
  ConnectionParts parts{.raw = std::move(*raw),
                        .reader = std::move(reader),
                        .request = std::move(request),
                        .expected = expectation_of(style, number, true)};
  return OpenedConnection{std::make_unique<LoadConnection>(std::move(parts)),
                          http_style->session.empty() ? "" : delete_request(*http_style)};
}

/// Adds the framing of the transport: a newline or a frame header.
using Wrap = std::string (*)(std::string_view pattern);

std::string as_line(std::string_view pattern) {
  return std::string(pattern) + "\n";
}

// A masking key of zeros leaves the text unchanged, so that the id can be written into it.
std::string as_frame(std::string_view pattern) {
  std::string frame;
  const std::string filled(filled_size(pattern), ' ');
  http::write_frame(frame, http::Opcode::text, filled, http::MaskKey{});
  return frame.substr(0, frame.size() - filled.size()) + std::string(pattern);
}

Result<OpenedConnection> open_message_connection(RawConnection raw, std::unique_ptr<AnswerReader> reader,
                                                 const CallStyle& style, unsigned number, Wrap wrap) {
  const auto& revision = *style.revision;
  if (needs_initialize(revision)) {
    const auto answer = exchange(raw, *reader, wrap(initialize_message(revision)));
    if (auto initialized = check_initialize(answer); !initialized) return std::unexpected(initialized.error());
    const auto sent = raw.write(wrap(initialized_message()), initialize_timeout);
    if (!sent) return std::unexpected(sent.error());
  }
  ConnectionParts parts{.raw = std::move(raw),
                        .reader = std::move(reader),
                        .request = RequestText(wrap(call_message(style.call, revision, number))),
                        .expected = expectation_of(style, number, false),
                        .in_flight = style.in_flight};
  return OpenedConnection{std::make_unique<LoadConnection>(std::move(parts))};
}

Result<void> upgrade(const LoadTarget& target, const protocol::Revision& revision, RawConnection& raw) {
  const HttpRequestStyle http_style{.url = *target.url, .headers = target.headers, .revision = &revision};
  const auto sent = raw.write(upgrade_request(http_style, http::websocket_key()), initialize_timeout);
  if (!sent) return sent;
  std::string head;
  // One byte at a time: the bytes after the head belong to the first frame.
  for (char next = 0; !head.ends_with("\r\n\r\n"); head += next) {
    const auto got = raw.read(std::span(&next, 1), initialize_timeout);
    if (!got) return std::unexpected(got.error());
  }
  if (head.starts_with("HTTP/1.1 101 ")) return {};
  return fail(ErrorKind::refused, "the server refused the WebSocket: " + head.substr(0, head.find('\r')));
}

}  // namespace

Result<LoadTarget> target_at(const std::string& url, std::vector<http::Header> headers,
                             const http::TlsClientOptions& tls) {
  auto parsed = http::parse_url(url);
  if (!parsed) return std::unexpected(std::move(parsed.error()));
  LoadTarget target{.url = std::move(*parsed), .headers = std::move(headers)};
  if (!target.url->secure()) return target;
  auto client = http::TlsClient::load(tls);
  if (!client) return std::unexpected(std::move(client.error()));
  target.tls = std::move(*client);
  return target;
}

Result<OpenedConnection> open_connection(const LoadTarget& target, const CallStyle& style, unsigned number) {
  if (!target.is_websocket()) return open_http_connection(target, style, number);
  auto raw = RawConnection::connect(*target.url, tls_of(target));
  if (!raw) return std::unexpected(std::move(raw.error()));
  if (auto opened = upgrade(target, *style.revision, *raw); !opened) return std::unexpected(opened.error());
  return open_message_connection(std::move(*raw), std::make_unique<FrameAnswerReader>(), style, number, as_frame);
}

Result<OpenedConnection> open_connection(RawConnection raw, const CallStyle& style) {
  return open_message_connection(std::move(raw), std::make_unique<LineAnswerReader>(), style, 0, as_line);
}

Result<RawConnection> open_idle_stream(const LoadTarget& target) {
  auto calls = RawConnection::connect(*target.url, tls_of(target));
  if (!calls) return std::unexpected(std::move(calls.error()));
  HttpAnswerReader reader;
  const auto http_style = initialize_over_http(target, protocol::newest_handshake(), *calls, reader);
  if (!http_style) return std::unexpected(http_style.error());
  if (http_style->session.empty()) return fail(ErrorKind::refused, "the server does not support sessions");
  // On the same connection, so that each session needs only one.
  const auto sent = calls->write(get_request(*http_style), initialize_timeout);
  if (!sent) return std::unexpected(sent.error());
  std::array<char, 4096> buffer;
  OneAnswer refusal;
  while (!reader.in_body() && refusal.status == 0) {
    const auto got = calls->read(buffer, initialize_timeout);
    if (!got) return std::unexpected(got.error());
    if (auto fed = reader.feed({buffer.data(), *got}, refusal); !fed) return std::unexpected(fed.error());
  }
  if (reader.status() == 200 && reader.in_body()) return std::move(*calls);
  return fail(ErrorKind::refused, fmt::format("the server refused the stream: HTTP status {}", reader.status()));
}

}  // namespace fairlead::load
