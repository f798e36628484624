#include <array>
#include <cerrno>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/json/codec.hpp>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include "auth/client/store_parts.hpp"

namespace fairlead::auth {
namespace {

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
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path(), failed)) {
      if (entry.path().extension() != ".json") continue;
      auto login = read(entry.path().string());
      if (login && *login) all.push_back(std::move(**login));
    }
    return Result<std::vector<Stored>>(std::move(all));
  }
  std::function<std::uint64_t()> version_of(const StoreKey& key) const override {
    return [path = path_of(key)] { return file_version(path); };
  }
  Task<Result<std::unique_ptr<StoreLock>>> lock(EventLoop loop, StoreKey key, Duration max_wait) override {
    return folder_.lock(loop, key, max_wait);
  }

 private:
  std::string path_of(const StoreKey& key) const { return folder_.path() + "/" + name_of(key) + ".json"; }

  static Result<std::optional<Stored>> read(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file && errno == ENOENT) return std::nullopt;
    if (!file) return file_error("open", path);
    std::string text;
    std::array<char, 4096> piece{};
    constexpr std::size_t limit = std::size_t{1} << 20U;
    for (ssize_t size = 0; text.size() < limit && (size = ::read(file.get(), piece.data(), piece.size())) > 0;) {
      text.append(piece.data(), static_cast<std::size_t>(size));
    }
    auto login = read_login(std::move(text), path);
    if (!login) return std::unexpected(std::move(login.error()));
    return std::optional<Stored>(std::move(*login));
  }

  Result<void> write(const std::string& path, const std::string& text) const {
    if (auto ready = folder_.check(); !ready) return ready;
    const auto temporary = path + "." + std::to_string(::getpid()) + ".new";
    ::unlink(temporary.c_str());
    const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file) return file_error("create", temporary);
    const auto written = ::write(file.get(), text.data(), text.size());
    const bool complete = written == static_cast<ssize_t>(text.size()) && ::fsync(file.get()) == 0;
    if (complete && ::rename(temporary.c_str(), path.c_str()) == 0) return {};
    auto error = file_error("save the login to", path);
    ::unlink(temporary.c_str());
    return error;
  }

  LockFolder folder_;
};

}  // namespace

std::shared_ptr<CredentialStore> file_store(std::string folder) {
  return std::make_shared<FileStore>(std::move(folder));
}

}  // namespace fairlead::auth
