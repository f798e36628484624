#include "base/output_tail.hpp"

#include <fairlead/base/diagnosis.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/utf8.hpp>

namespace fairlead {
namespace {

// Removes ANSI escape sequences, which many programs write even to a pipe.
std::string without_terminal_codes(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\x1b' || at + 1 == text.size() || text[at + 1] != '[') {
      plain += text[at];
      continue;
    }
    at += 2;
    while (at < text.size() && (text[at] < '@' || text[at] > '~')) ++at;
  }
  return plain;
}

std::string truncated(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t size = 0;
  for (auto next = utf8_length(text, 0); next > 0 && size + next <= most; next = utf8_length(text, size)) size += next;
  return text.substr(0, size) + "…";
}

}  // namespace

std::string clean_output(std::string_view text, const Redactor& redactor, std::size_t most) {
  std::string clean;
  append_escaped(clean, redactor.redact(without_terminal_codes(text)));
  return truncated(std::move(clean), most);
}

void OutputTail::add(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  lines_.emplace_back(line);
  bytes_ += line.size();
  // Drops whole lines only: in part of a line a secret might not be recognised.
  while (lines_.size() > max_diagnosis_lines || (bytes_ > max_diagnosis_bytes && lines_.size() > 1)) {
    bytes_ -= lines_.front().size();
    lines_.pop_front();
  }
}

std::vector<std::string> OutputTail::lines(const Redactor& redactor) const {
  std::vector<std::string> clean;
  for (const auto& line : lines_) clean.push_back(clean_output(line, redactor, max_diagnosis_line));
  return clean;
}

}  // namespace fairlead
