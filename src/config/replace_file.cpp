#include "config/replace_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fairlead/base/descriptor.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fairlead::config {
namespace {

std::unexpected<Error> unwritable(const std::string& path) {
  const int number = errno;
  return fail(ErrorKind::refused, fmt::format("{} cannot be written: {}", path, std::strerror(number)));
}

bool write_whole(int file, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0;
}

bool keep_mode(int file, const std::string& of) {
  struct stat old{};
  if (::stat(of.c_str(), &old) != 0) return errno == ENOENT;
  // fchown fails unless the owner is root; the permissions matter.
  if (::fchown(file, old.st_uid, old.st_gid) != 0) errno = 0;
  return ::fchmod(file, old.st_mode & 07777U) == 0;
}

}  // namespace

Result<void> replace_file(const std::string& path, std::string_view text) {
  std::error_code ignored;
  const auto resolved = std::filesystem::weakly_canonical(path, ignored);
  const std::string target = ignored ? path : resolved.string();
  std::string draft = target + ".XXXXXX";
  const Descriptor file(::mkstemp(draft.data()));
  if (!file) return unwritable(path);
  const bool done =
      write_whole(file.get(), text) && keep_mode(file.get(), target) && std::rename(draft.c_str(), target.c_str()) == 0;
  if (done) return {};
  auto refused = unwritable(path);
  ::unlink(draft.c_str());
  return refused;
}

}  // namespace fairlead::config
