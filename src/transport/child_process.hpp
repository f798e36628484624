#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/transport/child.hpp>
#include <fairlead/transport/descriptor_stream.hpp>
#include <optional>

#include "base/async_event.hpp"
#include "base/output_tail.hpp"
#include "transport/pipe_reader.hpp"
#include "transport/spawn.hpp"

namespace fairlead::transport {

/// A child process: detects its exit, reads its stderr, and stops it on request.
///
/// Shared with the loop, which keeps it until the child was reaped.
class ChildProcess : public std::enable_shared_from_this<ChildProcess>, NonCopyable {
 public:
  ChildProcess(const EventLoop& loop, const ChildOptions& options, Spawned spawned);
  /// Kills and reaps a child that is still running.
  ~ChildProcess();

  /// Call once, first.
  void watch();

  DescriptorStream& pipes() { return pipes_; }
  pid_t pid() const { return pid_; }
  const std::optional<ExitStatus>& status() const { return status_; }

  Task<Result<ExitStatus>> wait();
  /// Returns the error for a closed pipe, with the exit status. Waits briefly for the exit, because pipes close before
  /// the process exits.
  Task<Error> exit_error(Error otherwise);

  /// See ChildTransport.
  Diagnosis diagnosis() const;
  /// Logs a line on stdout that is not a message; keeps the first one for the diagnosis.
  void note_stray_output(std::string_view text);

  /// Stops the child in steps: close stdin, SIGTERM, SIGKILL.
  void end();
  /// Kills the child at once; no callbacks follow.
  void kill();

 private:
  void wait_for_end();
  void next_stop_step();
  void signal_group(int signal) const;
  void ended();
  void reap();
  void on_stderr_bytes(std::string_view bytes);
  void emit_stderr_line();
  void hide_secrets(Redactor& redactor) const;

  EventLoop loop_;
  std::vector<std::string> command_;
  std::map<std::string, std::string> environment_;
  std::function<void(std::string_view)> on_stderr_;
  std::string name_;
  std::size_t max_line_;
  Duration exit_timeout_;
  pid_t pid_;
  boost::asio::posix::stream_descriptor watch_;
  DescriptorStream pipes_;
  std::shared_ptr<PipeReader> errors_;
  std::shared_ptr<PipeReader> last_output_;  // Drains stdout after the transport was closed.
  std::string line_;                         // Incomplete line of stderr.
  OutputTail tail_;                          // Last lines of stderr, for the diagnosis.
  std::string stray_output_;                 // The first line on stdout that was not a message.
  std::size_t stray_lines_ = 0;
  std::optional<ExitStatus> status_;
  AsyncEvent exited_;
  int stop_step_ = 0;  // 0: running.
  std::optional<Timer> timer_;
};

}  // namespace fairlead::transport
