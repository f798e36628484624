#pragma once

#include <fairlead/transport/framed_transport.hpp>
#include <memory>

namespace fairlead::transport {

/// A server's options on stdio: it answers in the framing that it is spoken to.
FramedOptions stdio_options();

/// Takes this process's stdin and stdout for the conversation, until it is destroyed.
///
/// Meanwhile descriptor 0 reads nothing and descriptor 1 goes to stderr, so that whatever a handler or a child of its
/// prints can never reach the peer. One at a time in a process. Closing it shows the peer the end, as long as no other
/// process has the streams; they are then not given back.
std::unique_ptr<Transport> stdio_transport(Loop loop, FramedOptions options = stdio_options());

}  // namespace fairlead::transport
