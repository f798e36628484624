#include "load/child_server.hpp"

#include <array>
#include <csignal>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "transport/child_reaper.hpp"

namespace fairlead::load {
namespace {

constexpr int exit_timeout_milliseconds = 2000;

// A child blocks when its stderr pipe is full.
void discard_stderr(int descriptor) {
  std::array<char, 4096> dropped;
  while (::read(descriptor, dropped.data(), dropped.size()) > 0) {
  }
}

}  // namespace

Result<std::unique_ptr<ChildServer>> ChildServer::start(const transport::ChildOptions& options) {
  auto spawned = transport::spawn(options);
  if (!spawned) return std::unexpected(std::move(spawned.error()));
  return std::unique_ptr<ChildServer>(new ChildServer(std::move(*spawned)));
}

ChildServer::ChildServer(transport::Spawned spawned)
    : spawned_(std::move(spawned)), stderr_reader_(discard_stderr, spawned_.errors.get()) {}

RawConnection ChildServer::take_connection() {
  return {std::move(spawned_.output), std::move(spawned_.input)};
}

bool ChildServer::has_ended(int milliseconds) const {
  pollfd waiting{.fd = spawned_.watch.get(), .events = POLLIN, .revents = 0};
  return ::poll(&waiting, 1, milliseconds) > 0;
}

ChildServer::~ChildServer() {
  spawned_.input.reset();
  spawned_.output.reset();
  if (!has_ended(exit_timeout_milliseconds)) {
    ::kill(-spawned_.pid, SIGTERM);
    if (!has_ended(exit_timeout_milliseconds)) ::kill(-spawned_.pid, SIGKILL);
  }
  transport::report_group(transport::child_reaper(), spawned_.pid, false);
  ::waitpid(spawned_.pid, nullptr, 0);
  // Processes that the child started may keep its stderr open.
  ::kill(-spawned_.pid, SIGKILL);
}

}  // namespace fairlead::load
