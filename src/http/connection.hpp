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

/// One client's connection: reads requests, has them answered in their order, and watches the client meanwhile.
///
/// What can be answered at once takes no coroutine. Alive as long as an operation or a served request holds it.
class Connection final : public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<WorkerListener> listener, Wire wire, std::string remote, std::string subject);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  void start();
  /// Goes on with a request that another worker has read.
  void arrive(std::unique_ptr<RequestReader> reader, std::string pending);
  /// Tells a client that there are too many.
  void turn_away();

  /// Ends what has taken too long.
  void check_time(TimePoint now);
  /// Since when it has waited for a request that has not begun; nothing while it does anything else.
  std::optional<TimePoint> idle_since() const { return phase_ == Phase::idle ? std::optional(since_) : std::nullopt; }
  /// Makes room for another, as if it had been idle for too long.
  void shed() { close(); }
  /// Closes what is idle; what is under way is the last.
  void drain();
  void cut();

  // For the exchange.
  WorkerListener& listener() { return *listener_; }
  SocketStream& stream() { return stream_; }
  RequestReader& reader() { return *reader_; }
  /// Whether another request may follow the one under way.
  bool stays() const { return reader_->keep_alive() && !listener_->ending(); }
  Delivery delivery(BodyKind body, bool keep_alive);
  /// The head of a whole answer, and its body behind it where that is short; what is left of the body goes along.
  void append_whole(std::string& out, Response& response, bool stay);
  /// The client does not take what it is sent, or does again.
  void set_stalled(bool stalled);
  /// The rest of the conversation is no HTTP any more; what has arrived of it already.
  std::string give_up_reading();

  std::size_t place() const { return place_; }
  void set_place(std::size_t place) { place_ = place; }

 private:
  enum class Phase : std::uint8_t { handshake, idle, head, body, writing, serving, upgraded, lingering, closed };
  enum class Next : std::uint8_t { read, serve, depart, end };
  /// What the client has not taken yet.
  struct Unsent {
    std::string head;
    std::string body;
    std::size_t sent = 0;
  };

  void read_on();
  void on_readable();
  void on_bytes(std::string_view bytes);
  void on_hang_up();
  void shake_hands();

  void take(std::string_view bytes);
  void settle();
  void refuse(const HttpFault& fault);
  void dismiss(Response response);
  bool admit();
  std::optional<Response> refused(Request& request);
  bool answer(std::string_view rest, bool arrived);
  std::optional<Response> answer_at_once(Request& request, bool arrived);
  bool put(Response response, std::string_view rest);
  void hold(std::string_view rest, Next next);

  bool flush(std::string body);
  bool send(std::string_view head, std::string body);
  void write_on();
  void proceed();
  void resume();

  void serve();
  void start_later();
  bool awaits_answer() const { return later_ != nullptr && exchange_ == nullptr; }
  void on_answer();
  void finish(Response response);
  void serve_in_time();
  Task<void> write_answer(ServerExchange& exchange);
  static Task<void> run(std::shared_ptr<Connection> self);
  bool may_apologise(const std::exception_ptr& failure);
  void report(const std::exception_ptr& failure);
  void after_exchange();
  void after_answer(bool stay);
  void depart();
  void end();
  void close();
  void enter(Phase phase);
  bool is_stuck();

  std::shared_ptr<WorkerListener> listener_;
  SocketStream stream_;
  std::string remote_;
  std::string subject_;  // Whom a client certificate names.
  std::unique_ptr<RequestReader> reader_;
  std::string pending_;  // Bytes behind the request under way.
  std::unique_ptr<Unsent> unsent_;
  std::shared_ptr<LaterAnswer> later_;
  ServerExchange* exchange_ = nullptr;
  std::shared_ptr<Connection> held_;  // By itself, where an answer is to come and nobody reads.
  std::shared_ptr<WorkerListener> destination_;
  TimePoint since_;  // Of the phase, or of the last progress in it.
  std::size_t place_ = 0;
  std::size_t lingered_ = 0;
  std::size_t queued_ = 0;  // What the kernel still held when last asked.
  Phase phase_ = Phase::idle;
  Next next_ = Next::read;
  bool reading_ = false;  // Somebody waits for bytes.
  bool hung_up_ = false;
  bool admitted_ = false;  // The request under way, by its head.
  bool stalled_ = false;
};

}  // namespace fairlead::http
