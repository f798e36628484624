#pragma once

#include <cstddef>
#include <fairlead/base/loop.hpp>
#include <fairlead/transport/byte_stream.hpp>
#include <fairlead/transport/transport.hpp>
#include <memory>
#include <utility>

namespace fairlead::transport {

using TransportPair = std::pair<std::unique_ptr<Transport>, std::unique_ptr<Transport>>;
using ByteStreamPair = std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>>;

/// Two ends of a conversation in one process and on one loop: what one sends the other receives, as a value that nobody
/// has written or parsed. A sender waits while `capacity` messages are on their way.
TransportPair memory_pair(Loop loop, std::size_t capacity = 64);

struct MemoryBytes {
  std::size_t capacity = 64 * 1024;  ///< A writer waits while so many bytes are on their way.
  std::size_t chunk = 0;             ///< The most that one read gives; 0 for no limit.
};

/// Two ends of a byte stream in memory, for tests that want to say how it is cut up.
ByteStreamPair memory_byte_pair(Loop loop, MemoryBytes options = {});

}  // namespace fairlead::transport
