#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/listener.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "http/listen_rules.hpp"
#include "http/request_reader.hpp"
#include "http/response_head.hpp"
#include "http/socket_stream.hpp"

namespace fairlead::http {

class Connection;

/// A connection on its way to another worker, with a request that is whole and has been let in.
struct Passage {
  Wire wire;
  std::string remote;
  std::string subject;
  std::unique_ptr<RequestReader> reader;
  std::string pending;
};

/// One worker's share of a listener: it accepts, and owns what its connections have in common.
class WorkerListener final : public std::enable_shared_from_this<WorkerListener> {
 public:
  using Siblings = std::vector<std::weak_ptr<WorkerListener>>;

  WorkerListener(Loop loop, boost::asio::io_context& context, std::size_t index, std::shared_ptr<ListenRules> rules);
  WorkerListener(const WorkerListener&) = delete;
  WorkerListener& operator=(const WorkerListener&) = delete;
  ~WorkerListener();

  // From any thread; what happens, happens on the loop.
  void start(Descriptor socket, MakeHandler make_handler, std::shared_ptr<const Siblings> siblings);
  void adopt(Passage passage);
  /// `done` is called on the loop, once nothing is open any more.
  void end(Duration drain, std::function<void()> done);

  // For connections, on the loop.
  const Loop& loop() const { return loop_; }
  boost::asio::io_context& context() { return context_; }
  const ListenRules& rules() const { return *rules_; }
  Handler& handler() { return *handler_; }
  TaskScope& scope() { return scope_; }
  TimePoint now() const { return loop_.timers.clock().now(); }
  bool ending() const { return ending_; }
  /// The worker that a request belongs to, if it is another than this one.
  std::shared_ptr<WorkerListener> elsewhere(std::optional<std::size_t> home) const;

  /// For what is read and written without waiting in between: nobody else's bytes are in there meanwhile.
  std::span<char> input() { return input_; }
  std::string& output() { return output_; }
  DateLine& date() { return date_; }
  std::unique_ptr<RequestReader> borrow_reader();
  void give_back(std::unique_ptr<RequestReader> reader);

  void enter(Connection& connection);
  void leave(Connection& connection);

 private:
  using Native = boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type>;

  void begin(Descriptor socket, const MakeHandler& make_handler, std::shared_ptr<const Siblings> siblings);
  void wait_for_peers();
  void accept();
  void welcome(Descriptor socket, std::string remote);
  bool shed_longest_idle();
  void sweep();
  void begin_end(Duration drain, std::function<void()> done);
  void cut();
  void finish_if_empty();
  static Task<void> close_handler(std::shared_ptr<WorkerListener> self);
  std::vector<std::shared_ptr<Connection>> connections() const;

  Loop loop_;
  boost::asio::io_context& context_;
  std::size_t index_;
  std::shared_ptr<ListenRules> rules_;
  std::shared_ptr<const Siblings> siblings_;
  Native listening_;
  std::unique_ptr<Handler> handler_;
  TaskScope scope_;
  TaskScope closing_;  // Of its own: the connections' may be cancelled by then.
  std::vector<Connection*> connections_;
  std::size_t most_present_ = 0;  // Since memory was last given back.
  std::vector<char> input_;
  std::string output_;
  DateLine date_;
  std::vector<std::unique_ptr<RequestReader>> readers_;
  Timer sweeper_;
  Timer accept_again_;
  Timer last_call_;
  bool ending_ = false;
  std::vector<std::function<void()>> when_ended_;
};

}  // namespace fairlead::http
