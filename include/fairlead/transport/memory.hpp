#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/transport/byte_stream.hpp>
#include <fairlead/transport/transport.hpp>
#include <memory>
#include <utility>

namespace fairlead::transport {

using TransportPair = std::pair<std::unique_ptr<Transport>, std::unique_ptr<Transport>>;
using ByteStreamPair = std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>>;

/// Two connected transports in one process and on one loop. Messages are passed as values, without serialization. A
/// sender waits while `capacity` messages are queued.
TransportPair memory_pair(EventLoop loop, std::size_t capacity = 64);

struct MemoryBytes {
  std::size_t capacity = 64 * 1024;  ///< A writer waits while this many bytes are queued.
  std::size_t chunk = 0;             ///< Maximum size of one read; 0 for no limit.
};

/// Two connected byte streams in memory, for tests that control how the bytes are split.
ByteStreamPair memory_byte_pair(EventLoop loop, MemoryBytes options = {});

}  // namespace fairlead::transport
