#include "answer/reply.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cctype>
#include <fairlead/json/payload.hpp>
#include <fmt/format.h>

#include "answer/json_access.hpp"

namespace fairlead::answer {
namespace {

namespace bj = boost::json;

/// Calls `take` with every part of every message.
template <class Take>
void for_each_part(const bj::value& output, Take take) {
  const auto* items = output.if_array();
  if (items == nullptr) return;
  for (const auto& item : *items) {
    const auto* parts = list_at(item, "content");
    if (parts == nullptr) continue;
    for (const auto& part : *parts) take(part);
  }
}

/// The parts of this type, joined by blank lines.
std::string joined_parts(const bj::value& output, std::string_view type, std::string_view member) {
  std::string text;
  for_each_part(output, [&](const bj::value& part) {
    if (text_at(part, "type") != type) return;
    if (!text.empty()) text += "\n\n";
    text += text_at(part, member);
  });
  return text;
}

std::string text_in(const bj::value& reply, const bj::value& output) {
  if (const auto whole = text_at(reply, "output_text"); !whole.empty()) return std::string(whole);
  auto text = joined_parts(output, "output_text", "text");
  return text.empty() ? joined_parts(output, "refusal", "refusal") : text;
}

/// The reason for an empty answer, if the reply has one.
std::string why_empty(const bj::value& reply) {
  if (const auto* details = member_at(reply, "incomplete_details")) {
    if (const auto reason = text_at(*details, "reason"); !reason.empty()) {
      return fmt::format("the model returned no answer: {}", reason);
    }
  }
  return "the model returned no answer; retry or rephrase the question";
}

/// The position of a line that starts with "Sources:", also with Markdown marks.
std::size_t find_section(std::string_view text) {
  constexpr std::string_view name = "sources:";
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  for (std::size_t line = 0; line < text.size();) {
    const auto word = text.find_first_not_of("#*_ \t", line);
    if (word == std::string_view::npos) break;
    const auto begin = text.substr(word, name.size());
    if (std::ranges::equal(begin, name, same)) return line;
    line = text.find('\n', line);
    if (line == std::string_view::npos) break;
    ++line;
  }
  return std::string_view::npos;
}

}  // namespace

std::string with_sources(std::string text, const std::vector<Citation>& citations) {
  const auto section = find_section(text);
  const bool has_section = section != std::string_view::npos;
  if (has_section && !iso_date_in(std::string_view(text).substr(section)).empty()) return text;
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (!has_section) text += text.empty() ? "Sources:" : "\n\nSources:";
  for (const auto& citation : citations) text += fmt::format("\n- {} ({})", citation.url, citation.published_at);
  return text;
}

std::string day_in_tokyo(std::chrono::system_clock::time_point now) {
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(now + std::chrono::hours{9})};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

Result<Answer> read_reply(std::string body, std::string_view model, std::size_t max_citations, std::string_view today) {
  const auto payload = json::Payload::parse(std::move(body));
  if (!payload) return fail(ErrorKind::malformed, "the endpoint's reply is not valid JSON: " + payload.error().message);
  const auto& reply = payload->value();
  if (!reply.is_object()) return fail(ErrorKind::malformed, "the endpoint's reply is not an object");
  if (const auto* error = member_at(reply, "error"); error != nullptr && error->is_object()) {
    return fail(ErrorKind::refused, std::string(text_at(*error, "message")));
  }
  static const bj::value nothing;
  const auto* found = member_at(reply, "output");
  const auto& output = found != nullptr ? *found : nothing;
  Answer answer{.answer = text_in(reply, output), .model = std::string(model)};
  const auto sources = sources_in_reply(output);
  answer.used_search = sources.searched;
  answer.citations = merge_citations(sources, max_citations, today);
  if (answer.answer.empty() && answer.citations.empty()) return fail(ErrorKind::malformed, why_empty(reply));
  if (answer.used_search && !answer.citations.empty()) answer.answer = with_sources(answer.answer, answer.citations);
  return answer;
}

}  // namespace fairlead::answer
