#pragma once

#include <fairlead/transport/framed_transport.hpp>

namespace fairlead::transport {

/// Default options of a stdio server: it answers in the framing that the client uses.
FramedOptions stdio_options();

/// Uses the stdin and stdout of this process until it is destroyed.
///
/// Meanwhile descriptor 0 reads nothing and descriptor 1 is redirected to stderr, so that output of handlers or child
/// processes cannot reach the peer. Only one at a time per process. Closing it signals the end to the peer, unless
/// another process holds the streams; then they are not restored.
std::unique_ptr<Transport> stdio_transport(EventLoop loop, FramedOptions options = stdio_options());

}  // namespace fairlead::transport
