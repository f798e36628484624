#include "gateway/control/control_socket_path.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/parse_number.hpp"
#include "transport/socket_address.hpp"

namespace fairlead::gateway {
namespace {

namespace fs = std::filesystem;

constexpr mode_t owner_alone = S_IRWXU;
constexpr std::string_view socket_suffix = ".sock";

pid_t pid_in(const fs::path& path) {
  if (path.extension() != socket_suffix) return 0;
  return parse_number<pid_t>(path.stem().string()).value_or(0);
}

// A pid may be reused, so only connecting shows whether a gateway is running.
bool is_answered(const std::string& path) {
  const auto address = transport::unix_address(path);
  const auto socket = transport::open_socket(AF_UNIX);
  if (!address || !socket) return false;
  // EAGAIN: the queue of a running gateway is full.
  return ::connect(socket->get(), address->get(), address->size) == 0 || errno == EAGAIN;
}

std::vector<ControlSocket> sockets_in(const std::string& folder) {
  std::vector<ControlSocket> found;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
    const auto pid = pid_in(each->path());
    if (pid != 0) found.push_back({each->path().string(), pid});
  }
  return found;
}

}  // namespace

std::vector<std::string> control_folders() {
  std::vector<std::string> folders;
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  // XDG Base Directory specification: relative paths are ignored.
  if (runtime && runtime[0] == '/') folders.push_back(std::string(runtime) + "/fairlead");
  std::error_code error;
  const auto temporary = fs::temp_directory_path(error);
  if (!error) folders.push_back((temporary / fmt::format("fairlead-{}", ::geteuid())).string());
  return folders;
}

Result<void> prepare_control_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), owner_alone) != 0 && errno != EEXIST) {
    return fail(ErrorKind::invalid, fmt::format("cannot create {}: {}", folder, std::strerror(errno)));
  }
  struct stat about = {};
  const bool ours = ::lstat(folder.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == ::geteuid();
  if (!ours) return fail(ErrorKind::invalid, folder + " is not a folder of this user: remove it, or name another path");
  if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return fail(ErrorKind::invalid, folder + " is accessible to other users: chmod 700 it, or name another path");
  }
  for (const auto& socket : sockets_in(folder)) {
    if (!is_answered(socket.path)) ::unlink(socket.path.c_str());
  }
  return {};
}

Result<std::string> own_control_path(const std::vector<std::string>& folders) {
  Result<void> prepared = fail(ErrorKind::invalid, "no folder for control sockets");
  for (const auto& folder : folders) {
    prepared = prepare_control_folder(folder);
    if (prepared) return fmt::format("{}/{}{}", folder, ::getpid(), socket_suffix);
  }
  return std::unexpected(std::move(prepared.error()));
}

std::vector<ControlSocket> control_sockets(const std::vector<std::string>& folders) {
  std::vector<ControlSocket> all;
  for (const auto& folder : folders) {
    for (auto& socket : sockets_in(folder)) {
      if (is_answered(socket.path)) all.push_back(std::move(socket));
    }
  }
  std::ranges::sort(all, {}, &ControlSocket::pid);
  return all;
}

}  // namespace fairlead::gateway
