#pragma once

#include <string>
#include <utility>

#include "gateway/config/file_stamp.hpp"
#include "gateway/pin/pins.hpp"

namespace fairlead::gateway {

/// What a file of pins says now.
class PinBook {
 public:
  explicit PinBook(std::string file) : file_(std::move(file)) { read(); }

  const std::string& file() const { return file_; }
  /// An error where the file is no such file, or somebody else could have written it.
  const Result<Pins>& pins() const { return pins_; }

  /// Reads it again if it is another than before; whether it was.
  bool look_again() {
    if (stamp_of(file_) == stamp_) return false;
    read();
    return true;
  }

 private:
  void read() {
    stamp_ = stamp_of(file_);
    pins_ = read_pins(file_);
  }

  std::string file_;
  FileStamp stamp_;
  Result<Pins> pins_;
};

}  // namespace fairlead::gateway
