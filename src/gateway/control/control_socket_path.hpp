#pragma once

#include <fairlead/base/result.hpp>
#include <sys/types.h>
#include <vector>

/// Paths of control sockets: one per running gateway, in a folder that only its owner may enter.
namespace fairlead::gateway {

/// The control socket of a running gateway.
struct ControlSocket {
  std::string path;
  pid_t pid = 0;
};

/// Folders for sockets, preferred one first: `$XDG_RUNTIME_DIR/fairlead`, and one with the user id in the system's
/// temporary folder.
std::vector<std::string> control_folders();

/// Creates the folder or checks that only this user can access it. Removes sockets of gateways that have crashed.
Result<void> prepare_control_folder(const std::string& folder);

/// Path for the socket of this process, in the first usable folder.
Result<std::string> own_control_path(const std::vector<std::string>& folders);

/// Sockets that accept connections, by pid.
std::vector<ControlSocket> control_sockets(const std::vector<std::string>& folders);

}  // namespace fairlead::gateway
