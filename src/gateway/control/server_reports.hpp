#pragma once

#include "gateway/control/control_report.hpp"
#include "gateway/observe/call_metrics.hpp"
#include "gateway/upstream/server_status.hpp"

namespace fairlead::gateway {

/// Status of all servers. Connections of all callers to one server are combined.
std::vector<ServerReport> server_reports(const std::vector<ServerStatus>& servers, const CallMetrics& metrics);

/// Status of one server.
ServerReport server_report(const ServerStatus& status, const ServerStats& server_stats);

}  // namespace fairlead::gateway
