#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <fairlead/base/descriptor.hpp>
#include <functional>
#include <memory>
#include <string_view>

namespace fairlead::transport {

/// Reads a pipe continuously, so that its writer never blocks.
class PipeReader : public std::enable_shared_from_this<PipeReader> {
 public:
  /// `on_bytes` receives the data, and an empty piece at the end.
  PipeReader(const boost::asio::any_io_executor& executor, Descriptor descriptor,
             std::function<void(std::string_view)> on_bytes);

  void start();
  /// Reads the available data and closes.
  void finish();
  /// Closes without further callbacks.
  void stop();

 private:
  void take_available();
  void close();

  boost::asio::posix::stream_descriptor native_;
  std::function<void(std::string_view)> on_bytes_;
};

}  // namespace fairlead::transport
