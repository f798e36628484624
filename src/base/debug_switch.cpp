#include <fairlead/base/debug_switch.hpp>

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

bool is_word_of_ours(std::string_view text) {
  return is_one_of(yes, text) || is_one_of(no, text) || text.find('/') != std::string_view::npos;
}

std::optional<DebugDecision> read(const std::optional<std::string>& wish, DebugSource source) {
  if (!wish || wish->empty()) return std::nullopt;
  if (is_one_of(no, *wish)) return DebugDecision{.on = false, .source = source};
  return DebugDecision{.on = true, .file = is_one_of(yes, *wish) ? "" : *wish, .source = source};
}

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
}

std::unique_ptr<LogSink> open_file(const std::string& path, LogLevel least) {
  if (path.empty()) return std::make_unique<NullSink>();
  return std::make_unique<FileSink>(path, least);
}

}  // namespace

DebugDecision decide_debug(const DebugWishes& wishes) {
  if (auto decision = read(wishes.command_line, DebugSource::command_line)) return *std::move(decision);
  if (auto decision = read(wishes.environment, DebugSource::environment)) return *std::move(decision);
  if (auto decision = read(wishes.configuration, DebugSource::configuration)) return *std::move(decision);
  return {};
}

std::optional<std::string> debug_environment() {
  if (auto own = variable("FAIRLEAD_DEBUG")) return own;
  auto common = variable("DEBUG");
  return common && is_word_of_ours(*common) ? common : std::nullopt;
}

ProgramLog::ProgramLog(DebugDecision decision, LogLevel least, int descriptor)
    : decision_(std::move(decision)),
      least_(decision_.on ? std::min(least, LogLevel::debug) : std::max(least, LogLevel::info)),
      stderr_(least_, LogTime::iso, descriptor),
      file_(open_file(decision_.file, least_)),
      both_(stderr_, *file_),
      clean_(both_, redactor_) {}

}  // namespace fairlead
