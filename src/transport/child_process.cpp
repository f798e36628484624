#include "transport/child_process.hpp"

#include <cerrno>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <signal.h>
#include <sys/wait.h>

#include "transport/child_reaper.hpp"

namespace fairlead::transport {
namespace asio = boost::asio;

namespace {

using namespace std::chrono_literals;
using Native = asio::posix::stream_descriptor;

// Time between the end of stdout and the exit of the child.
constexpr Duration moment_to_end = 500ms;

ExitStatus to_status(int wait_status) {
  if (WIFSIGNALED(wait_status)) return {.code = WTERMSIG(wait_status), .signalled = true};
  return {.code = WEXITSTATUS(wait_status)};
}

bool is_running(pid_t child) {
  siginfo_t about = {};
  return ::waitid(P_PID, static_cast<id_t>(child), &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_pid == 0;
}

}  // namespace

ChildProcess::ChildProcess(const EventLoop& loop, const ChildOptions& options, Spawned spawned)
    : loop_(loop),
      command_(options.command),
      environment_(options.environment),
      on_stderr_(options.on_stderr),
      name_(options.framing.name),
      max_line_(options.max_stderr_line),
      exit_timeout_(options.exit_timeout),
      pid_(spawned.pid),
      watch_(loop.executor),
      pipes_(loop, std::move(spawned.output), std::move(spawned.input)),
      errors_(std::make_shared<PipeReader>(loop.executor, std::move(spawned.errors),
                                           [this](std::string_view bytes) { on_stderr_bytes(bytes); })),
      exited_(loop.executor),
      timer_(std::in_place, loop.timers, [this] { next_stop_step(); }) {
  boost::system::error_code error;
  watch_.assign(spawned.watch.get(), error);
  if (!error) spawned.watch.release();
}

ChildProcess::~ChildProcess() {
  errors_->stop();
  if (status_) return;
  signal_group(SIGKILL);
  reap();
}

void ChildProcess::watch() {
  wait_for_end();
  errors_->start();
}

void ChildProcess::wait_for_end() {
  watch_.async_wait(Native::wait_read, [self = shared_from_this()](boost::system::error_code error) {
    if (error) return;
    // A reused descriptor number can receive the event of its predecessor: check again.
    if (is_running(self->pid_)) return self->wait_for_end();
    self->ended();
  });
}

Task<Result<ExitStatus>> ChildProcess::wait() {
  const auto self = shared_from_this();
  while (!self->status_) co_await self->exited_.wait();
  co_return *self->status_;
}

Task<Error> ChildProcess::exit_error(Error otherwise) {
  const auto deadline = Deadline::in(moment_to_end, loop_.timers.clock());
  const auto status = co_await with_deadline(loop_.timers, deadline, wait());
  if (status) otherwise = Error{.kind = ErrorKind::closed, .message = "the server " + status->text()};
  co_return with_diagnosis(std::move(otherwise), diagnosis());
}

void ChildProcess::end() {
  if (stop_step_ != 0) return;
  stop_step_ = 1;
  // Keep reading stdout, so that the child neither gets SIGPIPE nor blocks while it exits.
  last_output_ = std::make_shared<PipeReader>(loop_.executor, pipes_.release_input(), [](std::string_view) {});
  last_output_->start();
  if (!status_) timer_->arm(Deadline::in(exit_timeout_, loop_.timers.clock()));
}

void ChildProcess::next_stop_step() {
  if (status_) return;
  signal_group(stop_step_ == 1 ? SIGTERM : SIGKILL);
  if (stop_step_++ == 1) timer_->arm(Deadline::in(exit_timeout_, loop_.timers.clock()));
}

void ChildProcess::kill() {
  pipes_.close();
  timer_.reset();
  errors_->stop();
  if (last_output_) last_output_->stop();
  if (!status_) signal_group(SIGKILL);
}

// Not after the child was reaped: its pid may be reused.
void ChildProcess::signal_group(int signal) const {
  ::kill(-pid_, signal);
}

void ChildProcess::ended() {
  if (timer_) timer_->disarm();
  // Kills the remaining processes of the group, which hold the pipes open.
  signal_group(stop_step_ == 0 && timer_ ? SIGTERM : SIGKILL);
  reap();
  pipes_.end_input_when_drained();
  errors_->finish();
  if (last_output_) last_output_->finish();
  exited_.notify();
}

void ChildProcess::reap() {
  int wait_status = 0;
  // Before the pid can be reused.
  report_group(child_reaper(), pid_, false);
  while (::waitpid(pid_, &wait_status, 0) < 0) {
    if (errno == EINTR) continue;
    // Already reaped, as in programs that ignore SIGCHLD.
    wait_status = 0;
    break;
  }
  status_ = to_status(wait_status);
}

void ChildProcess::on_stderr_bytes(std::string_view bytes) {
  if (bytes.empty() && !line_.empty()) emit_stderr_line();
  for (const char c : bytes) {
    if (c == '\n') {
      emit_stderr_line();
      continue;
    }
    line_ += c;
    if (line_.size() >= max_line_) emit_stderr_line();
  }
}

void ChildProcess::emit_stderr_line() {
  if (line_.ends_with('\r')) line_.pop_back();
  tail_.add(line_);
  if (on_stderr_) {
    on_stderr_(line_);
  } else {
    log(loop_.log, LogLevel::info, name_, [&] { return "stderr: " + line_; });
  }
  line_.clear();
}

}  // namespace fairlead::transport
