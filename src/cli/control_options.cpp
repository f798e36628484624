#include "cli/control_options.hpp"

#include <fairlead/protocol/protocol_error.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/to_text.hpp"
#include "cli/version.hpp"
#include "gateway/control/control_socket_path.hpp"

namespace fairlead::cli {
namespace {

using gateway::ControlSocket;

std::string pids_of(const std::vector<ControlSocket>& sockets) {
  std::string all;
  for (const auto& socket : sockets) all += fmt::format("{}{}", all.empty() ? "" : ", ", socket.pid);
  return all;
}

// Searches the directories in order and stops at the first with a gateway, unless a process id was given.
std::vector<ControlSocket> running_gateways(bool everywhere) {
  const auto folders = gateway::control_folders();
  if (everywhere) return gateway::control_sockets(folders);
  for (const auto& folder : folders) {
    if (auto found = gateway::control_sockets({folder}); !found.empty()) return found;
  }
  return {};
}

}  // namespace

void add_control_options(Options& options, ControlOptions& flags) {
  options.text("--pid", flags.pid, "process id of the gateway, if several run", "<number>");
  options.text("--control", flags.path, "path of the control socket, if the configuration sets one", "<path>");
}

Result<std::string> find_control_socket(const ControlOptions& flags) {
  if (!flags.path.empty()) return flags.path;
  const auto running = running_gateways(!flags.pid.empty());
  if (running.empty()) {
    return fail(ErrorKind::closed,
                "no gateway of this user is running; start one with fairlead serve, or give the path of its "
                "control socket with --control");
  }
  if (!flags.pid.empty()) {
    for (const auto& socket : running) {
      if (std::to_string(socket.pid) == flags.pid) return socket.path;
    }
    return fail(ErrorKind::closed,
                fmt::format("no gateway of this user has the process id {}; running: {}", flags.pid, pids_of(running)));
  }
  if (running.size() > 1) {
    return fail(ErrorKind::invalid,
                fmt::format("several gateways are running: {}; choose one with --pid", pids_of(running)));
  }
  return running.front().path;
}

client::Endpoint control_endpoint(const std::string& path) {
  return "unix:" + path;
}

client::ClientOptions control_client_options() {
  client::ClientOptions options;
  options.client_info.version = version;
  options.era = client::EraPreference::handshake;
  options.reconnect = false;
  options.cache = false;
  return options;
}

bool gateway_has_stopped(const Error& error) {
  const bool said_no =
      error.kind == ErrorKind::refused && protocol::protocol_error_of(error) == protocol::ProtocolError::tool_failed;
  return !said_no && error.kind != ErrorKind::timeout && error.kind != ErrorKind::malformed;
}

int report_control_error(std::string_view command, const Error& error) {
  const int code = error.kind == ErrorKind::invalid ? exit_code::usage : exit_code::unreachable;
  return report_error(command, escape_for_terminal(error.message), code);
}

}  // namespace fairlead::cli
