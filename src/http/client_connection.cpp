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

// Head and body are written in one system call if possible.
Result<bool> ClientConnection::begin(std::string_view head, std::string_view body) {
  received_any_ = false;
  interim_ = 0;
  to_send_ = {head, body};
  auto sent = write_vectored(*stream_, to_send_);
  wrote_all_ = sent && *sent;
  return sent;
}

Task<Result<ClientResponse>> ClientConnection::finish(Result<bool> sent, bool is_head_request) {
  while (sent && !*sent) {
    auto ready = co_await stream_->writable();
    sent = ready ? write_vectored(*stream_, to_send_) : std::unexpected(std::move(ready.error()));
  }
  wrote_all_ = sent.has_value();
  // A server may reject a request and close before it has read all of it.
  if (!sent && sent.error().kind != ErrorKind::closed) co_return std::unexpected(std::move(sent.error()));
  auto response = co_await read_head(is_head_request);
  if (!response && !sent) co_return std::unexpected(std::move(sent.error()));
  if (!sent) keep_alive_ = false;
  co_return response;
}

Task<Result<ClientResponse>> ClientConnection::read_head(bool is_head_request) {
  while (true) {
    auto response = parse_head(is_head_request);
    if (!response) co_return std::unexpected(std::move(response.error()));
    if (*response) co_return std::move(**response);
    auto more = co_await fill();
    if (!more) co_return std::unexpected(std::move(more.error()));
    if (!*more) co_return fail(ErrorKind::closed, "the server closed the connection without a response; try again");
  }
}

Result<std::optional<ClientResponse>> ClientConnection::parse_head(bool is_head_request) {
  while (true) {
    std::vector<HeaderView> fields;
    const auto parsed = parse_response_head(std::string_view(in_).substr(seen_), head_limits, fields);
    if (!parsed) return not_http(parsed.error().why);
    if (!*parsed) return std::nullopt;
    const auto& head = **parsed;
    ClientResponse response{.status = head.status};
    for (const auto& field : fields) response.headers.push_back({std::string(field.name), std::string(field.value)});
    // Interim responses, except 101.
    if (head.status >= 100 && head.status < 200 && head.status != 101) {
      if (++interim_ > max_interim) {
        return not_http("it sent more than " + std::to_string(max_interim) + " interim responses (1xx) to one request");
      }
      skip(head.size);
      continue;
    }
    if (auto begun = begin_body(head, fields, is_head_request); !begun) {
      return std::unexpected(std::move(begun.error()));
    }
    skip(head.size);
    return response;
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

Task<Result<std::string>> ClientConnection::next() {
  while (body_ != Body::none) {
    auto piece = body_ == Body::chunked ? take_chunked() : take_counted();
    if (!piece || !piece->empty() || body_ == Body::none) co_return piece;
    auto more = co_await fill();
    if (!more) co_return std::unexpected(std::move(more.error()));
    if (*more) continue;
    if (body_ != Body::until_close) co_return fail(ErrorKind::closed, "the server closed the connection mid-response");
    body_ = Body::none;
    keep_alive_ = false;
  }
  co_return std::string();
}

Result<std::string> ClientConnection::take_counted() {
  if (body_ == Body::until_close) return consume(unread());
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(unread(), left_));
  left_ -= size;
  if (left_ == 0) body_ = Body::none;
  return consume(size);
}

Result<std::string> ClientConnection::take_chunked() {
  std::string piece;
  auto rest = std::string_view(in_).substr(seen_);
  const auto done = chunks_->feed(rest, piece);
  if (!done) return not_http(done.error().why);
  consume(unread() - rest.size());
  if (*done) body_ = Body::none;
  return piece;
}

std::string ClientConnection::consume(std::size_t size) {
  if (seen_ == 0 && size == in_.size()) return std::exchange(in_, {});
  auto taken = in_.substr(seen_, size);
  skip(size);
  return taken;
}

void ClientConnection::skip(std::size_t size) {
  seen_ += size;
  if (seen_ < in_.size()) return;
  in_ = {};
  seen_ = 0;
}

// False at the end of the stream. Yields to the loop, so that a fast server does not starve other connections.
Task<Result<bool>> ClientConnection::fill() {
  while (true) {
    if (broken_) co_return std::unexpected(std::move(*std::exchange(broken_, nullptr)));
    if (!stream_->is_drained() && !budget_.is_spent()) {
      auto size = fill_now();
      if (!size) co_return std::unexpected(std::move(size.error()));
      if (*size) co_return **size > 0;
    }
    if (auto ready = co_await stream_->readable(); !ready) co_return std::unexpected(std::move(ready.error()));
    budget_.renew();
  }
}

// The buffer is on the stack of a plain function, so that a waiting connection has none.
Result<std::optional<std::size_t>> ClientConnection::fill_now() {
  std::array<char, std::size_t{32} * 1024> buffer;
  auto size = stream_->read_now(buffer);
  if (!size || !*size) return size;
  received_any_ = received_any_ || **size > 0;
  budget_.spend(**size);
  in_.append(buffer.data(), **size);
  return size;
}

std::optional<WholeAnswer> ClientConnection::read_whole(std::span<char> buffer, std::string_view type,
                                                        std::size_t max_size) {
  auto size = stream_->read_now(buffer);
  if (!size) broken_ = std::make_unique<Error>(std::move(size.error()));
  // Repeats the end of the stream.
  if (!size || size->value_or(0) == 0) return std::nullopt;
  received_any_ = true;
  const std::string_view bytes(buffer.data(), **size);
  std::optional<WholeAnswer> answer(std::in_place);
  if (begins_whole(bytes, *answer, type) && left_ <= max_size) {
    answer->body = bytes.substr(bytes.size() - left_);
    body_ = Body::none;
  } else {
    in_.append(bytes);
    answer.reset();
  }
  return answer;
}

bool ClientConnection::begins_whole(std::string_view bytes, WholeAnswer& answer, std::string_view type) {
  constexpr std::size_t usual = 16;
  answer.headers.reserve(usual);
  const auto parsed = parse_response_head(bytes, head_limits, answer.headers);
  if (!parsed || !*parsed || (*parsed)->status != 200) return false;
  const auto& head = **parsed;
  const auto media_type = without_parameters(answer.header("Content-Type").value_or(""));
  if (!protocol::same_header(media_type, type) || !begin_body(head, answer.headers, false)) return false;
  return body_ == Body::counted && left_ == bytes.size() - head.size;
}

bool ClientConnection::is_idle() {
  std::array<char, 1> byte{};
  const auto size = stream_->read_now(byte);
  return size && !*size;
}

std::unique_ptr<Stream> ClientConnection::release(std::string& leftover) {
  leftover = consume(unread());
  return std::move(stream_);
}

}  // namespace fairlead::http
