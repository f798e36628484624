#pragma once

#include <string_view>
#include <sys/types.h>

namespace fairlead::transport {

/// Writes to a descriptor without ever raising SIGPIPE; what the system says is in `errno` as always.
class QuietWriter {
 public:
  /// Looks once at what kind of descriptor it is and whether the program ignores SIGPIPE anyway.
  explicit QuietWriter(int descriptor);

  ssize_t write(std::string_view bytes) const;

 private:
  ssize_t write_guarded(std::string_view bytes) const;

  int descriptor_;
  bool is_socket_;
  bool ignored_;
};

}  // namespace fairlead::transport
