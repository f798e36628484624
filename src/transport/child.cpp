#include <fairlead/transport/child.hpp>

#include <utility>

#include "base/redact/secret_variables.hpp"
#include "transport/child_process.hpp"

namespace fairlead::transport {
namespace {

/// The pipes of the child. At their end the error contains the exit status.
class ChildStream final : public ByteStream {
 public:
  explicit ChildStream(std::shared_ptr<ChildProcess> process) : process_(std::move(process)) {}

  Task<Result<std::size_t>> read(std::span<char> buffer) override {
    const auto process = process_;
    auto size = co_await process->pipes().read(buffer);
    if (size && *size > 0) co_return size;
    if (!size && size.error().kind != ErrorKind::closed) co_return size;
    Error error{.kind = ErrorKind::closed, .message = "the server closed its output"};
    if (!size) error = std::move(size.error());
    if (closed_) co_return std::unexpected(std::move(error));
    co_return std::unexpected(co_await process->exit_error(std::move(error)));
  }

  Task<Result<void>> write(std::string_view bytes) override {
    const auto process = process_;
    auto written = co_await process->pipes().write(bytes);
    if (written || closed_ || written.error().kind != ErrorKind::closed) co_return written;
    co_return std::unexpected(co_await process->exit_error(std::move(written.error())));
  }

  void close() noexcept override {
    closed_ = true;
    process_->end();
  }

 private:
  std::shared_ptr<ChildProcess> process_;
  bool closed_ = false;
};

// Error for a program that cannot be started.
Error not_started(Error error, const ChildOptions& options) {
  Diagnosis diagnosis{.step = "start"};
  if (!options.command.empty()) {
    const Redactor redactor;
    diagnosis.command = shell_quoted(redacted_command(options.command, redactor));
    diagnosis.advice = "install '" + options.command[0] + "', or write its whole path";
  }
  return with_diagnosis(std::move(error), std::move(diagnosis));
}

}  // namespace

std::string ExitStatus::text() const {
  if (!signalled) return "exited with status " + std::to_string(code);
  const char* name = ::sigabbrev_np(code);
  return "was killed by signal " + std::to_string(code) + (name ? std::string(" (SIG") + name + ")" : "");
}

Result<std::unique_ptr<ChildTransport>> ChildTransport::start(EventLoop loop, ChildOptions options) {
  auto spawned = spawn(options);
  if (!spawned) return std::unexpected(not_started(std::move(spawned.error()), options));
  auto process = std::make_shared<ChildProcess>(loop, options, std::move(*spawned));
  process->watch();
  options.framing.on_invalid_message = [process,
                                        before = std::move(options.framing.on_invalid_message)](std::string_view text) {
    process->note_stray_output(text);
    if (before) before(text);
  };
  return std::unique_ptr<ChildTransport>(new ChildTransport(std::move(loop), std::move(options), std::move(process)));
}

ChildTransport::ChildTransport(EventLoop loop, ChildOptions options, std::shared_ptr<ChildProcess> process)
    : process_(std::move(process)),
      framed_(std::make_unique<FramedTransport>(std::move(loop), std::make_unique<ChildStream>(process_),
                                                std::move(options.framing))) {}

ChildTransport::~ChildTransport() {
  process_->kill();
}

Task<Result<Received>> ChildTransport::receive() {
  return framed_->receive();
}

Task<Result<void>> ChildTransport::send(Outgoing outgoing) {
  return framed_->send(std::move(outgoing));
}

Task<Result<void>> ChildTransport::send_all(std::vector<Outgoing> several) {
  return framed_->send_all(std::move(several));
}

Task<Result<void>> ChildTransport::send_batch(std::vector<jsonrpc::Message> messages) {
  return framed_->send_batch(std::move(messages));
}

void ChildTransport::close() noexcept {
  framed_->close();
}

Task<Result<ExitStatus>> ChildTransport::wait() {
  return process_->wait();
}

Task<Result<ExitStatus>> ChildTransport::shutdown() {
  close();
  return wait();
}

pid_t ChildTransport::pid() const {
  return process_->pid();
}

Diagnosis ChildTransport::diagnosis() const {
  return process_->diagnosis();
}

}  // namespace fairlead::transport
