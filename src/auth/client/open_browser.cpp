#include "auth/client/open_browser.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace fairlead::auth {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

/// How the browser starts: without our standard streams, because stdout may carry MCP, and in a session of its own, so
/// that it stays open after us.
class BrowserSpawn {
 public:
  BrowserSpawn() {
    ::posix_spawn_file_actions_init(&files_);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      ::posix_spawn_file_actions_addopen(&files_, fd, "/dev/null", O_RDWR, 0);
    }
    ::posix_spawnattr_init(&attributes_);
    sigset_t defaults;
    ::sigemptyset(&defaults);
    ::sigaddset(&defaults, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes_, &defaults);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  }
  BrowserSpawn(const BrowserSpawn&) = delete;
  BrowserSpawn& operator=(const BrowserSpawn&) = delete;
  ~BrowserSpawn() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  bool start(std::vector<std::string> command) const {
    std::vector<char*> words;
    for (auto& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    pid_t pid = -1;
    if (::posix_spawnp(&pid, words.front(), &files_, &attributes_, words.data(), environ) != 0) return false;
    std::thread([pid] { ::waitpid(pid, nullptr, 0); }).detach();
    return true;
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

std::vector<std::string> command_for(const std::string& url) {
  const char* browser = std::getenv("BROWSER");
  return browser_command(browser ? browser : "", is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"), url);
}

}  // namespace

std::vector<std::string> browser_command(std::string_view browser, bool on_desktop, const std::string& url) {
  std::vector<std::string> words;
  bool has_url = false;
  for (std::size_t at = 0; (at = browser.find_first_not_of(" \t", at)) != std::string_view::npos;) {
    const auto end = std::min(browser.find_first_of(" \t", at), browser.size());
    const auto word = browser.substr(at, end - at);
    has_url = has_url || word == "%s";
    words.emplace_back(word == "%s" ? std::string_view(url) : word);
    at = end;
  }
  if (words.empty() && on_desktop) words.emplace_back("xdg-open");
  if (!words.empty() && !has_url) words.push_back(url);
  return words;
}

bool can_open_browser() {
  return !command_for("").empty();
}

bool open_browser(const std::string& url) {
  auto command = command_for(url);
  return !command.empty() && BrowserSpawn().start(std::move(command));
}

}  // namespace fairlead::auth
