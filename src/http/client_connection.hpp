#pragma once

#include <fairlead/http/client.hpp>
#include <fairlead/http/stream.hpp>

#include "base/read_budget.hpp"
#include "http/chunked.hpp"
#include "http/head_parser.hpp"

namespace fairlead::http {

/// A client connection, for one request at a time.
class ClientConnection {
 public:
  static constexpr std::size_t max_interim = 100;

  explicit ClientConnection(std::unique_ptr<Stream> stream, std::string origin = {}, bool is_private = false)
      : stream_(std::move(stream)), origin_(std::move(origin)), is_private_(is_private) {}

  /// Sends a request and reads the response head. Skips up to `max_interim` interim responses; `malformed` beyond.
  /// `head` and `body` outlive the call.
  Task<Result<void>> exchange(std::string_view head, std::string_view body, bool is_head_request);
  /// The response head of the last `exchange`. May be moved from.
  ClientResponse& response() { return response_; }

  /// Returns the piece of the body that was already received; may be empty before the end.
  Result<std::string> take_piece();
  /// Waits for the next piece; empty at the end of the body.
  Task<Result<std::string>> wait_for_piece();

  /// True if a failed request cannot have reached the server completely.
  bool unsent() const { return !wrote_all_; }
  /// True if the server sent anything.
  bool received_any() const { return received_any_; }
  /// True once the body was read completely.
  bool finished() const { return body_ == Body::none; }
  /// True if another request may be sent.
  bool reusable() const { return finished() && keep_alive_ && in_.empty(); }
  /// True if the server has neither closed the connection nor sent data since.
  bool is_idle();
  std::optional<Duration> keep_alive_hint() const { return hint_; }
  const std::string& origin() const { return origin_; }
  /// True if the address of the server is not routed on the Internet.
  bool is_private() const { return is_private_; }

  Stream& stream() { return *stream_; }
  /// After a protocol upgrade: returns the stream and the bytes that were read beyond the head.
  std::unique_ptr<Stream> release(std::string& leftover);

 private:
  enum class Body : std::uint8_t { none, counted, chunked, until_close };

  using ReadSize = Result<std::optional<std::size_t>>;

  ReadSize read(std::span<char> buffer);
  Result<bool> read_head(bool is_head_request);
  Result<bool> parse_head(std::string_view& bytes, bool is_head_request);
  Result<void> begin_body(const ResponseHead& head, std::span<const HeaderView> fields, bool is_head_request);
  void read_keep_alive(std::span<const HeaderView> fields, unsigned minor);
  ReadSize read_body();
  Result<std::string> take_chunked();
  std::string consume(std::size_t size);
  void drop(std::size_t size);

  std::unique_ptr<Stream> stream_;
  std::string origin_;  // Of the server, for the pool.
  bool is_private_;
  std::string in_;  // Bytes received and not yet consumed.
  ClientResponse response_;
  ReadBudget budget_;
  std::size_t interim_ = 0;  // 1xx responses to the current request.
  bool wrote_all_ = false;
  bool received_any_ = false;
  bool keep_alive_ = false;
  std::optional<Duration> hint_;
  Body body_ = Body::none;
  std::uint64_t left_ = 0;  // Remaining bytes of a body with Content-Length.
  std::optional<ChunkedDecoder> chunks_;
};

}  // namespace fairlead::http
