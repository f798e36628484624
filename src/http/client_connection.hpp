#pragma once

#include <array>
#include <cstdint>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/http/client.hpp>
#include <fairlead/http/stream.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/read_budget.hpp"
#include "http/chunked.hpp"
#include "http/head_parser.hpp"

namespace fairlead::http {

/// A client connection, for one request at a time.
class ClientConnection {
 public:
  static constexpr std::size_t max_interim = 100;

  explicit ClientConnection(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}

  /// Sends a request and reads the response head. Skips up to `max_interim` interim responses; `malformed` beyond.
  /// `head` and `body` outlive the call.
  Task<Result<ClientResponse>> exchange(std::string_view head, std::string_view body, bool is_head_request) {
    return finish(begin(head, body), is_head_request);
  }

  /// `exchange` in two steps. `begin` writes what the socket accepts; true if that is everything.
  Result<bool> begin(std::string_view head, std::string_view body);
  Task<Result<ClientResponse>> finish(Result<bool> sent, bool is_head_request);
  /// Alternative to `finish` once all was sent and the socket is readable: returns a response of status 200 and this
  /// type if one read returns exactly all of it, as views into `buffer`. Otherwise `finish` continues with the bytes
  /// read.
  std::optional<WholeAnswer> read_whole(std::span<char> buffer, std::string_view type, std::size_t max_size);

  /// Returns the next piece of the body; empty at its end.
  Task<Result<std::string>> next();

  /// True if a failed request cannot have reached the server completely.
  bool unsent() const { return !wrote_all_; }
  /// True if the server sent anything.
  bool received_any() const { return received_any_; }
  /// True once the body was read completely.
  bool finished() const { return body_ == Body::none; }
  /// True if another request may be sent.
  bool reusable() const { return finished() && keep_alive_ && unread() == 0; }
  /// True if the server has neither closed the connection nor sent data since.
  bool is_idle();
  std::optional<Duration> keep_alive_hint() const { return hint_; }

  Stream& stream() { return *stream_; }
  /// After a protocol upgrade: returns the stream and the bytes that were read beyond the head.
  std::unique_ptr<Stream> release(std::string& leftover);

 private:
  enum class Body : std::uint8_t { none, counted, chunked, until_close };

  Task<Result<ClientResponse>> read_head(bool is_head_request);
  Result<std::optional<ClientResponse>> parse_head(bool is_head_request);
  Result<void> begin_body(const ResponseHead& head, std::span<const HeaderView> fields, bool is_head_request);
  bool begins_whole(std::string_view bytes, WholeAnswer& answer, std::string_view type);
  void read_keep_alive(std::span<const HeaderView> fields, unsigned minor);
  Task<Result<bool>> fill();
  Result<std::optional<std::size_t>> fill_now();
  std::size_t unread() const { return in_.size() - seen_; }
  std::string consume(std::size_t size);
  void skip(std::size_t size);
  Result<std::string> take_counted();
  Result<std::string> take_chunked();

  std::unique_ptr<Stream> stream_;
  std::string in_;        // Bytes read from the socket.
  std::size_t seen_ = 0;  // Number of bytes of `in_` already consumed.
  std::array<std::string_view, 2> to_send_ = {};
  ReadBudget budget_;
  std::size_t interim_ = 0;        // 1xx responses to the current request.
  std::unique_ptr<Error> broken_;  // Error of a read, reported by the next one.
  bool wrote_all_ = false;
  bool received_any_ = false;
  bool keep_alive_ = false;
  std::optional<Duration> hint_;
  Body body_ = Body::none;
  std::uint64_t left_ = 0;  // Remaining bytes of a body with Content-Length.
  std::optional<ChunkedDecoder> chunks_;
};

}  // namespace fairlead::http
