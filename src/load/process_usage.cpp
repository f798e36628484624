#include "load/process_usage.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include "base/parse_number.hpp"
#include "base/read_file.hpp"

namespace fairlead::load {
namespace {

namespace fs = std::filesystem;

struct ProcessRow {
  pid_t parent = 0;
  double cpu_seconds = 0;
  std::uint64_t resident = 0;
};

// Empty if unreadable: a process may end between open and read.
std::string whole_file(const fs::path& path) {
  return read_file(path).value_or("");
}

// The name in parentheses may contain anything, so fields are counted after it; the first is the state.
std::optional<ProcessRow> process_row(const fs::path& folder) {
  const auto text = whole_file(folder / "stat");
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  std::vector<std::string> values(std::istream_iterator<std::string>(fields), {});
  constexpr std::size_t parent = 1, user_time = 11, system_time = 12, resident_pages = 21;
  if (values.size() <= resident_pages) return std::nullopt;
  const auto ticks = std::stod(values[user_time]) + std::stod(values[system_time]);
  return ProcessRow{.parent = static_cast<pid_t>(std::stol(values[parent])),
                    .cpu_seconds = ticks / static_cast<double>(::sysconf(_SC_CLK_TCK)),
                    .resident = std::stoull(values[resident_pages]) * static_cast<std::uint64_t>(::getpagesize())};
}

std::map<pid_t, ProcessRow> all_processes() {
  std::map<pid_t, ProcessRow> rows;
  std::error_code ignored;
  for (fs::directory_iterator each("/proc", ignored), end; each != end; each.increment(ignored)) {
    const auto number = parse_number<pid_t>(each->path().filename().string());
    const auto row = number ? process_row(each->path()) : std::nullopt;
    if (row) rows.emplace(*number, *row);
  }
  return rows;
}

// Fields of /proc/net/tcp: number, local address, remote address, state, …; the tenth is the inode.
std::set<std::string> listening_inodes(std::uint16_t port) {
  constexpr std::size_t local = 1, state = 3, inode = 9;
  std::set<std::string> inodes;
  for (const auto* path : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      std::istringstream fields(line);
      const std::vector<std::string> values(std::istream_iterator<std::string>(fields), {});
      if (values.size() <= inode || values[state] != "0A") continue;
      const auto colon = values[local].rfind(':');
      if (colon != std::string::npos && std::stoul(values[local].substr(colon + 1), nullptr, 16) == port) {
        inodes.insert("socket:[" + values[inode] + "]");
      }
    }
  }
  return inodes;
}

bool holds_any(pid_t process, const std::set<std::string>& inodes) {
  std::error_code ignored;
  for (fs::directory_iterator each("/proc/" + std::to_string(process) + "/fd", ignored), end; each != end;
       each.increment(ignored)) {
    if (inodes.contains(fs::read_symlink(each->path(), ignored).string())) return true;
  }
  return false;
}

}  // namespace

std::optional<ProcessUsage> usage_of(pid_t process) {
  const auto rows = all_processes();
  if (!rows.contains(process)) return std::nullopt;
  std::vector<pid_t> family{process};
  for (std::size_t i = 0; i < family.size(); ++i) {
    for (const auto& [number, row] : rows) {
      if (row.parent == family[i]) family.push_back(number);
    }
  }
  ProcessUsage usage;
  for (const auto member : family) {
    usage.cpu_seconds += rows.at(member).cpu_seconds;
    usage.resident += rows.at(member).resident;
    ++usage.processes;
  }
  return usage;
}

std::optional<pid_t> listener_on(std::uint16_t port) {
  const auto inodes = listening_inodes(port);
  if (inodes.empty()) return std::nullopt;
  // The lowest pid: child processes may have inherited the socket.
  for (const auto& [number, row] : all_processes()) {
    if (holds_any(number, inodes)) return number;
  }
  return std::nullopt;
}

double own_cpu_seconds() {
  rusage used = {};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace fairlead::load
