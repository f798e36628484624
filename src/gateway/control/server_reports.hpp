#pragma once

#include <vector>

#include "gateway/control/control_report.hpp"
#include "gateway/gateway.hpp"

namespace fairlead::gateway {

/// The servers as their operator sees them; of one of which each caller has his own, all of them in one row.
std::vector<ServerReport> server_reports(const Gateway& gateway);

/// The same of one.
ServerReport server_report(const ServerStatus& status, const ServerFigures& figures);

}  // namespace fairlead::gateway
