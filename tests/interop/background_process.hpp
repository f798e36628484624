#pragma once

#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <spawn.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace fairlead::interop {

/// A port that is free at the moment.
inline int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  return ntohs(address.sin_port);
}

/// Runs a program that listens on a port, during its lifetime. Discards its output.
class Background {
 public:
  Background(std::vector<std::string> command, int port, const std::map<std::string, std::string>& environment = {}) {
    std::vector<std::string> settings;
    for (char** entry = ::environ; *entry != nullptr; ++entry) settings.emplace_back(*entry);
    for (const auto& [name, value] : environment) settings.push_back(name + "=" + value);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int output : {0, 1, 2}) posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_RDWR, 0);
    ::posix_spawn(&process_, command.front().c_str(), &actions, nullptr, pointers(command).data(),
                  pointers(settings).data());
    posix_spawn_file_actions_destroy(&actions);
    wait_for(port);
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (auto& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  }

  static void wait_for(int port) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    for (int tries = 0; tries < 600; ++tries) {
      const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
      const bool listens = ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
      ::close(socket);
      if (listens) return;
      std::this_thread::sleep_for(std::chrono::milliseconds{50});
    }
  }

  pid_t process_ = 0;
};

}  // namespace fairlead::interop
