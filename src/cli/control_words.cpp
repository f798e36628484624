#include "cli/control_words.hpp"

#include <fairlead/protocol/fault.hpp>
#include <fmt/format.h>
#include <utility>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/show.hpp"
#include "cli/version.hpp"
#include "gateway/control/control_place.hpp"

namespace fairlead::cli {
namespace {

using gateway::ControlSocket;

std::string pids_of(const std::vector<ControlSocket>& sockets) {
  std::string all;
  for (const auto& socket : sockets) all += fmt::format("{}{}", all.empty() ? "" : ", ", socket.pid);
  return all;
}

// Those of another environment count only if there are none of this one, or one of them is named.
std::vector<ControlSocket> running_gateways(bool everywhere) {
  const auto folders = gateway::control_folders();
  if (everywhere) return gateway::control_sockets(folders);
  for (const auto& folder : folders) {
    if (auto found = gateway::control_sockets({folder}); !found.empty()) return found;
  }
  return {};
}

}  // namespace

void add_control_options(Options& options, ControlWords& words) {
  options.text("--pid", words.pid, "which gateway, if several run", "<number>");
  options.text("--control", words.path, "its control socket, where its configuration names one", "<path>");
}

Result<std::string> find_control(const ControlWords& words) {
  if (!words.path.empty()) return words.path;
  const auto running = running_gateways(!words.pid.empty());
  if (running.empty()) {
    return fail(ErrorKind::closed,
                "no gateway of yours runs here; fairlead serve starts one, and --control names the "
                "socket of one whose configuration does");
  }
  if (!words.pid.empty()) {
    for (const auto& socket : running) {
      if (std::to_string(socket.pid) == words.pid) return socket.path;
    }
    return fail(ErrorKind::closed,
                fmt::format("no gateway of yours has the number {}; there is {}", words.pid, pids_of(running)));
  }
  if (running.size() > 1) {
    return fail(ErrorKind::invalid, fmt::format("several gateways run: {}; choose one with --pid", pids_of(running)));
  }
  return running.front().path;
}

client::Endpoint control_endpoint(const std::string& path) {
  return "unix:" + path;
}

client::ClientOptions control_client() {
  client::ClientOptions options;
  options.self.version = version;
  options.era = client::Era::handshake;
  options.reconnect = false;
  options.cache = false;
  return options;
}

bool has_ended(const Error& error) {
  const bool said_no = error.kind == ErrorKind::refused && protocol::fault_of(error) == protocol::Fault::tool_failed;
  return !said_no && error.kind != ErrorKind::timeout && error.kind != ErrorKind::malformed;
}

int control_failed(std::string_view command, const Error& error) {
  complain(fmt::format("fairlead {}: {}", command, for_terminal(error.message)));
  return error.kind == ErrorKind::invalid ? exit_code::usage : exit_code::unreachable;
}

}  // namespace fairlead::cli
