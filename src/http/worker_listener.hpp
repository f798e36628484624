#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/listener.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "http/listener_policy.hpp"
#include "http/request_reader.hpp"
#include "http/response_head.hpp"
#include "http/socket_stream.hpp"

namespace fairlead::http {

class Connection;

/// A connection that is handed off to another worker, with a complete request.
struct ConnectionHandoff {
  RawSocket wire;
  std::string remote;
  std::shared_ptr<const Identity> certificate;
  std::unique_ptr<RequestReader> reader;
  std::string pending;
  bool checked;  ///< The request passed the access checks. If not, the other worker runs them.
};

/// The part of a listener on one worker: accepts connections and owns the state that they share.
class WorkerListener final : public std::enable_shared_from_this<WorkerListener> {
 public:
  using Siblings = std::vector<std::weak_ptr<WorkerListener>>;

  WorkerListener(EventLoop loop, boost::asio::io_context& context, std::size_t index,
                 std::shared_ptr<ListenerPolicy> policy);
  WorkerListener(const WorkerListener&) = delete;
  WorkerListener& operator=(const WorkerListener&) = delete;
  ~WorkerListener();

  // Thread-safe; the work runs on the loop.
  void start(Descriptor socket, MakeHandler make_handler, std::shared_ptr<const Siblings> siblings);
  void adopt(ConnectionHandoff passage);
  /// Calls `done` on the loop once all connections are closed.
  void end(Duration drain, std::function<void()> done);

  // Used by connections, on the loop.
  const EventLoop& loop() const { return loop_; }
  boost::asio::io_context& context() { return context_; }
  const ListenerPolicy& policy() const { return *policy_; }
  Handler& handler() { return *handler_; }
  TaskScope& scope() { return scope_; }
  TimePoint now() const { return loop_.timers.clock().now(); }
  bool ending() const { return ending_; }
  /// Returns the worker `index` if it is not this one; else null.
  std::shared_ptr<WorkerListener> other_worker(const Request& request) const;

  /// Shared buffers for reads and writes that do not wait: valid until the next suspension.
  std::span<char> input() { return input_; }
  std::string& output() { return output_; }
  DateCache& date() { return date_; }
  std::unique_ptr<RequestReader> acquire_reader();
  void release_reader(std::unique_ptr<RequestReader> reader);

  void add(Connection& connection);
  void remove(Connection& connection);

 private:
  using Native = boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type>;

  void begin(Descriptor socket, const MakeHandler& make_handler, std::shared_ptr<const Siblings> siblings);
  void wait_for_connections();
  void accept();
  void on_accept(Descriptor socket, std::string remote);
  /// Closes idle connections until `peer` can use a descriptor that is not reserved.
  Descriptor move_below_reserved(Descriptor peer);
  bool close_longest_idle();
  void check_timeouts();
  void begin_end(Duration drain, std::function<void()> done);
  void abort();
  void finish_if_empty();
  static Task<void> close_handler(std::shared_ptr<WorkerListener> self);
  std::vector<std::shared_ptr<Connection>> connections() const;

  EventLoop loop_;
  boost::asio::io_context& context_;
  std::size_t index_;
  int first_reserved_;  // Descriptors from this number on are reserved for other uses than idle connections.
  std::shared_ptr<ListenerPolicy> policy_;
  std::shared_ptr<const Siblings> siblings_;
  Native listening_;
  std::unique_ptr<Handler> handler_;
  TaskScope scope_;
  TaskScope closing_;  // A separate scope: that of the connections may be cancelled already.
  std::vector<Connection*> connections_;
  std::size_t peak_connections_ = 0;  // Peak since memory was last released.
  std::vector<char> input_;
  std::string output_;
  DateCache date_;
  std::vector<std::unique_ptr<RequestReader>> readers_;
  Timer timeout_timer_;
  Timer accept_again_;
  Timer drain_deadline_;
  bool ending_ = false;
  std::vector<std::function<void()>> when_ended_;
};

}  // namespace fairlead::http
