#include <fairlead/base/diagnosis.hpp>

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"

namespace fairlead {
namespace {

// Separates the reason from the server's output in a message; no reason contains it.
constexpr std::string_view output_mark = "; it printed ";

std::string printed_text(const Diagnosis& diagnosis) {
  std::string text;
  if (diagnosis.stdout_) {
    text.append(output_mark).append("\"").append(*diagnosis.stdout_);
    text += "\" on stdout, which is not a protocol message (a server prints such lines on stderr)";
  }
  if (diagnosis.stderr_.empty()) return text;
  text.append(output_mark).append("on stderr:");
  const std::string_view before = diagnosis.stderr_.size() == 1 ? " " : "\n  ";
  for (const auto& line : diagnosis.stderr_) text.append(before).append(line);
  return text;
}

bool is_plain(char c) {
  constexpr std::string_view others = "%+,-./:=@_";
  return ascii::is_alphanumeric(c) || others.contains(c);
}

std::string shell_word(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += R"('\'')";
    } else {
      quoted += c;
    }
  }
  return quoted + '\'';
}

}  // namespace

Error with_diagnosis(Error error, Diagnosis diagnosis) {
  if (error.diagnosis && error.diagnosis->step) diagnosis.step = error.diagnosis->step;
  error.message += printed_text(diagnosis);
  error.diagnosis = std::make_shared<const Diagnosis>(std::move(diagnosis));
  return error;
}

Error with_step(Error error, std::string_view step) {
  if (error.diagnosis && error.diagnosis->step) return error;
  auto noted = error.diagnosis ? *error.diagnosis : Diagnosis();
  noted.step = step;
  error.diagnosis = std::make_shared<const Diagnosis>(std::move(noted));
  return error;
}

Error without_output(Error error) {
  if (!error.diagnosis) return error;
  // Searches for the mark instead of comparing texts: the message may have been redacted since.
  error.message = error.message.substr(0, error.message.find(output_mark));
  auto rest = *error.diagnosis;
  rest.stderr_.clear();
  rest.stdout_.reset();
  error.diagnosis = std::make_shared<const Diagnosis>(std::move(rest));
  return error;
}

std::string one_line(std::string_view text) {
  std::string line;
  while (true) {
    const auto end = text.find('\n');
    line += text.substr(0, end);
    if (end == std::string_view::npos) return line;
    text.remove_prefix(end + 1);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    line += line.ends_with(':') ? " " : " | ";
  }
}

std::string shell_quoted(const std::vector<std::string>& words) {
  std::string line;
  for (const auto& word : words) line.append(line.empty() ? "" : " ").append(shell_word(word));
  return line;
}

}  // namespace fairlead
