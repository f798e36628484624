#include "load/open_lane.hpp"

#include <array>
#include <fmt/format.h>

#include "http/websocket_frame.hpp"
#include "http/websocket_handshake.hpp"

namespace fairlead::load {
namespace {

constexpr Duration greeting_patience = std::chrono::seconds(30);

/// Keeps the answer that a greeting waits for.
struct OneAnswer final : AnswerSink {
  void on_answer(std::uint16_t its_status, std::string_view its_body) override {
    status = its_status;
    body = its_body;
  }
  std::uint16_t status = 0;
  std::string body;
};

/// Waits for one answer to what is written.
Result<std::string> exchange(ByteLine& line, AnswerReader& reader, std::string_view request) {
  if (auto written = line.write(request, greeting_patience); !written) return std::unexpected(written.error());
  OneAnswer answer;
  std::array<char, 16 * 1024> buffer;
  while (answer.status == 0) {
    const auto got = line.read(buffer, greeting_patience);
    if (!got) return std::unexpected(got.error());
    if (auto fed = reader.feed({buffer.data(), *got}, answer); !fed) return std::unexpected(fed.error());
  }
  if (answer.status / 100 == 2) return std::move(answer.body);
  return fail(ErrorKind::refused,
              fmt::format("the server answered with status {}: {}", answer.status, answer.body.substr(0, 200)));
}

Result<void> check_greeting(const Result<std::string>& answer) {
  if (!answer) return std::unexpected(answer.error());
  if (answer->contains("\"result\"")) return {};
  return fail(ErrorKind::refused, "the server refused to initialize: " + answer->substr(0, 200));
}

const http::TlsClient* tls_of(const Target& target) {
  return target.tls ? &*target.tls : nullptr;
}

Expectation expectation_of(const LaneStyle& style, unsigned number, bool one_body) {
  Expectation expected;
  if (style.call.echoes) expected.echo = lane_text(number) + "-";
  if (one_body) expected.progress = style.progress;
  return expected;
}

bool needs_greeting(const protocol::Revision& revision) {
  return revision.lifecycle == protocol::Lifecycle::handshake;
}

Result<HttpManner> greet_over_http(const Target& target, const protocol::Revision& revision, ByteLine& line,
                                   HttpReader& reader) {
  HttpManner manner{.url = *target.url, .headers = target.headers, .revision = &revision};
  if (!needs_greeting(revision)) return manner;
  const auto hello = post_request(manner, initialize_message(revision), "initialize");
  if (auto greeted = check_greeting(exchange(line, reader, hello)); !greeted) return std::unexpected(greeted.error());
  manner.session = reader.session();
  manner.greeted = true;
  const auto ready = post_request(manner, initialized_message(), "notifications/initialized");
  if (const auto told = exchange(line, reader, ready); !told) return std::unexpected(told.error());
  return manner;
}

Result<OpenLane> open_http_lane(const Target& target, const LaneStyle& style, unsigned number) {
  auto line = ByteLine::dial(*target.url, tls_of(target));
  if (!line) return std::unexpected(std::move(line.error()));
  auto reader = std::make_unique<HttpReader>();
  const auto manner = greet_over_http(target, *style.revision, *line, *reader);
  if (!manner) return std::unexpected(manner.error());
  const auto body = call_message(style.call, *style.revision, number);
  RequestText request(post_request(*manner, body, "tools/call", style.call.tool));
  LaneParts parts{.line = std::move(*line),
                  .reader = std::move(reader),
                  .request = std::move(request),
                  .expected = expectation_of(style, number, true)};
  return OpenLane{std::make_unique<Lane>(std::move(parts)), manner->session.empty() ? "" : delete_request(*manner)};
}

/// What a wire puts around a message: a newline, or the head of a frame.
using Wrap = std::string (*)(std::string_view pattern);

std::string as_line(std::string_view pattern) {
  return std::string(pattern) + "\n";
}

// A key of zeros is a key too, and leaves the text as it is for its number to be written into.
std::string as_frame(std::string_view pattern) {
  std::string frame;
  const std::string filled(filled_size(pattern), ' ');
  http::write_frame(frame, http::Opcode::text, filled, http::MaskKey{});
  return frame.substr(0, frame.size() - filled.size()) + std::string(pattern);
}

Result<OpenLane> open_message_lane(ByteLine line, std::unique_ptr<AnswerReader> reader, const LaneStyle& style,
                                   unsigned number, Wrap wrap) {
  const auto& revision = *style.revision;
  if (needs_greeting(revision)) {
    const auto answer = exchange(line, *reader, wrap(initialize_message(revision)));
    if (auto greeted = check_greeting(answer); !greeted) return std::unexpected(greeted.error());
    const auto told = line.write(wrap(initialized_message()), greeting_patience);
    if (!told) return std::unexpected(told.error());
  }
  LaneParts parts{.line = std::move(line),
                  .reader = std::move(reader),
                  .request = RequestText(wrap(call_message(style.call, revision, number))),
                  .expected = expectation_of(style, number, false),
                  .in_flight = style.in_flight};
  return OpenLane{std::make_unique<Lane>(std::move(parts))};
}

Result<void> upgrade(const Target& target, const protocol::Revision& revision, ByteLine& line) {
  const HttpManner manner{.url = *target.url, .headers = target.headers, .revision = &revision};
  const auto asked = line.write(upgrade_request(manner, http::websocket_key()), greeting_patience);
  if (!asked) return asked;
  std::string head;
  // One at a time: what follows the head belongs to the first frame.
  for (char next = 0; !head.ends_with("\r\n\r\n"); head += next) {
    const auto got = line.read(std::span(&next, 1), greeting_patience);
    if (!got) return std::unexpected(got.error());
  }
  if (head.starts_with("HTTP/1.1 101 ")) return {};
  return fail(ErrorKind::refused, "the server opened no WebSocket: " + head.substr(0, head.find('\r')));
}

}  // namespace

Result<Target> target_at(const std::string& url, std::vector<http::Header> headers, const http::TlsClientOptions& tls) {
  auto parsed = http::parse_url(url);
  if (!parsed) return std::unexpected(std::move(parsed.error()));
  Target target{.url = std::move(*parsed), .headers = std::move(headers)};
  if (!target.url->secure()) return target;
  auto client = http::TlsClient::load(tls);
  if (!client) return std::unexpected(std::move(client.error()));
  target.tls = std::move(*client);
  return target;
}

Result<OpenLane> open_lane(const Target& target, const LaneStyle& style, unsigned number) {
  if (!target.is_websocket()) return open_http_lane(target, style, number);
  auto line = ByteLine::dial(*target.url, tls_of(target));
  if (!line) return std::unexpected(std::move(line.error()));
  if (auto opened = upgrade(target, *style.revision, *line); !opened) return std::unexpected(opened.error());
  return open_message_lane(std::move(*line), std::make_unique<WebSocketReader>(), style, number, as_frame);
}

Result<OpenLane> open_lane(ByteLine line, const LaneStyle& style) {
  return open_message_lane(std::move(line), std::make_unique<LineReader>(), style, 0, as_line);
}

Result<ByteLine> open_idle_stream(const Target& target) {
  auto calls = ByteLine::dial(*target.url, tls_of(target));
  if (!calls) return std::unexpected(std::move(calls.error()));
  HttpReader reader;
  const auto manner = greet_over_http(target, protocol::newest_handshake(), *calls, reader);
  if (!manner) return std::unexpected(manner.error());
  if (manner->session.empty()) return fail(ErrorKind::refused, "the server keeps no sessions, so none can be idle");
  // The same connection: it has nothing else to do, and a second one would count as well.
  if (auto asked = calls->write(get_request(*manner), greeting_patience); !asked) return std::unexpected(asked.error());
  std::array<char, 4096> buffer;
  OneAnswer refusal;
  while (!reader.in_body() && refusal.status == 0) {
    const auto got = calls->read(buffer, greeting_patience);
    if (!got) return std::unexpected(got.error());
    if (auto fed = reader.feed({buffer.data(), *got}, refusal); !fed) return std::unexpected(fed.error());
  }
  if (reader.status() == 200 && reader.in_body()) return std::move(*calls);
  return fail(ErrorKind::refused, fmt::format("the server opened no stream: status {}", reader.status()));
}

}  // namespace fairlead::load
