#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <fairlead/transport/descriptor.hpp>
#include <functional>
#include <memory>
#include <string_view>

namespace fairlead::transport {

/// Reads a pipe as fast as it fills, so that whoever writes to it never waits.
class Drain : public std::enable_shared_from_this<Drain> {
 public:
  /// `on_bytes` gets what comes, and an empty piece at the end.
  Drain(const boost::asio::any_io_executor& executor, Descriptor descriptor,
        std::function<void(std::string_view)> on_bytes);

  void start();
  /// Takes what is there and closes.
  void finish();
  /// Closes, and calls nobody any more.
  void stop();

 private:
  void take_available();
  void close();

  boost::asio::posix::stream_descriptor native_;
  std::function<void(std::string_view)> on_bytes_;
};

}  // namespace fairlead::transport
