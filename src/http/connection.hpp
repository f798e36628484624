#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/request_reader.hpp"
#include "http/socket_stream.hpp"
#include "http/worker_listener.hpp"

namespace fairlead::http {

class ServerExchange;

/// One client connection: reads requests, handles them in order, and monitors the client meanwhile.
///
/// A response that is ready at once needs no coroutine. Kept alive by pending operations and by the coroutines of the
/// current request.
class Connection final : public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<WorkerListener> listener, RawSocket wire, std::string remote,
             std::shared_ptr<const Identity> certificate);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  void start();
  /// Continues with a request that another worker has read. `checked`: it passed the access checks.
  void adopt(std::unique_ptr<RequestReader> reader, std::string pending, bool checked);
  /// Sends 503 because of too many connections.
  void reject_overload();

  /// Closes the connection if a timeout has passed.
  void check_time(TimePoint now);
  /// Start of the idle time; nothing unless the connection is idle.
  std::optional<TimePoint> idle_since() const { return phase_ == Phase::idle ? std::optional(since_) : std::nullopt; }
  /// Closes an idle connection to make room for another.
  void shed() { close(); }
  /// Closes the connection if it is idle, else after the current request.
  void drain();
  void abort();

  // Used by the exchange.
  WorkerListener& listener() { return *listener_; }
  SocketStream& stream() { return stream_; }
  RequestReader& reader() { return *reader_; }
  /// True if another request may follow the current one.
  bool keeps_alive() const { return reader_->keep_alive() && !body_waits_ && !listener_->ending(); }
  ResponseFraming response_framing(BodyKind body, bool keep_alive);
  /// Appends the head of a complete response, and its body if it is short; a longer body stays in `response`.
  void append_whole(std::string& out, Response& response, bool stay);
  /// Set while the client does not read the response.
  void set_stalled(bool stalled);
  /// Stops HTTP parsing after an upgrade and returns the bytes read ahead.
  std::string detach_reader();

  std::size_t index() const { return index_; }
  void set_index(std::size_t index) { index_ = index; }

 private:
  // Of the result of `admit_later` for an accepted request; never sent.
  static constexpr std::uint16_t admitted_status = 0;

  enum class Phase : std::uint8_t { handshake, idle, head, body, writing, serving, upgraded, lingering, closed };
  enum class Next : std::uint8_t { read, serve, hand_off, end };
  /// Response data that was not written yet.
  struct Unsent {
    std::string head;
    std::string body;
    std::size_t sent = 0;
    std::optional<Response> next;  // Sent after this data.
  };

  void read_on();
  void on_readable();
  void on_bytes(std::string_view bytes);
  void on_peer_closed();
  void do_handshake();

  void consume(std::string_view bytes);
  void await_more_input();
  void refuse(const HttpParseError& fault);
  void respond_and_close(Response response);
  bool admit(std::string_view rest);
  std::optional<Response> refused_at_once(Request& request);
  Task<std::optional<Response>> refused(Request& request);
  static Task<Response> admit_later(Task<std::optional<Response>> checking);
  static Task<Response> handle_later(std::shared_ptr<Connection> self, Task<std::optional<Response>> checking);
  void read_body();
  bool answer(std::string_view rest, bool arrived);
  std::optional<Response> response_at_once(Request& request);
  bool queue_response(Response&& response, std::string_view rest);
  void defer(std::string_view rest, std::optional<Response> response);

  bool flush(std::string&& body);
  bool send(std::string_view head, std::string&& body);
  void write_on();
  void proceed(std::optional<Response> response = std::nullopt);
  void resume();

  std::optional<Response> start_handler(Task<Response> task);
  void on_response(TaskOutcome<Response>&& outcome);
  void serve(std::optional<Response> response);
  void finish(Response&& response);
  static Task<void> run(std::shared_ptr<Connection> self, std::unique_ptr<StreamedBody> stream);
  bool may_send_internal_error(const std::exception_ptr& failure);
  Response internal_error(const std::exception_ptr& failure);
  void report(const std::exception_ptr& failure);
  void after_exchange();
  void after_answer(bool stay);
  void hand_off();
  void end();
  void close();
  void enter(Phase phase);
  bool is_stuck();

  std::shared_ptr<WorkerListener> listener_;
  SocketStream stream_;
  std::string remote_;
  std::shared_ptr<const Identity> certificate_;  // Caller by its client certificate; null without one.
  std::unique_ptr<RequestReader> reader_;
  std::string pending_;  // Bytes after the current request.
  std::unique_ptr<Unsent> unsent_;
  std::optional<Response>* early_ = nullptr;  // Set while a handler runs up to its first wait: takes its response.
  TaskScope::Handle handling_;                // Set while a handler waits.
  ServerExchange* exchange_ = nullptr;        // Set while a response is streamed.
  std::shared_ptr<WorkerListener> destination_;
  TimePoint since_;  // Start of the phase, or its last progress.
  std::size_t index_ = 0;
  std::size_t lingered_ = 0;
  std::size_t queued_ = 0;  // Unacknowledged bytes at the last check.
  Phase phase_ = Phase::idle;
  Next next_ = Next::read;
  bool reading_ = false;  // A read is pending.
  bool hung_up_ = false;
  bool admitted_ = false;    // The head of the current request was accepted.
  bool body_waits_ = false;  // An access check runs before the body is read.
  bool stalled_ = false;
};

}  // namespace fairlead::http
