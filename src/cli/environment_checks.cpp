#include "cli/environment_checks.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fairlead/base/descriptor.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <netdb.h>
#include <sstream>
#include <sys/socket.h>

#include "cli/find_program.hpp"
#include "http/tls_trust_store.hpp"

namespace fairlead::cli {
namespace {

namespace fs = std::filesystem;

// `name` must be a constant of this program: it becomes part of a shell command.
std::string version_of(const std::string& name) {
  const auto line = "timeout 10 " + name + " --version 2>/dev/null </dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(line.c_str(), "r"), ::pclose);
  std::array<char, 128> text = {};
  if (!pipe || !std::fgets(text.data(), static_cast<int>(text.size()), pipe.get())) return "";
  std::string version(text.data());
  return version.substr(0, version.find_first_of("\r\n"));
}

std::string from_environment(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return value && *value ? value : otherwise;
}

// Returns the reason of a failure; empty on success.
std::string try_to_bind(const gateway::ListenConfig& listen) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int failure = ::getaddrinfo(listen.host.c_str(), std::to_string(listen.port).c_str(), &hints, &found);
  if (failure != 0) return ::gai_strerror(failure);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, ::freeaddrinfo);
  const Descriptor socket(::socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, found->ai_protocol));
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  return ::bind(socket.get(), found->ai_addr, found->ai_addrlen) == 0 ? "" : std::strerror(errno);
}

}  // namespace

CheckResult check_path() {
  std::istringstream path(from_environment("PATH", ""));
  std::string missing, relative;
  std::size_t count = 0;
  for (std::string directory; std::getline(path, directory, ':'); ++count) {
    std::error_code error;
    if (!directory.starts_with('/'))
      relative = directory.empty() ? "an empty entry" : directory;
    else if (!fs::is_directory(directory, error))
      missing += (missing.empty() ? "" : ", ") + directory;
  }
  if (count == 0) return {"PATH", "bad", "PATH is empty", "set it, as in export PATH=/usr/local/bin:/usr/bin:/bin"};
  if (!relative.empty()) {
    return {"PATH", "note", relative + " depends on the current directory", "use absolute paths in PATH"};
  }
  if (!missing.empty()) return {"PATH", "note", "missing: " + missing, "harmless; remove them from PATH"};
  return {"PATH", "ok", fmt::format("{} directories", count)};
}

CheckResult check_program(const std::string& name, const std::string& fix) {
  const auto where = find_program(name);
  if (where.empty()) return {name, "note", "not found", fix};
  const auto installed = version_of(name);
  if (installed.empty()) return {name, "bad", where + " does not print its version", "reinstall it: " + fix};
  return {name, "ok", fmt::format("{} ({})", installed, where)};
}

CheckResult check_port(const gateway::ListenConfig& listen) {
  const auto where = fmt::format("port {} on {}", listen.port, listen.host);
  const auto why = try_to_bind(listen);
  if (why.empty()) return {"port", "ok", where + " is free"};
  return {"port", "bad", fmt::format("{}: {}", where, why),
          "stop the process that uses it (perhaps a running fairlead), or choose another with --port"};
}

CheckResult check_certificates() {
  const auto [file, directory] = http::system_trust_store();
  std::error_code error;
  if (fs::exists(file, error)) return {"certificates", "ok", file};
  if (fs::is_directory(directory, error) && !fs::is_empty(directory, error)) return {"certificates", "ok", directory};
  return {"certificates", "bad",
          fmt::format("no certificates in {} or {}: no https server is trusted", file, directory),
          "install the package ca-certificates, or set SSL_CERT_FILE or a server's cacert"};
}

}  // namespace fairlead::cli
