#include "json/schema/formats.hpp"

#include <array>

#include "json/schema/regex.hpp"

namespace fairlead::json::schema {

FormatCheck format_named(std::string_view name) {
  struct Format {
    std::string_view name;
    FormatCheck check;
  };
  static constexpr std::array known{
      Format{"date", formats::date},
      Format{"time", formats::time},
      Format{"date-time", formats::date_time},
      Format{"duration", formats::duration},
      Format{"email", formats::email},
      Format{"idn-email", formats::idn_email},
      Format{"hostname", formats::hostname},
      Format{"idn-hostname", formats::idn_hostname},
      Format{"ipv4", formats::ipv4},
      Format{"ipv6", formats::ipv6},
      Format{"uri", formats::uri},
      Format{"uri-reference", formats::uri_reference},
      Format{"iri", formats::iri},
      Format{"iri-reference", formats::iri_reference},
      Format{"uuid", formats::uuid},
      Format{"uri-template", formats::uri_template},
      Format{"json-pointer", formats::json_pointer},
      Format{"relative-json-pointer", formats::relative_json_pointer},
      Format{"regex", formats::regex},
  };
  const auto found = std::ranges::find(known, name, &Format::name);
  return found == known.end() ? nullptr : found->check;
}

/// A valid pattern that RE2 cannot run is still a regular expression.
bool formats::regex(std::string_view text) {
  const auto translated = re2_syntax(text);
  return translated || translated.error().unsupported;
}

}  // namespace fairlead::json::schema
