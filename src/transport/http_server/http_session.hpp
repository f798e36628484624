#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/store/event_log.hpp>
#include <fairlead/transport/session_factory.hpp>
#include <fairlead/transport/transport.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transport/http_server/push_transport.hpp"
#include "transport/http_server/response_channel.hpp"
#include "transport/http_server/response_writer.hpp"

namespace fairlead::transport {

/// Settings of all sessions of an endpoint, which outlive them.
struct SessionSettings {
  store::EventLogLimits log = {};
  std::chrono::milliseconds retry = std::chrono::seconds{1};
  std::shared_ptr<store::SharedTextCache> texts = std::make_shared<store::SharedTextCache>();
};

/// The ids of requests. One, which is the usual case, needs no memory of its own.
class RequestIds {
 public:
  void add(jsonrpc::Id id) { one_ ? more_.push_back(std::move(id)) : void(one_ = std::move(id)); }
  void remove(const jsonrpc::Id& id) {
    if (one_ == id) one_.reset();
    std::erase(more_, id);
  }
  void clear() { *this = {}; }
  bool empty() const { return !one_ && more_.empty(); }
  bool contains(const jsonrpc::Id& id) const { return one_ == id || std::ranges::find(more_, id) != more_.end(); }
  std::vector<jsonrpc::Id> all() const {
    std::vector<jsonrpc::Id> ids;
    if (one_) ids.push_back(*one_);
    ids.insert(ids.end(), more_.begin(), more_.end());
    return ids;
  }

 private:
  std::optional<jsonrpc::Id> one_;
  std::vector<jsonrpc::Id> more_;
};

/// A stream of a session: the response to a POST, or (number 0) the GET stream for server messages. May have no
/// connection.
struct HttpStream {
  std::uint32_t number = 0;
  RequestIds pending_ids = {};                    ///< Requests of the client that are answered on this stream.
  std::shared_ptr<ResponseChannel> channel = {};  ///< Null while no connection reads the stream.
  std::uint64_t last = 0;                         ///< Sequence number of the newest event.
  std::uint64_t last_sent = 0;                    ///< Sequence number of the newest event that was sent.
  bool resumable = false;                         ///< The client has received an event id, so it can resume the stream.
};

/// A session from `initialize` to DELETE over any number of HTTP requests. Passes messages to the server session, and
/// sends each outgoing message on the stream that it belongs to.
class HttpSession final : public PushTransport, public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(EventLoop loop, std::string id, std::string principal, const SessionSettings& settings)
      : loop_(loop), settings_(settings), id_(std::move(id)), principal_(std::move(principal)) {}
  ~HttpSession() override { close(); }

  const std::string& id() const { return id_; }
  const std::string& principal() const { return principal_; }

  /// True while a request is pending or a stream is open.
  bool busy() const { return !streams_.empty() || (server_stream_.channel && !server_stream_.channel->closed()); }
  bool closed() const { return closed_; }
  /// Marks the session as ending; true if it already was.
  bool ending() { return std::exchange(ending_, true); }
  /// True once `initialize` has succeeded.
  bool opened() const { return opened_; }

  void set_server_session(std::unique_ptr<ServerSession> session) { server_session_ = std::move(session); }
  ServerSession& server_session() { return *server_session_; }

  Task<Result<void>> send(Outgoing outgoing) override;
  Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) override;
  void release_stream(const jsonrpc::Id& request) noexcept override;
  void on_request_cancelled(const jsonrpc::Id& request) noexcept override;
  void close() noexcept override;

  /// True if a request with this id is pending.
  bool awaits(const jsonrpc::Id& id) const;

  /// Handles the requests of one POST. The response is JSON if it is the first message, else an event stream; it
  /// becomes one after `keep_alive` without a message. `owner` is kept until the response was written.
  Task<http::Response> respond(Received&& body, Duration keep_alive, std::shared_ptr<void> owner = nullptr);

  /// Position from which a GET without Last-Event-ID continues.
  store::EventId unread() const { return {.stream = 0, .sequence = server_stream_.last_sent}; }

  /// Replays the events of a stream after `from` on `channel` and attaches the channel to the stream; a previous reader
  /// is disconnected. Returns false if the stream does not exist.
  Task<bool> follow(std::shared_ptr<ResponseChannel> channel, store::EventId from);

  /// Detaches a channel from its stream.
  void detach(std::uint32_t number, const ResponseChannel& channel);

  /// First event and keep-alive of a stream that starts at `from`; `again` if that event id may have been sent before.
  StreamStart start(store::EventId from, Duration keep_alive, bool again);

 private:
  /// A POST whose requests are being passed to the server session. The stream is opened when a message needs one.
  struct StartingPost {
    const jsonrpc::Id* id = nullptr;           ///< Of a single request that has no stream yet.
    std::optional<http::Response> whole = {};  ///< Its response, if that was sent before a stream was needed.
    std::uint32_t number = 0;                  ///< Of the stream.
    std::shared_ptr<ResponseChannel> channel = {};
  };
  struct AttachedStream;

  /// Without requests.
  HttpStream& open_stream(StartingPost& post);
  bool is_starting(const jsonrpc::Id& id) const { return starting_ && starting_->id && *starting_->id == id; }
  HttpStream* find(std::uint32_t number);
  HttpStream* find(const jsonrpc::Id& id);
  HttpStream* stream_of(const Outgoing& outgoing);
  Task<Result<void>> send_when_writable(Outgoing outgoing);
  void send_on(HttpStream& stream, const jsonrpc::Message& message);
  http::Response response_with(const jsonrpc::Message& answer);
  void write(HttpStream& stream, http::Response&& whole, const jsonrpc::Id* answered = nullptr);
  void drop_stalled_channel(HttpStream& stream);
  void write_event(HttpStream& stream, std::string text, const jsonrpc::Id* answered = nullptr);
  store::SharedText to_keep(const store::SharedText& text, const jsonrpc::Id* answered) const;
  void end(HttpStream& stream);
  std::string id_text(store::EventId id) const;

  EventLoop loop_;
  const SessionSettings& settings_;
  std::string id_;
  std::string principal_;
  std::unique_ptr<ServerSession> server_session_;
  std::vector<HttpStream> streams_;
  HttpStream server_stream_;
  std::unique_ptr<store::EventLog> log_;  // Created with the first event.
  std::uint32_t last_number_ = 0;         // Number of the newest stream.
  std::uint32_t openings_ = 0;            // Number of streams opened by GET.
  StartingPost* starting_ = nullptr;
  bool opened_ = false;
  bool closed_ = false;
  bool ending_ = false;
};

}  // namespace fairlead::transport
