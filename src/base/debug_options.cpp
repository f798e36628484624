#include <fairlead/base/debug_options.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <utility>

namespace fairlead {
namespace {

constexpr std::array<std::string_view, 4> yes{"true", "1", "yes", "on"};
constexpr std::array<std::string_view, 4> no{"false", "0", "no", "off"};

bool is_one_of(const std::array<std::string_view, 4>& words, std::string_view text) {
  const auto same = [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); };
  return std::ranges::any_of(words, [&](std::string_view word) {
    return std::equal(word.begin(), word.end(), text.begin(), text.end(), same);
  });
}

bool is_own_value(std::string_view text) {
  return is_one_of(yes, text) || is_one_of(no, text) || text.find('/') != std::string_view::npos;
}

std::optional<DebugDecision> read(const std::optional<std::string>& setting, DebugSource source) {
  if (!setting || setting->empty()) return std::nullopt;
  if (is_one_of(no, *setting)) return DebugDecision{.on = false, .source = source};
  return DebugDecision{.on = true, .file = is_one_of(yes, *setting) ? "" : *setting, .source = source};
}

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
}

std::unique_ptr<LogSink> open_file(const std::string& path, LogLevel level) {
  if (path.empty()) return std::make_unique<NullSink>();
  return std::make_unique<FileSink>(path, level);
}

LogLevel decided_level(const DebugDecision& decision, LogLevel min_level) {
  return decision.on ? std::min(min_level, LogLevel::debug) : std::max(min_level, LogLevel::info);
}

}  // namespace

DebugDecision decide_debug(const DebugSettings& settings) {
  if (auto decision = read(settings.command_line, DebugSource::command_line)) return *std::move(decision);
  if (auto decision = read(settings.environment, DebugSource::environment)) return *std::move(decision);
  if (auto decision = read(settings.configuration, DebugSource::configuration)) return *std::move(decision);
  return {};
}

std::optional<std::string> debug_environment() {
  if (auto own = variable("FAIRLEAD_DEBUG")) return own;
  auto common = variable("DEBUG");
  return common && is_own_value(*common) ? common : std::nullopt;
}

ProgramLog::ProgramLog(DebugDecision decision, LogLevel min_level, int descriptor)
    : ProgramLog(decision, decided_level(decision, min_level),
                 std::make_unique<StderrSink>(decided_level(decision, min_level), LogTime::iso, descriptor)) {}

ProgramLog::ProgramLog(DebugDecision decision, LogLevel level, std::unique_ptr<LogSink> output)
    : decision_(std::move(decision)),
      level_(level),
      output_(std::move(output)),
      file_(open_file(decision_.file, level_)),
      both_(*output_, *file_),
      clean_(both_, redactor_) {}

}  // namespace fairlead
