#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <fairlead/base/result.hpp>
#include <string>
#include <string_view>

namespace fairlead::json::schema {

enum class Draft : std::uint8_t { draft7 = 1, draft2020_12 = 2 };

/// Bits for the vocabularies of 2020-12 whose presence changes what a schema means.
namespace vocabulary {
inline constexpr std::uint8_t core = 1, applicator = 2, unevaluated = 4, validation = 8, format = 16, assertion = 32;
}  // namespace vocabulary

/// How the keywords of a schema resource are to be read.
struct Dialect {
  Draft draft = Draft::draft2020_12;
  std::uint8_t vocabularies =
      vocabulary::core | vocabulary::applicator | vocabulary::unevaluated | vocabulary::validation | vocabulary::format;
};

inline constexpr std::string_view supported_dialects =
    "supported are https://json-schema.org/draft/2020-12/schema and http://json-schema.org/draft-07/schema#";

/// True, with `dialect` set, for the two that are built in.
bool standard_dialect(std::string_view uri, Dialect& dialect);

/// Other drafts of the JSON Schema organisation, which nobody's resolver makes supported.
bool is_foreign_draft(std::string_view uri);

/// What a metaschema's `$vocabulary` makes of the dialect that the metaschema is itself written in.
Result<Dialect> with_vocabularies(Dialect base, const boost::json::value& metaschema, std::string_view uri);

}  // namespace fairlead::json::schema
