// Log lines of a framed transport; their format is stable, so that users can grep for it.
#include <fairlead/base/log.hpp>
#include <fairlead/transport/framed_transport.hpp>
#include <fmt/format.h>

#include "base/log_excerpt.hpp"
#include "transport/excerpt.hpp"

namespace fairlead::transport {
namespace {

constexpr std::size_t advised_size = 1024 * 1024;
constexpr std::size_t shown_of_bad = 512;

std::string describe(const Received& received) {
  if (const auto* batch = std::get_if<jsonrpc::Batch>(&received)) {
    return fmt::format("recv batch={}", batch->entries.size());
  }
  const auto& message = std::get<jsonrpc::Message>(received);
  if (const auto* request = std::get_if<jsonrpc::Request>(&message)) {
    return fmt::format("recv method={} id={}", request->method, request->id.to_json());
  }
  if (const auto* notification = std::get_if<jsonrpc::Notification>(&message)) {
    return fmt::format("recv method={}", notification->method);
  }
  if (const auto* response = std::get_if<jsonrpc::Response>(&message)) {
    return fmt::format("recv result id={}", response->id.to_json());
  }
  const auto& error = std::get<jsonrpc::ErrorResponse>(message);
  return fmt::format("recv error={} id={}", error.error.code, error.id ? error.id->to_json() : "null");
}

}  // namespace

void FramedTransport::log_repairs() {
  for (const auto& fault : deframer_.take_repairs()) {
    log(loop_.log, LogLevel::warning, options_.name, [&] { return fault.message(); });
  }
}

void FramedTransport::log_frame(const Frame& frame) const {
  if (!loop_.log.enabled(LogLevel::debug)) return;
  if (frame.framing == Framing::content_length) {
    loop_.log.write(LogLevel::debug, options_.name,
                    fmt::format("headerEnd={} contentLength={}", frame.header_size, frame.declared.value_or(0)));
  }
  if (frame.text.size() > advised_size) {
    loop_.log.write(LogLevel::debug, options_.name,
                    fmt::format("a message of {} bytes: splitting is advised beyond 1-2 MB", frame.text.size()));
  }
}

void FramedTransport::log_received(const Received& received, std::string_view text) const {
  if (!loop_.log.enabled(LogLevel::debug)) return;
  loop_.log.write(LogLevel::debug, options_.name, describe(received));
  loop_.log.write(LogLevel::debug, options_.name, "recv json=" + log_excerpt(text));
}

void FramedTransport::log_sent(Framing framing, std::string_view text) const {
  if (!loop_.log.enabled(LogLevel::debug)) return;
  const auto kind = framing == Framing::line ? "line" : "framed";
  loop_.log.write(LogLevel::debug, options_.name, fmt::format("send ({}) bytes={}", kind, text.size()));
  loop_.log.write(LogLevel::debug, options_.name, "send json=" + log_excerpt(text));
}

Received FramedTransport::unreadable(jsonrpc::ReadError reply, std::string_view text) {
  log(loop_.log, LogLevel::debug, options_.name,
      [&] { return fmt::format("recv unreadable bytes={} text={}", text.size(), text.substr(0, shown_of_bad)); });
  const auto begin = Excerpt(text).text();
  if (options_.on_invalid_message) options_.on_invalid_message(begin);
  return InvalidMessage{.reply = std::move(reply), .text = begin, .logged = options_.on_invalid_message != nullptr};
}

}  // namespace fairlead::transport
