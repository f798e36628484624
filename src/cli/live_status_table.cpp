#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "cli/live_status.hpp"
#include "cli/tap_line_text.hpp"
#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

using gateway::ServerReport;

constexpr std::size_t live_columns = 12;
using LiveRow = std::array<std::string, live_columns>;

const LiveRow live_headers = {"NAME",     "STATE", "PID",    "ERA", "REVISION", "TRANSPORT",
                              "RESTARTS", "CALLS", "ERRORS", "P50", "P99",      "LAST ERROR"};
constexpr std::array<bool, live_columns> right_aligned = {false, false, true, false, false, false,
                                                          true,  true,  true, true,  true,  false};

// A server with one process per caller shows its first pid and the number of others.
std::string pids_in(const ServerReport& server) {
  if (server.pids.empty()) return "-";
  const auto first = std::to_string(server.pids.front());
  return server.pids.size() == 1 ? first : fmt::format("{} +{}", first, server.pids.size() - 1);
}

LiveRow live_row(const ServerReport& server) {
  const auto time = [](const std::optional<double>& ms) { return ms ? show_milliseconds(*ms) : "-"; };
  return {escape_for_terminal(server.name),
          server.state,
          pids_in(server),
          server.era.value_or("-"),
          server.revision.value_or("-"),
          server.transport,
          std::to_string(server.restarts),
          std::to_string(server.calls),
          std::to_string(server.errors),
          time(server.p50Ms),
          time(server.p99Ms),
          escape_for_terminal(one_line(server.lastError.value_or("")))};
}

Colour state_colour(std::string_view state) {
  if (state == "ready") return Colour::green;
  if (state == "failing" || state == "gone") return Colour::red;
  return state == "starting" ? Colour::yellow : Colour::dim;
}

std::string live_line(const LiveRow& row, const std::array<std::size_t, live_columns>& widths, const Screen& screen,
                      bool is_head) {
  std::string line;
  std::size_t used = 0;
  for (std::size_t at = 0; at + 1 < live_columns; ++at) {
    const auto fill = std::string(widths[at] - std::min(widths[at], row[at].size()), ' ');
    auto cell = right_aligned[at] ? fill + row[at] : row[at] + fill;
    if (screen.colours && at == 1 && !is_head) cell = coloured(std::move(cell), state_colour(row[at]));
    line += cell + "  ";
    used += widths[at] + 2;
  }
  const auto width = screen.columns == 0 ? row.back().size() : screen.columns > used ? screen.columns - used : 0;
  line += ellipsize(row.back(), width);
  line = line.substr(0, line.find_last_not_of(' ') + 1);
  return (screen.colours && is_head ? coloured(std::move(line), Colour::dim) : line) + "\n";
}

// The login, and the last output of a failed server, shown below its row.
std::string live_output(const ServerReport& server, const Screen& screen) {
  std::string text;
  const auto add = [&](std::string_view where, const std::string& line) {
    const auto whole = fmt::format("    {}: {}", where, escape_for_terminal(line));
    text += (screen.columns == 0 ? whole : ellipsize(whole, screen.columns)) + "\n";
  };
  if (server.login) add("login", *server.login);
  if (!server.diagnosis) return text;
  if (server.diagnosis->stdout_) add("stdout, not MCP", *server.diagnosis->stdout_);
  for (const auto& line : server.diagnosis->stderr_) add("stderr", line);
  return text;
}

std::string uptime_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min", whole / 60);
  return whole < 86400 ? fmt::format("{} h {} min", whole / 3600, whole / 60 % 60)
                       : fmt::format("{} d {} h", whole / 86400, whole / 3600 % 24);
}

}  // namespace

std::string to_text(const gateway::GatewayReport& report, const Screen& screen) {
  auto text = fmt::format("fairlead {}, pid {}, for {}: {}\n", report.version, report.pid,
                          uptime_text(report.uptimeSeconds), fmt::join(report.listens, ", "));
  std::vector<LiveRow> rows;
  for (const auto& server : report.servers) rows.push_back(live_row(server));
  std::array<std::size_t, live_columns> widths = {};
  for (std::size_t at = 0; at < live_columns; ++at) {
    widths[at] = live_headers[at].size();
    for (const auto& row : rows) widths[at] = std::max(widths[at], row[at].size());
  }
  text += live_line(live_headers, widths, screen, true);
  for (std::size_t at = 0; at < rows.size(); ++at) {
    text += live_line(rows[at], widths, screen, false);
    text += live_output(report.servers[at], screen);
  }
  return text;
}

}  // namespace fairlead::cli
