#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/observe/observer.hpp"

namespace fairlead::gateway {

/// One entry of a `Server-Timing` header (W3C Server Timing).
struct ServerTimingEntry {
  std::string name;
  std::optional<double> milliseconds = {};
  std::string description = {};

  bool operator==(const ServerTimingEntry&) const = default;
};

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

 private:
  /// Timings of a pending client call.
  struct CallTimings {
    jsonrpc::MessageHeaders response_headers;  ///< Headers set by others.
    std::vector<ServerTimingEntry> hops = {};
    /// Timings reported by servers, by server name.
    std::map<std::string, std::vector<ServerTimingEntry>, std::less<>> behind = {};
  };

  std::shared_ptr<CallTimings> find(const session::Call& call) const;

  // A call and the calls made for it share their response headers, so the pointer identifies it.
  std::map<const jsonrpc::MessageHeaders*, std::shared_ptr<CallTimings>> open_;
};

}  // namespace fairlead::gateway
