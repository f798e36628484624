#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <cstring>
#include <fairlead/auth/credential_store.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/synchronized.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/json/codec.hpp>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crypto/digest.hpp"

namespace fairlead::auth {
namespace {

constexpr Duration lock_poll = std::chrono::milliseconds{25};

std::string name_of(const StoreKey& key) {
  constexpr std::size_t enough = 32;
  return crypto::sha256_hex(key.server + "\n" + key.account).substr(0, enough);
}

/// Calls `attempt` until it returns a lock. Polls, because a wait for flock would block the event loop.
template <class Attempt>
Task<Result<std::unique_ptr<StoreLock>>> poll_lock(EventLoop loop, Duration max_wait, Attempt attempt) {
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

class MemoryStore final : public CredentialStore, public std::enable_shared_from_this<MemoryStore> {
 public:
  Task<Result<std::optional<Stored>>> load(StoreKey key) override {
    return state_.with([&](State& state) -> Result<std::optional<Stored>> {
      const auto found = state.logins.find(name_of(key));
      return found == state.logins.end() ? std::nullopt : std::optional(found->second);
    });
  }
  Task<Result<void>> save(StoreKey key, Stored login) override {
    state_.with([&](State& state) { state.logins.insert_or_assign(name_of(key), std::move(login)); });
    return Result<void>();
  }
  Task<Result<void>> remove(StoreKey key) override {
    state_.with([&](State& state) { state.logins.erase(name_of(key)); });
    return Result<void>();
  }
  Task<Result<std::vector<Stored>>> list() override {
    return state_.with([](State& state) -> Result<std::vector<Stored>> {
      std::vector<Stored> all;
      for (const auto& [name, login] : state.logins) all.push_back(login);
      return all;
    });
  }
  Task<Result<std::unique_ptr<StoreLock>>> lock(EventLoop loop, StoreKey key, Duration max_wait) override {
    auto attempt = [self = shared_from_this(), name = name_of(key)]() -> Result<std::unique_ptr<StoreLock>> {
      const bool taken = self->state_.with([&](State& state) { return state.locked.insert(name).second; });
      if (!taken) return nullptr;
      return std::make_unique<Lock>(self, name);
    };
    return poll_lock(loop, max_wait, std::move(attempt));
  }

 private:
  struct State {
    std::map<std::string, Stored> logins;
    std::set<std::string> locked;
  };
  struct Lock final : StoreLock {
    Lock(std::shared_ptr<MemoryStore> of, std::string locked) : store(std::move(of)), name(std::move(locked)) {}
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock() override {
      store->state_.with([&](State& state) { state.locked.erase(name); });
    }
    std::shared_ptr<MemoryStore> store;
    std::string name;
  };

  Synchronized<State> state_;
};

std::unexpected<Error> file_error(std::string_view what, const std::string& path) {
  return fail(ErrorKind::invalid, "cannot " + std::string(what) + " " + path + ": " + std::strerror(errno));
}

/// Closed on destruction.
struct OpenFile {
  explicit OpenFile(int opened) : fd(opened) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (fd >= 0) ::close(fd);
  }
  int fd;
};

struct FileLock final : StoreLock {
  explicit FileLock(int opened) : file(opened) {}
  OpenFile file;  // Closing it releases the flock.
};

class FileStore final : public CredentialStore {
 public:
  explicit FileStore(std::string folder) : folder_(std::move(folder)) {}

  Task<Result<std::optional<Stored>>> load(StoreKey key) override { return read(path_of(key)); }
  Task<Result<void>> save(StoreKey key, Stored login) override { return write(path_of(key), json::encode(login)); }
  Task<Result<void>> remove(StoreKey key) override {
    const auto path = path_of(key);
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return Result<void>(file_error("delete", path));
    return Result<void>();
  }
  Task<Result<std::vector<Stored>>> list() override {
    std::vector<Stored> all;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, failed)) {
      if (entry.path().extension() != ".json") continue;
      auto login = read(entry.path().string());
      if (login && *login) all.push_back(std::move(**login));
    }
    return Result<std::vector<Stored>>(std::move(all));
  }
  Task<Result<std::unique_ptr<StoreLock>>> lock(EventLoop loop, StoreKey key, Duration max_wait) override {
    if (auto ready = check_folder(); !ready) {
      return Result<std::unique_ptr<StoreLock>>(std::unexpected(std::move(ready.error())));
    }
    auto attempt = [path = folder_ + "/" + name_of(key) + ".lock"]() -> Result<std::unique_ptr<StoreLock>> {
      const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
      if (fd < 0) return file_error("open", path);
      auto lock = std::make_unique<FileLock>(fd);
      if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return lock;
      if (errno != EWOULDBLOCK) return file_error("lock", path);
      return nullptr;
    };
    return poll_lock(loop, max_wait, std::move(attempt));
  }

 private:
  std::string path_of(const StoreKey& key) const { return folder_ + "/" + name_of(key) + ".json"; }

  Result<void> check_folder() const {
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

  static Result<std::optional<Stored>> read(const std::string& path) {
    const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (file.fd < 0 && errno == ENOENT) return std::nullopt;
    if (file.fd < 0) return file_error("open", path);
    std::string text;
    std::array<char, 4096> piece{};
    constexpr std::size_t limit = std::size_t{1} << 20U;
    for (ssize_t size = 0; text.size() < limit && (size = ::read(file.fd, piece.data(), piece.size())) > 0;) {
      text.append(piece.data(), static_cast<std::size_t>(size));
    }
    auto payload = json::Payload::parse(std::move(text));
    auto login = payload ? json::decode<Stored>(*payload) : Result<Stored>(std::unexpected(payload.error()));
    if (!login) return fail(ErrorKind::malformed, path + " is damaged; delete it and sign in again");
    return std::optional<Stored>(std::move(*login));
  }

  Result<void> write(const std::string& path, const std::string& text) const {
    if (auto ready = check_folder(); !ready) return ready;
    const auto temporary = path + "." + std::to_string(::getpid()) + ".new";
    ::unlink(temporary.c_str());
    const OpenFile file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (file.fd < 0) return file_error("create", temporary);
    const auto written = ::write(file.fd, text.data(), text.size());
    const bool complete = written == static_cast<ssize_t>(text.size()) && ::fsync(file.fd) == 0;
    if (complete && ::rename(temporary.c_str(), path.c_str()) == 0) return {};
    auto error = file_error("save the login to", path);
    ::unlink(temporary.c_str());
    return error;
  }

  std::string folder_;
};

}  // namespace

std::shared_ptr<CredentialStore> memory_store() {
  return std::make_shared<MemoryStore>();
}

std::shared_ptr<CredentialStore> file_store(std::string folder) {
  return std::make_shared<FileStore>(std::move(folder));
}

}  // namespace fairlead::auth
