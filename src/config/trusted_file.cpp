#include "config/trusted_file.hpp"

#include <cerrno>
#include <cstring>
#include <fairlead/base/descriptor.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fairlead::config {
namespace {

constexpr off_t max_trusted_file_bytes = 256 * 1024 * 1024;

std::unexpected<Error> unreadable(const std::filesystem::path& path) {
  return fail(ErrorKind::invalid, "cannot read " + path.string() + ": " + std::strerror(errno));
}

bool read_whole(int file, std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto count = ::read(file, text.data() + at, text.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) text.resize(at);
    at += static_cast<std::size_t>(count);
  }
  return true;
}

bool is_trusted(const struct stat& about) {
  const bool is_trusted = about.st_uid == ::geteuid() || about.st_uid == 0;
  return S_ISREG(about.st_mode) && is_trusted && (about.st_mode & 022) == 0;
}

}  // namespace

Result<std::optional<std::string>> read_trusted_file(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file && errno == ENOENT) return std::nullopt;
  struct stat about = {};
  if (!file || ::fstat(file.get(), &about) != 0) return unreadable(path);
  if (!is_trusted(about) || about.st_size > max_trusted_file_bytes) {
    return fail(ErrorKind::invalid, path.string() + " was not read: other users can write it. Remove it");
  }
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  if (!read_whole(file.get(), text)) return unreadable(path);
  return text;
}

}  // namespace fairlead::config
