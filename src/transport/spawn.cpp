#include "transport/spawn.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "transport/child_reaper.hpp"

namespace fairlead::transport {
namespace {

struct Pipe {
  Descriptor read_end = {};
  Descriptor write_end = {};
};

// Above 0, 1 and 2, which the child overwrites.
void lift(Descriptor& descriptor) {
  if (descriptor.get() > STDERR_FILENO) return;
  descriptor = Descriptor(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 3));
}

Result<Pipe> make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) < 0) {
    return fail(ErrorKind::closed, "cannot make a pipe: " + std::system_category().message(errno));
  }
  Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
  lift(pipe.read_end);
  lift(pipe.write_end);
  return pipe;
}

// Variables that programs need and that are not secret.
bool is_essential(std::string_view name) {
  constexpr std::array<std::string_view, 9> names{"PATH", "HOME",   "USER", "LOGNAME", "SHELL",
                                                  "TERM", "TMPDIR", "LANG", "TZ"};
  return std::ranges::find(names, name) != names.end() || name.starts_with("LC_");
}

std::map<std::string, std::string> merged_environment(const ChildOptions& options) {
  auto merged = options.environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const auto name = text.substr(0, equals);
    if (options.inherit_environment || is_essential(name)) merged.emplace(name, text.substr(equals + 1));
  }
  return merged;
}

bool is_program(const std::string& path) {
  struct stat about = {};
  return ::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

// Path of the program; empty if not found.
std::string find_program(const std::string& name, const std::map<std::string, std::string>& environment) {
  if (name.find('/') != std::string::npos) return name;
  const auto found = environment.find("PATH");
  std::string_view path = found == environment.end() ? "/usr/local/bin:/usr/bin:/bin" : std::string_view(found->second);
  while (!path.empty()) {
    const auto colon = std::min(path.find(':'), path.size());
    auto candidate = fmt::format("{}/{}", colon == 0 ? "." : path.substr(0, colon), name);
    if (is_program(candidate)) return candidate;
    path.remove_prefix(std::min(colon + 1, path.size()));
  }
  return {};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// Prepared before fork: nothing may be allocated between fork and exec.
struct Plan {
  const char* program;
  const char* directory;
  char* const* arguments;
  char* const* environment;
  int input, output, errors, report, reaper;
  pid_t parent;
  ChildLimits limits;
};

void set_limit(decltype(RLIMIT_DATA) what, std::uint64_t most) {
  if (most == 0) return;
  const rlimit limit{.rlim_cur = most, .rlim_max = most};
  ::setrlimit(what, &limit);
}

void reset_signals() {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void run_child(const Plan& plan) {
  ::setpgid(0, 0);
  report_group(plan.reaper, ::getpid(), true);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  // The parent may have exited before prctl took effect.
  if (::getppid() != plan.parent) ::_exit(127);
  ::dup2(plan.input, STDIN_FILENO);
  ::dup2(plan.output, STDOUT_FILENO);
  ::dup2(plan.errors, STDERR_FILENO);
  ::syscall(SYS_close_range, 3u, UINT_MAX, CLOSE_RANGE_CLOEXEC);
  reset_signals();
  // Not RLIMIT_AS: some programs reserve far more address space than they use.
  set_limit(RLIMIT_DATA, plan.limits.memory);
  set_limit(RLIMIT_CPU, plan.limits.cpu_seconds);
  set_limit(RLIMIT_NOFILE, plan.limits.open_files);
  if (*plan.directory == '\0' || ::chdir(plan.directory) == 0) ::execve(plan.program, plan.arguments, plan.environment);
  const int error = errno;
  (void)!::write(plan.report, &error, sizeof(error));
  ::_exit(127);
}

// A separate function, because the child runs on the parent's stack until exec.
[[gnu::noinline]] pid_t fork_and_run(const Plan& plan) {
  const pid_t pid = ::vfork();
  if (pid == 0) run_child(plan);
  return pid;
}

pid_t launch(const Plan& plan) {
  // Block signals: no handler may run in the child, which shares our memory until exec.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = fork_and_run(plan);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return pid;
}

// errno of the child, or 0 after exec.
int exec_error(const Descriptor& report) {
  int error = 0;
  ssize_t size = 0;
  do {
    size = ::read(report.get(), &error, sizeof(error));
  } while (size < 0 && errno == EINTR);
  return size == static_cast<ssize_t>(sizeof(error)) ? error : 0;
}

std::unexpected<Error> cannot_start(const std::string& program, const std::string& why) {
  auto error = fail(ErrorKind::invalid, fmt::format("cannot start \"{}\": {}", program, why));
  error.error().subject = program;
  return error;
}

struct Pipes {
  Pipe input, output, errors, report;
};

Result<Pipes> make_pipes() {
  Pipes pipes;
  for (Pipe* pipe : {&pipes.input, &pipes.output, &pipes.errors, &pipes.report}) {
    auto made = make_pipe();
    if (!made) return std::unexpected(std::move(made.error()));
    *pipe = std::move(*made);
  }
  return pipes;
}

Result<Spawned> start(const ChildOptions& options, const std::string& program, const Plan& plan, Pipes pipes) {
  const pid_t pid = launch(plan);
  if (pid < 0) return cannot_start(options.command[0], std::system_category().message(errno));
  pipes.report.write_end.reset();
  Spawned spawned{.pid = pid,
                  .input = std::move(pipes.input.write_end),
                  .output = std::move(pipes.output.read_end),
                  .errors = std::move(pipes.errors.read_end)};
  const int error = exec_error(pipes.report.read_end);
  if (error == 0) spawned.watch = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (spawned.watch) return spawned;
  const int why = error != 0 ? error : errno;
  ::kill(-pid, SIGKILL);
  report_group(plan.reaper, pid, false);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  const auto where = options.directory.empty() ? "" : fmt::format(" in {}", options.directory);
  return cannot_start(program, std::system_category().message(why) + where);
}

}  // namespace

Result<Spawned> spawn(const ChildOptions& options) {
  if (options.command.empty() || options.command[0].empty()) {
    return fail(ErrorKind::invalid, "no command to start: name a program");
  }
  const auto merged = merged_environment(options);
  const auto program = find_program(options.command[0], merged);
  if (program.empty()) return cannot_start(options.command[0], "no such program in PATH");
  auto arguments = options.command;
  std::vector<std::string> environment;
  for (const auto& [name, value] : merged) environment.push_back(name + "=" + value);
  auto pipes = make_pipes();
  if (!pipes) return std::unexpected(std::move(pipes.error()));
  const auto argument_pointers = pointers(arguments), environment_pointers = pointers(environment);
  const Plan plan{.program = program.c_str(),
                  .directory = options.directory.c_str(),
                  .arguments = argument_pointers.data(),
                  .environment = environment_pointers.data(),
                  .input = pipes->input.read_end.get(),
                  .output = pipes->output.write_end.get(),
                  .errors = pipes->errors.write_end.get(),
                  .report = pipes->report.write_end.get(),
                  .reaper = child_reaper(),
                  .parent = ::getpid(),
                  .limits = options.limits};
  return start(options, program, plan, std::move(*pipes));
}

}  // namespace fairlead::transport
