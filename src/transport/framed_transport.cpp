#include <fairlead/transport/framed_transport.hpp>

#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

#include "jsonrpc/recover_id.hpp"
#include "transport/excerpt.hpp"

namespace fairlead::transport {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t read_size = 64 * 1024;
constexpr std::size_t kept_memory = 1024 * 1024;
// How long undecided bytes wait for more.
constexpr Duration undecided_wait = 200ms;

jsonrpc::ReadError unread(std::int64_t code, std::string message, const std::string& why, std::string_view text) {
  jsonrpc::ReadError what;
  what.error = {.code = code, .message = std::move(message), .data = json::to_payload(why)};
  what.answered_id = jsonrpc::recover_response_id(text);
  return what;
}

Result<Received> given_up() {
  return fail(ErrorKind::cancelled, "cancelled by the caller");
}

void release_if_large(std::string& text) {
  if (text.capacity() > kept_memory) text = {};
}

}  // namespace

FramedTransport::FramedTransport(EventLoop loop, std::unique_ptr<ByteStream> stream, FramedOptions options)
    : loop_(std::move(loop)),
      stream_(std::move(stream)),
      options_(std::move(options)),
      deframer_({.max_message = options_.max_message,
                 .headers = options_.input != InputFraming::line,
                 .trust_counts = options_.length_mismatch == LengthMismatch::error}) {}

// Few locals live across the wait: Asio recycles small frames only.
Task<Result<Received>> FramedTransport::receive() {
  while (true) {
    if (auto received = next_or_end()) co_return std::move(*received);
    auto size = co_await read_some(deframer_.prepare(read_size));
    if (!on_read(std::move(size))) co_return given_up();
  }
}

// One variable is returned, so that the compiler does not move it. So do next() and flush().
FramedTransport::Next FramedTransport::next_or_end() {
  auto received = next();
  while (!received) {
    if (ended_ && deframer_.idle()) {
      received = std::unexpected(*ended_);
    } else if (ended_ || std::exchange(overdue_, false)) {
      received = flush();
      if (!received) received = next();
    } else {
      break;
    }
  }
  return received;
}

// False if the read was cancelled.
bool FramedTransport::on_read(Result<std::size_t> size) {
  if (size && *size > 0) {
    deframer_.commit(*size);
    log(loop_.log, LogLevel::debug, options_.name, [&] { return fmt::format("stdin chunk={}", *size); });
    return true;
  }
  if (size) {
    ended_ = Error{.kind = ErrorKind::closed, .message = "the peer closed the stream"};
  } else if (size.error().kind == ErrorKind::timeout) {
    overdue_ = true;
  } else if (size.error().kind == ErrorKind::cancelled) {
    return false;
  } else {
    ended_ = std::move(size.error());
  }
  return true;
}

Task<Result<std::size_t>> FramedTransport::read_some(std::span<char> room) {
  if (!deframer_.undecided()) return stream_->read(room);
  const auto deadline = Deadline::in(undecided_wait, loop_.timers.clock());
  return with_deadline(loop_.timers, deadline, stream_->read(room));
}

FramedTransport::Next FramedTransport::next() {
  Next received;
  auto frame = deframer_.next();
  log_repairs();
  if (frame) read(std::move(*frame), received);
  return received;
}

FramedTransport::Next FramedTransport::flush() {
  Next received;
  auto frame = deframer_.flush();
  log_repairs();
  if (frame) read(std::move(*frame), received);
  // A truncated response at the end of the stream is not delivered: the call fails with the stream.
  auto* bad = received ? std::get_if<InvalidMessage>(&**received) : nullptr;
  if (bad && ended_) bad->reply.answered_id.reset();
  return received;
}

void FramedTransport::read(Frame frame, Next& received) {
  using namespace jsonrpc::code;
  log_frame(frame);
  const bool is_line = frame.framing == Framing::line;
  // A garbage line between messages with headers does not change the output framing.
  saw_line_ = saw_line_ || (is_line && !saw_counted_);
  saw_counted_ = saw_counted_ || !is_line;
  if (frame.too_long) {
    const auto why = fmt::format("the message is longer than {} bytes", options_.max_message);
    auto bad = unread(invalid_request, "Invalid Request", why, frame.text);
    bad.limit = options_.max_message;
    received = unreadable(std::move(bad), frame.text);
    return;
  }
  if (frame.had_bom && options_.byte_order_mark == ByteOrderMark::refuse) {
    received = unreadable(unread(parse_error, "Parse error", "a byte-order mark stands before the message", frame.text),
                          frame.text);
    return;
  }
  if (frame.framing == Framing::line && options_.input == InputFraming::content_length) {
    received = unreadable(unread(parse_error, "Parse error", "the message has no Content-Length header", frame.text),
                          frame.text);
    return;
  }
  // Parsing moves the text; a copy is needed for debug logging only.
  const Excerpt begin(frame.text);
  std::string whole;
  if (loop_.log.enabled(LogLevel::debug)) whole = frame.text;
  auto incoming = jsonrpc::read(std::move(frame.text), {.max_depth = options_.max_depth});
  if (!incoming) {
    received = unreadable(std::move(incoming.error()), whole.empty() ? begin.text() : whole);
    return;
  }
  saw_line_ = saw_line_ || is_line;
  std::visit([&](auto& what) { received.emplace(std::in_place, std::move(what)); }, *incoming);
  log_received(**received, whole);
}

Framing FramedTransport::output_framing() const {
  switch (options_.output) {
    case OutputFraming::line: return Framing::line;
    case OutputFraming::content_length: return Framing::content_length;
    case OutputFraming::follow_input: break;
  }
  return saw_line_ ? Framing::line : Framing::content_length;
}

Task<Result<void>> FramedTransport::send(Outgoing outgoing) {
  frame(outgoing);
  return write_framed();
}

Task<Result<void>> FramedTransport::send_all(std::vector<Outgoing> several) {
  for (const auto& outgoing : several) frame(outgoing);
  return write_framed();
}

Task<Result<void>> FramedTransport::send_batch(std::vector<jsonrpc::Message> messages) {
  frame([&](std::string& out) {
    char before = '[';
    for (const auto& message : messages) {
      out += std::exchange(before, ',');
      jsonrpc::write(out, message);
    }
    out += ']';
  });
  return write_framed();
}

void FramedTransport::frame(const Outgoing& outgoing) {
  frame([&](std::string& out) { jsonrpc::write(out, outgoing.message); });
}

// A line is serialized in place; a message with a Content-Length separately first.
void FramedTransport::frame(const std::function<void(std::string&)>& write) {
  const auto framing = output_framing();
  if (framing == Framing::line) {
    const auto begin = framed_.size();
    write(framed_);
    log_sent(framing, std::string_view(framed_).substr(begin));
    framed_ += '\n';
    return;
  }
  text_.clear();
  write(text_);
  log_sent(framing, text_);
  append_frame(framed_, text_, framing);
}

// Complete messages in one write, and without a wait if the stream accepts all of it.
Task<Result<void>> FramedTransport::write_framed() {
  const auto written = stream_->write_now(framed_);
  if (written < framed_.size()) return write_rest(written);
  release_memory();
  return Result<void>();
}

Task<Result<void>> FramedTransport::write_rest(std::size_t written) {
  auto result = co_await stream_->write(std::string_view(framed_).substr(written));
  release_memory();
  co_return result;
}

// Keeps the memory of small buffers for the next message.
void FramedTransport::release_memory() {
  framed_.clear();
  release_if_large(text_);
  release_if_large(framed_);
}

void FramedTransport::close() noexcept {
  stream_->close();
}

}  // namespace fairlead::transport
