#include <fairlead/base/log_sinks.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/log_line.hpp"

namespace fairlead {

FileSink::FileSink(std::filesystem::path path, LogLevel min_level, LogTime time)
    : path_(std::move(path)), min_level_(min_level), time_(time) {}

FileSink::~FileSink() {
  close();
}

void FileSink::write(LogLevel level, std::string_view component, std::string_view message) noexcept try {
  if (!enabled(level)) return;
  const auto line = log_line(time_, level, component, message);
  const std::lock_guard lock(mutex_);
  if (!open_if_needed()) {
    ++lost_;
    return;
  }
  if (lost_ > 0) {
    const auto notice = log_line(time_, LogLevel::warning, "log", std::to_string(lost_) + " lines were dropped here");
    if (append(notice)) lost_ = 0;
  }
  if (!append(line)) ++lost_;
} catch (...) {
  // Out of memory: drop the line rather than end the process.
}

std::size_t FileSink::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

// Compares the path with the open descriptor, because log rotation moves the file.
bool FileSink::open_if_needed() {
  struct stat ours{}, named{};
  const bool same = descriptor_ >= 0 && ::fstat(descriptor_, &ours) == 0 && ::stat(path_.c_str(), &named) == 0 &&
                    ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
  if (same) return true;
  close();
  std::error_code ignored;
  if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path(), ignored);
  // Readable by the owner only: logs may contain private data.
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, S_IRUSR | S_IWUSR);
  return descriptor_ >= 0;
}

bool FileSink::append(std::string_view line) {
  std::size_t written = 0;
  if (partial_line_ && !write_all(descriptor_, "\n", &written)) return false;
  partial_line_ = false;
  const bool whole = write_all(descriptor_, line, &written);
  partial_line_ = !whole && written > 0;
  return whole;
}

void FileSink::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  partial_line_ = false;
}

}  // namespace fairlead
