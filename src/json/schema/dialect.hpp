#pragma once

#include <boost/json.hpp>
#include <fairlead/base/result.hpp>
#include <string_view>

namespace fairlead::json::schema {

enum class Draft : std::uint8_t { draft7 = 1, draft2020_12 = 2 };

/// Bits of the vocabularies of 2020-12 that change the meaning of a schema.
namespace vocabulary {
inline constexpr std::uint8_t core = 1, applicator = 2, unevaluated = 4, validation = 8, format = 16, assertion = 32;
}  // namespace vocabulary

/// Selects how the keywords of a schema resource are interpreted.
struct Dialect {
  Draft draft = Draft::draft2020_12;
  std::uint8_t vocabularies =
      vocabulary::core | vocabulary::applicator | vocabulary::unevaluated | vocabulary::validation | vocabulary::format;
};

inline constexpr std::string_view supported_dialects =
    "supported: https://json-schema.org/draft/2020-12/schema and http://json-schema.org/draft-07/schema#";

/// Sets `dialect` and returns true for the two built-in dialects.
bool find_standard_dialect(std::string_view uri, Dialect& dialect);

/// True for other official drafts, which a resolver cannot make supported.
bool is_unsupported_draft(std::string_view uri);

/// Applies the `$vocabulary` of a metaschema to the dialect of that metaschema.
Result<Dialect> with_vocabularies(Dialect base, const boost::json::value& metaschema, std::string_view uri);

}  // namespace fairlead::json::schema
