#pragma once

#include <cstdint>
#include <fairlead/base/deadline.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/http/stream.hpp>
#include <memory>
#include <string>

namespace fairlead::http {

/// A plain connection, without delay; every address of the name is tried in turn. The loop's executor must be an
/// `io_context`'s.
Task<Result<std::unique_ptr<Stream>>> connect_plain(Loop loop, std::string host, std::uint16_t port,
                                                    Deadline deadline = {});

}  // namespace fairlead::http
