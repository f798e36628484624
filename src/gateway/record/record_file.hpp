#pragma once

#include <cstddef>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/result.hpp>

namespace fairlead {
class LogSink;
}

namespace fairlead::gateway {

/// A file that only its owner may read, written line by line. After a write error the file ends with the last complete
/// line, and the error is logged.
class RecordFile {
 public:
  /// `log` outlives it. An existing file is overwritten only with `force`.
  static Result<std::shared_ptr<RecordFile>> create(const std::string& path, bool force, LogSink& log);

  RecordFile(std::string path, Descriptor file, LogSink& log);

  void write(std::string line);

 private:
  std::string path_;
  Descriptor file_;
  LogSink& log_;
  std::size_t lines_ = 0;
  std::size_t bytes_ = 0;  // Of complete lines.
  bool ended_ = false;
};

}  // namespace fairlead::gateway
