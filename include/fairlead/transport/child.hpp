#pragma once

#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/diagnosis.hpp>
#include <fairlead/transport/framed_transport.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace fairlead::transport {

/// How a process ended.
struct ExitStatus {
  int code = 0;            ///< What it returned, or the signal's number.
  bool signalled = false;  ///< A signal ended it.

  /// Such as "exited with status 3" or "was killed by signal 9 (SIGKILL)".
  std::string text() const;
  bool operator==(const ExitStatus&) const = default;
};

/// What the kernel lets each process of a child have; 0 for as much as ours.
struct ChildLimits {
  std::uint64_t memory = 0;       ///< Bytes that it can write to.
  std::uint64_t cpu_seconds = 0;  ///< Then it is killed.
  std::uint64_t open_files = 0;
};

struct ChildOptions {
  /// The program and its arguments, as they are: no shell reads them. A name without a slash is looked up in PATH.
  std::vector<std::string> command;
  std::map<std::string, std::string> environment = {};  ///< Added to ours, and stronger.
  bool inherit_environment = true;                      ///< Else it gets PATH, HOME and the like, and what is added.
  std::string directory = {};                           ///< Where it runs; ours if empty.
  ChildLimits limits = {};

  /// Gets what the child prints on stderr, line by line, long lines in pieces of `max_stderr_line`. Without it the
  /// lines are logged.
  std::function<void(std::string_view line)> on_stderr = {};
  std::size_t max_stderr_line = 8 * 1024;

  /// How long the child may take to end after its stdin has closed, and then again after SIGTERM.
  Duration patience = std::chrono::seconds(2);
  FramedOptions framing = {.name = "child"};
};

class ChildProcess;

/// A server that we start ourselves and talk to over its stdin and stdout.
///
/// It leads a process group of its own and is told to end when the thread that started it does. Destroying the
/// transport kills the whole group at once; `shutdown` is the polite way.
class ChildTransport final : public Transport {
 public:
  /// Fails at once, and names the program, if it cannot be run.
  static Result<std::unique_ptr<ChildTransport>> start(Loop loop, ChildOptions options);
  ChildTransport(const ChildTransport&) = delete;
  ChildTransport& operator=(const ChildTransport&) = delete;
  ~ChildTransport() override;

  /// When the child has ended, `closed` says how.
  Task<Result<Received>> receive() override;
  Task<Result<void>> send(Outgoing outgoing) override;
  bool send_alone(Outgoing& outgoing) override;
  Task<Result<void>> send_all(std::vector<Outgoing> several) override;
  Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) override;

  /// Closes the child's stdin, which asks it to end; then SIGTERM, then SIGKILL, each after `patience`, to the group.
  /// Goes on in the background; `wait` tells when it is done.
  void close() noexcept override;

  Task<Result<ExitStatus>> wait();
  /// `close`, and `wait`.
  Task<Result<ExitStatus>> shutdown();

  pid_t pid() const;

  /// What is known of the child: its command, what it has printed, how it ended. Errors of `receive` and `send` that
  /// tell of the child's end carry it.
  Diagnosis diagnosis() const;

 private:
  ChildTransport(Loop loop, ChildOptions options, std::shared_ptr<ChildProcess> process);

  std::shared_ptr<ChildProcess> process_;
  std::unique_ptr<FramedTransport> framed_;
};

}  // namespace fairlead::transport
