#include <array>
#include <cerrno>
#include <cstring>
#include <fairlead/base/blocking_pool.hpp>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/json/codec.hpp>
#include <fcntl.h>
#include <spawn.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "auth/client/store_parts.hpp"

namespace fairlead::auth {
namespace {

struct HelperEnd {
  bool success = false;
  std::string output = {};
};

std::string read_all(int from) {
  std::string text;
  std::array<char, 4096> piece{};
  for (ssize_t size = 0; (size = ::read(from, piece.data(), piece.size())) != 0;) {
    if (size > 0) text.append(piece.data(), static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR) break;
  }
  return text;
}

/// The text as a file without a name: unlike a pipe, it never blocks and never fails in the middle.
Descriptor file_with(const std::string& text) {
  Descriptor file(::memfd_create("fairlead", MFD_CLOEXEC));
  const bool is_written = file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  return is_written && ::lseek(file.get(), 0, SEEK_SET) == 0 ? std::move(file) : Descriptor();
}

/// Runs the helper. Secrets pass by stdin and stdout, never as arguments. Blocks.
Result<HelperEnd> run_helper(std::vector<std::string> command, const std::string& input) {
  const auto failed = [&](int number) {
    return fail(ErrorKind::invalid,
                "cannot run the credential helper " + command.front() + ": " + std::strerror(number));
  };
  const auto given = file_with(input);
  std::array<int, 2> ends{-1, -1};
  if (!given || ::pipe2(ends.data(), O_CLOEXEC) != 0) return failed(errno);
  const Descriptor output(ends[0]);
  Descriptor written(ends[1]);
  std::vector<char*> words;
  for (auto& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t files{};
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, given.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, written.get(), STDOUT_FILENO);
  pid_t pid = -1;
  const int started = ::posix_spawnp(&pid, words.front(), &files, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (started != 0) return failed(started);
  written.reset();
  HelperEnd end{.output = read_all(output.get())};
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  end.success = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return end;
}

class CommandStore final : public CredentialStore {
 public:
  CommandStore(std::vector<std::string> command, std::string folder)
      : command_(std::move(command)), folder_(std::move(folder)) {}

  Task<Result<std::optional<Stored>>> load(StoreKey key) override { return load_named(name_of(key)); }
  Task<Result<void>> save(StoreKey key, Stored login) override { return change("store", key, json::encode(login)); }
  Task<Result<void>> remove(StoreKey key) override { return change("erase", key, std::string()); }
  Task<Result<std::vector<Stored>>> list() override;
  // The helper has no versions: every change touches the lock file.
  std::function<std::uint64_t()> version_of(const StoreKey& key) const override {
    return [path = folder_.lock_path(key)] { return file_version(path); };
  }
  Task<Result<std::unique_ptr<StoreLock>>> lock(EventLoop loop, StoreKey key, Duration max_wait) override {
    return folder_.lock(loop, key, max_wait);
  }

 private:
  Task<Result<HelperEnd>> run(std::string action, std::string name, std::string input) {
    auto command = command_;
    command.push_back(std::move(action));
    if (!name.empty()) command.push_back(std::move(name));
    return pool_.run([command = std::move(command), input = std::move(input)] { return run_helper(command, input); });
  }
  Task<Result<std::optional<Stored>>> load_named(std::string name);
  Task<Result<void>> change(std::string action, StoreKey key, std::string input);

  std::vector<std::string> command_;
  LockFolder folder_;
  BlockingPool pool_{1, 1024};
};

// Helpers fail for a login that they do not have.
Task<Result<std::optional<Stored>>> CommandStore::load_named(std::string name) {
  auto end = co_await run("get", std::move(name), std::string());
  if (!end) co_return std::unexpected(std::move(end.error()));
  if (end->output.find_first_not_of(" \r\n") == std::string::npos) co_return std::nullopt;
  auto login = read_login(std::move(end->output), "the answer of the credential helper " + command_.front());
  if (!login) co_return std::unexpected(std::move(login.error()));
  co_return std::optional<Stored>(std::move(*login));
}

Task<Result<void>> CommandStore::change(std::string action, StoreKey key, std::string input) {
  const auto end = co_await run(action, name_of(key), std::move(input));
  if (!end) co_return std::unexpected(end.error());
  ::utimensat(AT_FDCWD, folder_.lock_path(key).c_str(), nullptr, 0);
  if (end->success) co_return Result<void>();
  co_return fail(ErrorKind::refused,
                 "the credential helper " + command_.front() + " failed to " + action + " the login");
}

Task<Result<std::vector<Stored>>> CommandStore::list() {
  auto end = co_await run("list", std::string(), std::string());
  if (!end) co_return std::unexpected(std::move(end.error()));
  std::vector<Stored> all;
  std::istringstream names(std::move(end->output));
  for (std::string name; names >> name;) {
    auto login = co_await load_named(name);
    if (!login) co_return std::unexpected(std::move(login.error()));
    if (*login) all.push_back(std::move(**login));
  }
  co_return all;
}

}  // namespace

std::shared_ptr<CredentialStore> command_store(std::vector<std::string> command, std::string folder) {
  return std::make_shared<CommandStore>(std::move(command), std::move(folder));
}

}  // namespace fairlead::auth
