#pragma once

#include <string_view>
#include <vector>

#include "gateway/observe/observer.hpp"

namespace fairlead::gateway {

using session::ServerTimingEntry;

/// Parses a header value and skips invalid entries.
std::vector<ServerTimingEntry> read_server_timing(std::string_view text);
/// Writes as many entries as fit into a header.
std::string write_server_timing(const std::vector<ServerTimingEntry>& timings);

/// Adds a `Server-Timing` header to HTTP responses with the time of each hop and the timings that servers reported:
/// `front;dur=12.3, git;dur=11.8;desc="server", git.db;dur=3`. On one loop.
class ServerTimingObserver final : public Observer {
 public:
  void on_start(session::Call& call, CallRecord& record) override;
  void on_end(session::Call& call, const CallRecord& record) override;
};

}  // namespace fairlead::gateway
