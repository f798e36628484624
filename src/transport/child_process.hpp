#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/transport/child.hpp>
#include <fairlead/transport/descriptor_stream.hpp>
#include <memory>
#include <optional>
#include <string>

#include "base/bell.hpp"
#include "base/output_tail.hpp"
#include "transport/drain.hpp"
#include "transport/spawn.hpp"

namespace fairlead::transport {

/// A running child: notices its end, reads its stderr, and ends it on request.
///
/// Shared with the loop, which keeps it until the child is gone and reaped.
class ChildProcess : public std::enable_shared_from_this<ChildProcess> {
 public:
  ChildProcess(const Loop& loop, const ChildOptions& options, Spawned spawned);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// A child that nobody could wait for is killed and waited for here.
  ~ChildProcess();

  /// Once, before anything else.
  void watch();

  DescriptorStream& pipes() { return pipes_; }
  pid_t pid() const { return pid_; }
  const std::optional<ExitStatus>& status() const { return status_; }

  Task<Result<ExitStatus>> wait();
  /// Why nothing more comes from the child or goes to it, as an error. Gives it a moment to end, because pipes close
  /// before processes do.
  Task<Error> last_words(Error otherwise);

  /// See ChildTransport.
  Diagnosis diagnosis() const;
  /// A line on stdout that is not a message: logs it, and keeps the first for the diagnosis.
  void note_stray_output(std::string_view text);

  /// Starts down the ladder: stdin closed, SIGTERM, SIGKILL.
  void end();
  /// At once, and with nothing more to be heard of it.
  void kill();

 private:
  void wait_for_end();
  void next_rung();
  void signal_group(int signal) const;
  void ended();
  void reap();
  void take_errors(std::string_view bytes);
  void tell_line();
  void hide_secrets(Redactor& redactor) const;

  Loop loop_;
  std::vector<std::string> command_;
  std::map<std::string, std::string> environment_;
  std::function<void(std::string_view)> on_stderr_;
  std::string name_;
  std::size_t max_line_;
  Duration patience_;
  pid_t pid_;
  boost::asio::posix::stream_descriptor watch_;
  DescriptorStream pipes_;
  std::shared_ptr<Drain> errors_;
  std::shared_ptr<Drain> last_output_;  // What the child still says after we have stopped listening.
  std::string line_;                    // Of stderr, as far as it has come.
  OutputTail tail_;                     // Of stderr, for the diagnosis.
  std::string stray_output_;            // The first line on stdout that was not a message.
  std::size_t stray_lines_ = 0;
  std::optional<ExitStatus> status_;
  Bell exited_;
  int rung_ = 0;  // 0 before the ladder.
  std::optional<Timer> timer_;
};

}  // namespace fairlead::transport
