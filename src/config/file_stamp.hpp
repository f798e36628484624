#pragma once

#include <optional>
#include <string>
#include <sys/stat.h>
#include <tuple>

namespace fairlead::config {

/// Identifies the content of a file without reading it (device, inode, size, mtime). Empty if the file does not exist.
using FileStamp = std::optional<std::tuple<dev_t, ino_t, off_t, time_t, long>>;

inline FileStamp stamp_of(const std::string& file) {
  struct stat found{};
  if (::stat(file.c_str(), &found) != 0) return std::nullopt;
  return std::tuple(found.st_dev, found.st_ino, found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
}

}  // namespace fairlead::config
