#pragma once

#include <fairlead/base/deadline.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/http/stream.hpp>
#include <memory>
#include <string>

namespace fairlead::http {

/// Opens a TCP connection with TCP_NODELAY, trying each address of the host in turn. The loop's executor must belong to
/// an `io_context`.
Task<Result<std::unique_ptr<Stream>>> connect_plain(EventLoop loop, std::string host, std::uint16_t port,
                                                    Deadline deadline = {});

}  // namespace fairlead::http
