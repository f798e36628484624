#include "http/client_connection.hpp"

#include <array>
#include <utility>

#include "http/field_list.hpp"
#include "http/vectored_write.hpp"

namespace fairlead::http {
namespace {

constexpr HeadLimits head_limits{.bytes = 64 * 1024};

std::unexpected<Error> not_http(std::string_view why) {
  return fail(ErrorKind::malformed, "the server's response is not valid HTTP/1.1: " + std::string(why));
}

}  // namespace

Task<Result<void>> ClientConnection::exchange(std::string_view head, std::string_view body, bool is_head_request) {
  received_any_ = false;
  interim_ = 0;
  // In one system call if possible.
  std::array<std::string_view, 2> pieces{head, body};
  auto sent = write_vectored(*stream_, pieces);
  while (sent && !*sent) {
    auto ready = co_await stream_->writable();
    sent = ready ? write_vectored(*stream_, pieces) : std::unexpected(std::move(ready.error()));
  }
  wrote_all_ = sent.has_value();
  // A server may reject a request and close before it has read all of it.
  if (!sent && sent.error().kind != ErrorKind::closed) co_return std::unexpected(std::move(sent.error()));
  while (true) {
    auto complete = read_head(is_head_request);
    if (complete && !*complete) {
      auto ready = co_await stream_->readable();
      if (!ready) complete = std::unexpected(std::move(ready.error()));
      budget_.renew();
    }
    if (!complete) co_return std::unexpected(std::move(sent ? complete.error() : sent.error()));
    if (!*complete) continue;
    keep_alive_ = keep_alive_ && sent;
    co_return Result<void>();
  }
}

// Nothing if the stream must become readable first, also to serve other connections.
ClientConnection::ReadSize ClientConnection::read(std::span<char> buffer) {
  if (stream_->is_drained() || budget_.is_spent()) return std::nullopt;
  auto size = stream_->read_now(buffer);
  if (!size || !*size) return size;
  received_any_ = received_any_ || **size > 0;
  budget_.spend(**size);
  return size;
}

// False if the stream must become readable first. The buffer is on the stack of a plain function, so that a waiting
// connection has none. The bytes behind the head are copied once.
Result<bool> ClientConnection::read_head(bool is_head_request) {
  std::array<char, std::size_t{32} * 1024> buffer;
  while (true) {
    const auto size = read(buffer);
    if (!size) return std::unexpected(size.error());
    if (!*size) return false;
    if (**size == 0) return fail(ErrorKind::closed, "the server closed the connection without a response; try again");
    std::string_view bytes(buffer.data(), **size);
    const bool continues = !in_.empty();
    if (continues) bytes = in_.append(bytes);
    auto complete = parse_head(bytes, is_head_request);
    if (continues) {
      drop(in_.size() - bytes.size());
    } else {
      in_ = bytes;
    }
    if (!complete || *complete) return complete;
  }
}

// Removes what it parsed from `bytes`. False while bytes are missing.
Result<bool> ClientConnection::parse_head(std::string_view& bytes, bool is_head_request) {
  constexpr std::size_t usual = 16;
  std::vector<HeaderView> fields;
  fields.reserve(usual);
  while (true) {
    fields.clear();
    const auto parsed = parse_response_head(bytes, head_limits, fields);
    if (!parsed) return not_http(parsed.error().why);
    if (!*parsed) return false;
    const auto& head = **parsed;
    bytes.remove_prefix(head.size);
    // Interim responses, except 101.
    if (head.status >= 100 && head.status < 200 && head.status != 101) {
      if (++interim_ <= max_interim) continue;
      return not_http("it sent more than " + std::to_string(max_interim) + " interim responses (1xx) to one request");
    }
    if (auto begun = begin_body(head, fields, is_head_request); !begun) {
      return std::unexpected(std::move(begun.error()));
    }
    response_ = {.status = head.status};
    response_.headers.reserve(fields.size());
    for (const auto& [name, value] : fields) response_.headers.emplace_back(std::string(name), std::string(value));
    return true;
  }
}

// RFC 9112, section 6.3.
Result<void> ClientConnection::begin_body(const ResponseHead& head, std::span<const HeaderView> fields,
                                          bool is_head_request) {
  read_keep_alive(fields, head.minor);
  body_ = Body::none;
  const auto encoding = first_of(fields, "Content-Encoding").value_or("identity");
  if (!protocol::same_header(encoding, "identity")) return not_http("its body has an encoding that was not requested");
  const auto framing = parse_framing(fields, head.minor);
  if (!framing) return not_http(framing.error().why);
  if (is_head_request || head.status == 204 || head.status == 304 || head.status == 101) return {};
  if (framing->chunked) {
    body_ = Body::chunked;
    chunks_.emplace(std::numeric_limits<std::uint64_t>::max());
  } else if (framing->length) {
    left_ = *framing->length;
    if (left_ > 0) body_ = Body::counted;
  } else {
    body_ = Body::until_close;
  }
  return {};
}

Task<Result<std::string>> ClientConnection::wait_for_piece() {
  while (true) {
    const auto size = read_body();
    if (!size) co_return std::unexpected(size.error());
    if (!*size) {
      auto ready = co_await stream_->readable();
      if (!ready) co_return std::unexpected(std::move(ready.error()));
      budget_.renew();
      continue;
    }
    if (**size == 0) {
      if (body_ != Body::until_close)
        co_return fail(ErrorKind::closed, "the server closed the connection mid-response");
      body_ = Body::none;
      keep_alive_ = false;
    }
    auto piece = take_piece();
    if (!piece || !piece->empty() || finished()) co_return piece;
  }
}

// As in `read_head`, the buffer is on the stack.
ClientConnection::ReadSize ClientConnection::read_body() {
  std::array<char, std::size_t{32} * 1024> buffer;
  auto size = read(buffer);
  if (size && *size) in_.append(buffer.data(), **size);
  return size;
}

Result<std::string> ClientConnection::take_piece() {
  if (body_ == Body::none || in_.empty()) return std::string();
  if (body_ == Body::chunked) return take_chunked();
  if (body_ == Body::until_close) return std::exchange(in_, {});
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(in_.size(), left_));
  left_ -= size;
  if (left_ == 0) body_ = Body::none;
  return consume(size);
}

Result<std::string> ClientConnection::take_chunked() {
  std::string piece;
  std::string_view rest = in_;
  const auto done = chunks_->feed(rest, piece);
  if (!done) return not_http(done.error().why);
  drop(in_.size() - rest.size());
  if (*done) body_ = Body::none;
  return piece;
}

std::string ClientConnection::consume(std::size_t size) {
  if (size == in_.size()) return std::exchange(in_, {});
  auto taken = in_.substr(0, size);
  drop(size);
  return taken;
}

// Keeps no memory for an empty buffer.
void ClientConnection::drop(std::size_t size) {
  if (size == in_.size()) {
    in_ = {};
  } else {
    in_.erase(0, size);
  }
}

bool ClientConnection::is_idle() {
  std::array<char, 1> byte{};
  const auto size = stream_->read_now(byte);
  return size && !*size;
}

std::unique_ptr<Stream> ClientConnection::release(std::string& leftover) {
  leftover = std::exchange(in_, {});
  return std::move(stream_);
}

}  // namespace fairlead::http
