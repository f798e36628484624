#include <fairlead/json/scan.hpp>

#include <memory>

#include "json/structural_validator.hpp"

// Stage 1 of simdjson finds every structural character at several GB/s, checks UTF-8 and needs no padding. Its class
// is in simdjson's `internal` namespace; only this file uses it (docs/decisions/0002).
#include <simdjson.h>

namespace fairlead::json {
namespace {

using Stage1 = simdjson::internal::dom_parser_implementation;

constexpr std::size_t smallest_index = std::size_t{1} << 12;
constexpr std::size_t largest_kept_index = std::size_t{1} << 22;
constexpr std::size_t max_kept_members = std::size_t{1} << 12;

// Per-thread scratch memory, kept because allocating it costs more than a small scan.
thread_local std::unique_ptr<Stage1> scratch;

simdjson::error_code reserve(std::size_t size) {
  if (scratch && scratch->capacity() >= size) return simdjson::SUCCESS;
  std::size_t capacity = smallest_index;
  while (capacity < size) capacity *= 2;
  scratch.reset();
  return simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, scratch);
}

ScanError refusal(simdjson::error_code error) {
  switch (error) {
    case simdjson::EMPTY: return {.code = ScanErrorCode::empty};
    case simdjson::UTF8_ERROR: return {.code = ScanErrorCode::not_utf8};
    case simdjson::UNCLOSED_STRING: return {.code = ScanErrorCode::syntax, .expected = "a closing quote"};
    case simdjson::UNESCAPED_CHARS:
      return {.code = ScanErrorCode::syntax, .expected = "control characters to be escaped in strings"};
    default: return {.code = ScanErrorCode::too_long};
  }
}

}  // namespace

ScanError scan(std::string_view text, const ScanOptions& options, MemberIndex* index) {
  if (index) {
    if (index->members.capacity() > max_kept_members) index->members = std::vector<MemberIndex::Member>();
    index->members.clear();
  }
  if (text.empty()) return {.code = ScanErrorCode::empty};
  if (text.size() >= std::numeric_limits<std::uint32_t>::max() / 2) return {.code = ScanErrorCode::too_long};
  if (reserve(text.size()) != simdjson::SUCCESS) return {.code = ScanErrorCode::too_long};

  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto error = scratch->stage1(bytes, text.size(), simdjson::stage1_mode::regular);
  auto verdict = error ? refusal(error)
                       : StructuralValidator(text, {scratch->structural_indexes.get(), scratch->n_structural_indexes},
                                             options, index)
                             .run();
  if (text.size() > largest_kept_index) scratch.reset();
  return verdict;
}

std::string ScanError::message() const {
  switch (code) {
    case ScanErrorCode::none: return "no error";
    case ScanErrorCode::empty: return "the text is empty";
    case ScanErrorCode::too_long: return "the text is too long";
    case ScanErrorCode::not_utf8: return "the text is not valid UTF-8";
    case ScanErrorCode::syntax: break;
    case ScanErrorCode::too_deep: return "nested too deep at byte " + std::to_string(offset);
    case ScanErrorCode::duplicate_key:
      return "the same name appears twice in one object, at byte " + std::to_string(offset);
  }
  const std::string wanted = std::string("expected ") + expected;
  return offset == 0 ? wanted : wanted + " at byte " + std::to_string(offset);
}

}  // namespace fairlead::json
