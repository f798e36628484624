#include "gateway/record/recording.hpp"

#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "base/read_file.hpp"

namespace fairlead::gateway {
namespace {

/// Parses a recording line by line.
class RecordingReader {
 public:
  RecordingReader(const std::string& path, std::string_view text) : rest_(text) { recording_.path = path; }

  Result<Recording> read() {
    if (auto head = read_head(); !head) return std::unexpected(std::move(head.error()));
    while (!rest_.empty()) {
      auto text = next();
      if (!text) return std::unexpected(std::move(text.error()));
      if (text->empty()) continue;
      if (auto added = add(*text); !added) return std::unexpected(std::move(added.error()));
    }
    return std::move(recording_);
  }

 private:
  std::unexpected<Error> error_at(std::string_view what) const {
    return fail(ErrorKind::malformed, fmt::format("{}:{}: {}", recording_.path, number_, what));
  }

  Result<std::string_view> next() {
    ++number_;
    const auto end = rest_.find('\n');
    if (end == std::string_view::npos) {
      return error_at("the file ends in the middle of this line: remove the line to replay the rest");
    }
    const auto text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (text.empty()) return text;
    if (const auto fault = json::scan(text)) return error_at("is not JSON: " + fault.message());
    return text;
  }

  Result<void> read_head() {
    if (rest_.empty()) return fail(ErrorKind::malformed, recording_.path + ":1: the file is empty");
    const auto text = next();
    if (!text) return std::unexpected(text.error());
    const auto head = json::decode<RecordHead>(*text);
    if (!head) return error_at("is not the first line of a recording by fairlead record");
    hop_ = head->hop.value_or("");
    if (head->mcpl == recording_version) return {};
    const auto* hint = head->mcpl < recording_version ? "; record the session again" : "; use a newer fairlead";
    return error_at(fmt::format("expected recording format {}, got {}{}", recording_version, head->mcpl, hint));
  }

  Result<void> add(std::string_view text) {
    auto line = read_line(text);
    if (!line) return error_at(line.error().message);
    if (hop_.empty()) hop_ = line->hop;
    if (line->hop != hop_) return {};
    if (const auto* lack = lacking(*line)) return error_at(fmt::format("{} is missing", lack));
    if (const auto* stray = out_of_place(*line)) return error_at(stray);
    if (line->caller) callers_[line->session] = *line->caller;
    if (line->kind == LineKind::call) line->caller = callers_[line->session];
    recording_.lines.push_back(std::move(*line));
    recording_.numbers.push_back(number_);
    return {};
  }

  static const char* lacking(const RecordLine& line) {
    using enum LineKind;
    const auto kind = line.kind;
    if ((kind == call || kind == notification || kind == server_call || kind == server_notification) && !line.method)
      return "method";
    if ((kind == call || kind == reply) && !line.call) return "call";
    if ((kind == server_call || kind == server_reply) && !line.server_call) return "server_call";
    return (kind == reply || kind == server_reply) && !line.result && !line.error ? "result" : nullptr;
  }

  const char* out_of_place(const RecordLine& line) {
    using enum LineKind;
    if (line.kind == call && !open_.insert(*line.call).second) return "a call with this number is already pending";
    if (line.kind == reply && open_.erase(*line.call) == 0) return "a reply without its call";
    if (line.kind == server_call) sent_.insert(*line.server_call);
    return line.kind == server_reply && sent_.erase(*line.server_call) == 0 ? "a server_reply without its server_call"
                                                                            : nullptr;
  }

  Recording recording_;
  std::string_view rest_;
  std::size_t number_ = 0;
  std::string hop_;
  std::map<std::uint64_t, RecordedCaller> callers_;
  std::set<std::uint64_t> open_, sent_;
};

}  // namespace

Result<Recording> parse_recording(const std::string& path, std::string_view text) {
  return RecordingReader(path, text).read();
}

Result<Recording> read_recording(const std::string& path) {
  auto text = read_file(path);
  if (!text) return std::unexpected(std::move(text.error()));
  return parse_recording(path, *text);
}

}  // namespace fairlead::gateway
