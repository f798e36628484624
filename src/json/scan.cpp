#include <fairlead/json/scan.hpp>

#include <memory>

#include "json/structure_walk.hpp"

// Stage 1 of simdjson finds every structural character at several GB/s, checks UTF-8 and needs no padding. Its class
// lives in simdjson's `internal` namespace; this file is the only one that knows it (docs/decisions/0002).
#include <simdjson.h>

namespace fairlead::json {
namespace {

using Stage1 = simdjson::internal::dom_parser_implementation;

constexpr std::size_t smallest_index = std::size_t{1} << 12;
constexpr std::size_t largest_kept_index = std::size_t{1} << 22;
constexpr std::size_t largest_kept_outline = std::size_t{1} << 12;

// Scratch memory of this thread, kept because growing it costs more than a small scan.
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
    case simdjson::EMPTY: return {.fault = ScanFault::empty};
    case simdjson::UTF8_ERROR: return {.fault = ScanFault::not_utf8};
    case simdjson::UNCLOSED_STRING: return {.fault = ScanFault::syntax, .expected = "a closing quote"};
    case simdjson::UNESCAPED_CHARS:
      return {.fault = ScanFault::syntax, .expected = "control characters to be escaped in strings"};
    default: return {.fault = ScanFault::too_long};
  }
}

}  // namespace

ScanError scan(std::string_view text, const ScanOptions& options, Outline* outline) {
  if (outline) {
    if (outline->members.capacity() > largest_kept_outline) outline->members = std::vector<Outline::Member>();
    outline->members.clear();
  }
  if (text.empty()) return {.fault = ScanFault::empty};
  if (text.size() >= std::numeric_limits<std::uint32_t>::max() / 2) return {.fault = ScanFault::too_long};
  if (reserve(text.size()) != simdjson::SUCCESS) return {.fault = ScanFault::too_long};

  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto error = scratch->stage1(bytes, text.size(), simdjson::stage1_mode::regular);
  auto verdict =
      error ? refusal(error)
            : StructureWalk(text, {scratch->structural_indexes.get(), scratch->n_structural_indexes}, options, outline)
                  .run();
  if (text.size() > largest_kept_index) scratch.reset();
  return verdict;
}

std::string ScanError::message() const {
  switch (fault) {
    case ScanFault::none: return "no error";
    case ScanFault::empty: return "the text is empty";
    case ScanFault::too_long: return "the text is too long";
    case ScanFault::not_utf8: return "the text is not valid UTF-8";
    case ScanFault::syntax: break;
    case ScanFault::too_deep: return "nested too deep at byte " + std::to_string(offset);
    case ScanFault::duplicate_key:
      return "the same name appears twice in one object, at byte " + std::to_string(offset);
  }
  const std::string wanted = std::string("expected ") + expected;
  return offset == 0 ? wanted : wanted + " at byte " + std::to_string(offset);
}

}  // namespace fairlead::json
