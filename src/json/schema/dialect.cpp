#include "json/schema/dialect.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace fairlead::json::schema {

namespace {

constexpr std::string_view vocabulary_root = "https://json-schema.org/draft/2020-12/vocab/";

constexpr std::array known_vocabularies{
    std::pair<std::string_view, std::uint8_t>{"core", vocabulary::core},
    std::pair<std::string_view, std::uint8_t>{"applicator", vocabulary::applicator},
    std::pair<std::string_view, std::uint8_t>{"unevaluated", vocabulary::unevaluated},
    std::pair<std::string_view, std::uint8_t>{"validation", vocabulary::validation},
    std::pair<std::string_view, std::uint8_t>{"format-annotation", vocabulary::format},
    std::pair<std::string_view, std::uint8_t>{"format-assertion",
                                              std::uint8_t{vocabulary::format | vocabulary::assertion}},
    std::pair<std::string_view, std::uint8_t>{"meta-data", std::uint8_t{0}},
    std::pair<std::string_view, std::uint8_t>{"content", std::uint8_t{0}},
};

const std::uint8_t* vocabulary_bits(std::string_view uri) {
  if (!uri.starts_with(vocabulary_root)) return nullptr;
  uri.remove_prefix(vocabulary_root.size());
  const auto found = std::ranges::find(known_vocabularies, uri, &std::pair<std::string_view, std::uint8_t>::first);
  return found == known_vocabularies.end() ? nullptr : &found->second;
}

std::string_view without_empty_fragment(std::string_view uri) {
  if (uri.ends_with('#')) uri.remove_suffix(1);
  return uri;
}

}  // namespace

bool find_standard_dialect(std::string_view uri, Dialect& dialect) {
  uri = without_empty_fragment(uri);
  if (uri == "https://json-schema.org/draft/2020-12/schema") {
    dialect = {};
    return true;
  }
  if (uri == "http://json-schema.org/draft-07/schema" || uri == "https://json-schema.org/draft-07/schema") {
    dialect = {.draft = Draft::draft7};
    return true;
  }
  return false;
}

bool is_unsupported_draft(std::string_view uri) {
  Dialect ignored;
  const bool official = uri.starts_with("http://json-schema.org/") || uri.starts_with("https://json-schema.org/");
  return official && !find_standard_dialect(uri, ignored);
}

Result<Dialect> with_vocabularies(Dialect base, const boost::json::value& metaschema, std::string_view uri) {
  const auto* object = metaschema.if_object();
  const auto* member = object == nullptr ? nullptr : object->if_contains("$vocabulary");
  const auto* named = member == nullptr ? nullptr : member->if_object();
  if (named == nullptr || base.draft == Draft::draft7) return base;
  Dialect dialect{.draft = base.draft, .vocabularies = vocabulary::core};
  for (const auto& entry : *named) {
    const auto* bits = vocabulary_bits(entry.key());
    const bool required = entry.value().is_bool() && entry.value().get_bool();
    if (bits == nullptr && required) {
      return fail(ErrorKind::invalid, fmt::format("metaschema {} requires the vocabulary {}, which is not supported",
                                                  uri, std::string_view(entry.key())));
    }
    if (bits != nullptr) dialect.vocabularies = static_cast<std::uint8_t>(dialect.vocabularies | *bits);
  }
  return dialect;
}

}  // namespace fairlead::json::schema
