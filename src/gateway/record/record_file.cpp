#include "gateway/record/record_file.hpp"

#include <cerrno>
#include <cstring>
#include <fairlead/base/log.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log_line.hpp"

namespace fairlead::gateway {
namespace {

constexpr mode_t owner_only = S_IRUSR | S_IWUSR;

// Restricts the mode of an existing file. Devices keep their mode.
bool make_private(int file) {
  struct stat found{};
  if (::fstat(file, &found) != 0) return false;
  return !S_ISREG(found.st_mode) || ::fchmod(file, owner_only) == 0;
}

}  // namespace

Result<std::shared_ptr<RecordFile>> RecordFile::create(const std::string& path, bool force, LogSink& log) {
  const int how = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | (force ? 0 : O_EXCL);
  Descriptor file(::open(path.c_str(), how, owner_only));
  if (!file && errno == EEXIST) {
    return fail(ErrorKind::invalid, path + " already exists; name another file, or use --force to overwrite it");
  }
  // Truncated after the mode is restricted.
  if (!file || !make_private(file.get()) || (::ftruncate(file.get(), 0) != 0 && errno != EINVAL)) {
    return fail(ErrorKind::invalid, fmt::format("{} cannot be written: {}", path, std::strerror(errno)));
  }
  return std::make_shared<RecordFile>(path, std::move(file), log);
}

RecordFile::RecordFile(std::string path, Descriptor file, LogSink& log)
    : path_(std::move(path)), file_(std::move(file)), log_(log) {}

void RecordFile::write(std::string line) {
  if (ended_) return;
  line += '\n';
  std::size_t written = 0;
  if (write_all(file_.get(), line, &written)) {
    ++lines_;
    bytes_ += line.size();
    return;
  }
  const int why = errno;
  ended_ = true;
  const bool torn = written > 0 && ::ftruncate(file_.get(), static_cast<off_t>(bytes_)) != 0;
  log(log_, LogLevel::error, "record", [&] {
    return fmt::format("the recording {} stopped after {} lines{}: {}; the session continues", path_, lines_,
                       torn ? ", the last one incomplete" : "", std::strerror(why));
  });
}

}  // namespace fairlead::gateway
