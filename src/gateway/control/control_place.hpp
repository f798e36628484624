#pragma once

#include <fairlead/base/result.hpp>
#include <string>
#include <sys/types.h>
#include <vector>

/// Where gateways that run have their control sockets: one each, in a folder that only its owner may enter.
namespace fairlead::gateway {

/// A gateway that can be talked to.
struct ControlSocket {
  std::string path;
  pid_t pid = 0;
};

/// In which folders sockets may be, the best first: `$XDG_RUNTIME_DIR/fairlead`, and one below the system's folder for
/// temporary files, with the number of the user in its name.
std::vector<std::string> control_folders();

/// Makes the folder, or sees to it that it is ours alone: nobody else may put a socket there, or read along. Clears
/// away what gateways have left behind that ended without a word.
Result<void> prepare_control_folder(const std::string& folder);

/// Where this process shall have its socket, in the first of the folders that will do.
Result<std::string> own_control_path(const std::vector<std::string>& folders);

/// Those where somebody answers; by their numbers.
std::vector<ControlSocket> control_sockets(const std::vector<std::string>& folders);

}  // namespace fairlead::gateway
