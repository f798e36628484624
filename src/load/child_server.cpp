#include "load/child_server.hpp"

#include <array>
#include <csignal>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "transport/child_reaper.hpp"

namespace fairlead::load {
namespace {

constexpr int patience_milliseconds = 2000;

// A child whose stderr nobody reads stops when the pipe is full.
void read_to_the_end(int descriptor) {
  std::array<char, 4096> dropped;
  while (::read(descriptor, dropped.data(), dropped.size()) > 0) {
  }
}

}  // namespace

Result<std::unique_ptr<ChildServer>> ChildServer::start(const std::vector<std::string>& command) {
  auto spawned = transport::spawn({.command = command});
  if (!spawned) return std::unexpected(std::move(spawned.error()));
  return std::unique_ptr<ChildServer>(new ChildServer(std::move(*spawned)));
}

ChildServer::ChildServer(transport::Spawned spawned)
    : spawned_(std::move(spawned)), stderr_reader_(read_to_the_end, spawned_.errors.get()) {}

ByteLine ChildServer::take_line() {
  return {std::move(spawned_.output), std::move(spawned_.input)};
}

bool ChildServer::has_ended(int milliseconds) const {
  pollfd waiting{.fd = spawned_.watch.get(), .events = POLLIN, .revents = 0};
  return ::poll(&waiting, 1, milliseconds) > 0;
}

ChildServer::~ChildServer() {
  spawned_.input.reset();
  spawned_.output.reset();
  if (!has_ended(patience_milliseconds)) {
    ::kill(-spawned_.pid, SIGTERM);
    if (!has_ended(patience_milliseconds)) ::kill(-spawned_.pid, SIGKILL);
  }
  transport::report_group(transport::child_reaper(), spawned_.pid, false);
  ::waitpid(spawned_.pid, nullptr, 0);
  // What the child has started may hold its stderr open.
  ::kill(-spawned_.pid, SIGKILL);
}

}  // namespace fairlead::load
