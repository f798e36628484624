#pragma once

#include <string_view>
#include <sys/types.h>

namespace fairlead::transport {

/// Writes to a descriptor without raising SIGPIPE; errors are in `errno`.
class NoSigpipeWriter {
 public:
  /// Determines the kind of the descriptor and whether SIGPIPE is ignored.
  explicit NoSigpipeWriter(int descriptor);

  ssize_t write(std::string_view bytes) const;

 private:
  ssize_t write_guarded(std::string_view bytes) const;

  int descriptor_;
  bool is_socket_;
  bool ignored_;
};

}  // namespace fairlead::transport
