#include "auth/client/store_parts.hpp"

#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/json/codec.hpp>
#include <fcntl.h>
#include <filesystem>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crypto/digest.hpp"
#include "http/url.hpp"

namespace fairlead::auth {
namespace {

constexpr Duration lock_poll = std::chrono::milliseconds{25};

struct FileLock final : StoreLock {
  explicit FileLock(Descriptor opened) : file(std::move(opened)) {}
  Descriptor file;  // Closing it releases the flock.
};

Result<std::unique_ptr<StoreLock>> try_lock(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return file_error("open", path);
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return std::make_unique<FileLock>(std::move(file));
  if (errno != EWOULDBLOCK) return file_error("lock", path);
  return nullptr;
}

std::string absolute_path(const char* variable) {
  const char* value = std::getenv(variable);
  // The XDG Base Directory specification says to ignore relative paths.
  return value && *value == '/' ? value : "";
}

}  // namespace

std::string name_of(const StoreKey& key) {
  constexpr std::size_t enough = 32;
  const auto url = http::parse_url(key.server);
  const auto server = url ? url->origin() + url->target : key.server;
  return crypto::sha256_hex(server + "\n" + key.account).substr(0, enough);
}

Task<Result<std::unique_ptr<StoreLock>>> poll_lock(EventLoop loop, Duration max_wait, TryLock attempt) {
  const auto end = std::chrono::steady_clock::now() + max_wait;
  while (true) {
    Result<std::unique_ptr<StoreLock>> lock = attempt();
    if (!lock || *lock) co_return lock;
    if (std::chrono::steady_clock::now() > end) {
      co_return fail(ErrorKind::timeout, "another process holds the lock of this login; end it or try again");
    }
    boost::asio::steady_timer timer(loop.executor, lock_poll);
    co_await timer.async_wait(use_task);
  }
}

Result<void> LockFolder::check() const {
  std::error_code failed;
  const auto parent = std::filesystem::path(folder_).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, failed);
  if (::mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) return file_error("create", folder_);
  struct stat found = {};
  if (::lstat(folder_.c_str(), &found) != 0) return file_error("read", folder_);
  if (S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() && (found.st_mode & 077U) == 0) return {};
  return fail(ErrorKind::invalid,
              folder_ + " must be a folder that only you can use; run: chmod 700 '" + folder_ + "'");
}

Task<Result<std::unique_ptr<StoreLock>>> LockFolder::lock(EventLoop loop, const StoreKey& key,
                                                          Duration max_wait) const {
  if (auto ready = check(); !ready) {
    return Result<std::unique_ptr<StoreLock>>(std::unexpected(std::move(ready.error())));
  }
  return poll_lock(loop, max_wait, [path = lock_path(key)] { return try_lock(path); });
}

std::uint64_t file_version(const std::string& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0) return 0;
  constexpr std::uint64_t billion = 1'000'000'000;
  const auto changed =
      static_cast<std::uint64_t>(found.st_mtim.tv_sec) * billion + static_cast<std::uint64_t>(found.st_mtim.tv_nsec);
  return changed ^ (static_cast<std::uint64_t>(found.st_ino) << 32U) ^ static_cast<std::uint64_t>(found.st_size);
}

std::unexpected<Error> file_error(std::string_view what, const std::string& path) {
  return fail(ErrorKind::invalid, "cannot " + std::string(what) + " " + path + ": " + std::strerror(errno));
}

Result<Stored> read_login(std::string text, const std::string& place) {
  auto payload = json::Payload::parse(std::move(text));
  auto login = payload ? json::decode<Stored>(*payload) : Result<Stored>(std::unexpected(payload.error()));
  if (!login) return fail(ErrorKind::malformed, place + " is damaged; delete it and sign in again");
  return login;
}

std::string default_credential_folder() {
  auto state = absolute_path("XDG_STATE_HOME");
  if (state.empty()) {
    auto home = absolute_path("HOME");
    const auto* user = home.empty() ? ::getpwuid(::geteuid()) : nullptr;
    if (user && user->pw_dir) home = user->pw_dir;
    state = home + "/.local/state";
  }
  return state + "/fairlead/credentials";
}

}  // namespace fairlead::auth
