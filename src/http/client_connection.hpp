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

/// A connection to a server, for one request at a time.
class ClientConnection {
 public:
  static constexpr std::size_t max_interim = 100;

  explicit ClientConnection(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}

  /// Sends a request and reads the head of its answer. Interim answers are skipped, up to `max_interim` of them:
  /// `malformed` beyond. `head` and `body` outlive the call.
  Task<Result<ClientResponse>> exchange(std::string_view head, std::string_view body, bool is_head_request) {
    return finish(begin(head, body), is_head_request);
  }

  /// The same in two steps. The first sends what the socket takes at once: true if that is all.
  Result<bool> begin(std::string_view head, std::string_view body);
  Task<Result<ClientResponse>> finish(Result<bool> sent, bool is_head_request);
  /// Or, if all was sent and there is something to read: an answer of status 200 and this type, if one read brings all
  /// of it and no more, in views of `buffer`. If not, `finish` begins with what was read.
  std::optional<WholeAnswer> read_whole(std::span<char> buffer, std::string_view type, std::size_t max_size);

  /// The next piece of the body; empty at its end.
  Task<Result<std::string>> next();

  /// Whether an exchange that failed cannot have reached the server, or at least not whole.
  bool unsent() const { return !wrote_all_; }
  /// Whether anything came back.
  bool heard() const { return heard_; }
  /// Whether the body has been read to its end.
  bool finished() const { return body_ == Body::none; }
  /// Whether another request may follow.
  bool reusable() const { return finished() && keep_alive_ && unread() == 0; }
  /// Whether the server has neither closed nor said anything since.
  bool is_quiet();
  std::optional<Duration> keep_alive_hint() const { return hint_; }

  Stream& stream() { return *stream_; }
  /// After a switch of protocols: the stream, and what was read of it too far.
  std::unique_ptr<Stream> release(std::string& leftover);

 private:
  enum class Body : std::uint8_t { none, counted, chunked, until_close };

  Task<Result<ClientResponse>> read_head(bool is_head_request);
  Result<std::optional<ClientResponse>> parse_head(bool is_head_request);
  Result<void> begin_body(const ResponseHead& head, std::span<const HeaderView> fields, bool is_head_request);
  bool begins_whole(std::string_view bytes, WholeAnswer& answer, std::string_view type);
  void note_connection(std::span<const HeaderView> fields, unsigned minor);
  Task<Result<bool>> fill();
  Result<std::optional<std::size_t>> fill_now();
  std::size_t unread() const { return in_.size() - seen_; }
  std::string take(std::size_t size);
  void pass(std::size_t size);
  Result<std::string> take_counted();
  Result<std::string> take_chunked();

  std::unique_ptr<Stream> stream_;
  std::string in_;        // Bytes that were read; not looked at
  std::size_t seen_ = 0;  // from here on.
  std::array<std::string_view, 2> to_send_ = {};
  ReadBudget budget_;
  std::size_t interim_ = 0;        // Answers 1xx to the request under way.
  std::unique_ptr<Error> broken_;  // By a read; the next one tells.
  bool wrote_all_ = false;
  bool heard_ = false;
  bool keep_alive_ = false;
  std::optional<Duration> hint_;
  Body body_ = Body::none;
  std::uint64_t left_ = 0;  // Of a counted body.
  std::optional<ChunkedDecoder> chunks_;
};

}  // namespace fairlead::http
