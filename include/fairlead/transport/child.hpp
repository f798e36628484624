#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/diagnosis.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/transport/framed_transport.hpp>
#include <map>
#include <sys/types.h>

namespace fairlead::transport {

/// How a process ended.
struct ExitStatus {
  int code = 0;            ///< Exit code, or the number of the signal.
  bool signalled = false;  ///< True if a signal ended it.

  /// For example "exited with status 3" or "was killed by signal 9 (SIGKILL)".
  std::string text() const;
  bool operator==(const ExitStatus&) const = default;
};

/// Resource limits of each child process; 0 inherits ours.
struct ChildLimits {
  std::uint64_t memory = 0;       ///< Writable memory, in bytes.
  std::uint64_t cpu_seconds = 0;  ///< CPU time after which it is killed.
  std::uint64_t open_files = 0;
};

struct ChildOptions {
  /// Program and arguments, without a shell. A name without a slash is looked up in PATH.
  std::vector<std::string> command;
  std::map<std::string, std::string> environment = {};  ///< Added to the inherited environment, which it overrides.
  bool inherit_environment = true;                      ///< False: only PATH, HOME and similar variables are inherited.
  std::string directory = {};                           ///< Working directory; empty inherits ours.
  ChildLimits limits = {};

  /// Receives the stderr of the child line by line; lines longer than `max_stderr_line` are split. If empty, the lines
  /// are logged.
  std::function<void(std::string_view line)> on_stderr = {};
  std::size_t max_stderr_line = 8 * 1024;

  /// How long the child may take to exit after its stdin was closed, and again after SIGTERM.
  Duration exit_timeout = std::chrono::seconds(2);
  FramedOptions framing = {.name = "child"};
};

class ChildProcess;

/// A server that runs as a child process, reached over its stdin and stdout.
///
/// The child leads its own process group and is signalled to exit when the thread that started it ends. Destroying the
/// transport kills the whole group at once; `shutdown` ends it gracefully.
class ChildTransport final : public Transport, NonCopyable {
 public:
  /// Starts the program. Returns an error that names it if it cannot be run.
  static Result<std::unique_ptr<ChildTransport>> start(EventLoop loop, ChildOptions options);
  ~ChildTransport() override;

  /// When the child has exited, the `closed` error contains its exit status.
  Task<Result<Received>> receive() override;
  Task<Result<void>> send(Outgoing outgoing) override;
  bool coalesces_writes() const override { return true; }
  Task<Result<void>> send_all(std::vector<Outgoing> several) override;
  Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) override;

  /// Closes the child's stdin, which asks it to exit; then sends SIGTERM and SIGKILL to its group, each after
  /// `exit_timeout`. Returns at once; await `wait` for the exit.
  void close() noexcept override;

  Task<Result<ExitStatus>> wait();
  /// `close`, and `wait`.
  Task<Result<ExitStatus>> shutdown();

  pid_t pid() const;

  /// Command, last output and exit status of the child. Errors of `receive` and `send` that report its exit contain it.
  Diagnosis diagnosis() const;

 private:
  ChildTransport(EventLoop loop, ChildOptions options, std::shared_ptr<ChildProcess> process);

  std::shared_ptr<ChildProcess> process_;
  std::unique_ptr<FramedTransport> framed_;
};

}  // namespace fairlead::transport
