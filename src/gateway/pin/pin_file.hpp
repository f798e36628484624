#pragma once

#include <utility>

#include "config/file_stamp.hpp"
#include "gateway/pin/pins.hpp"

namespace fairlead::gateway {

/// The current content of a pin file.
class PinFile {
 public:
  explicit PinFile(std::string file) : file_(std::move(file)) { read(); }

  const std::string& file() const { return file_; }
  /// Fails if the file is malformed or other users can write it.
  const Result<Pins>& pins() const { return pins_; }

  /// Reads the file again if it changed. Returns true if it did.
  bool reload_if_changed() {
    if (config::stamp_of(file_) == stamp_) return false;
    read();
    return true;
  }

 private:
  void read() {
    stamp_ = config::stamp_of(file_);
    pins_ = read_pins(file_);
  }

  std::string file_;
  config::FileStamp stamp_;
  Result<Pins> pins_;
};

}  // namespace fairlead::gateway
