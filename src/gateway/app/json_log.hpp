#pragma once

#include <cstddef>
#include <fairlead/base/debug_options.hpp>
#include <mutex>

namespace fairlead::gateway {

/// Writes one JSON object per line to a file descriptor: `time`, `level`, `component` and `message`. Never blocks: if
/// the reader is too slow, lines are dropped, and the next line has their number in `lost`. Thread-safe.
class JsonSink final : public LogSink {
 public:
  JsonSink(LogLevel least, int descriptor) : least_(least), descriptor_(descriptor) {}

  bool enabled(LogLevel level) const noexcept override { return level >= least_; }
  void write(LogLevel level, std::string_view source, std::string_view message) noexcept override;

 private:
  bool has_room() const;

  std::mutex mutex_;
  LogLevel least_;
  int descriptor_;
  std::size_t lost_ = 0;
};

/// Creates the program's log, as text or JSON on stderr. The debug file is text.
std::unique_ptr<ProgramLog> make_log(const DebugDecision& decision, LogLevel least, bool json);

}  // namespace fairlead::gateway
