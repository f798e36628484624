#include "json/schema/parse.hpp"

#include <fairlead/json/dom.hpp>
#include <fairlead/json/scan.hpp>

namespace fairlead::json::schema {

Result<boost::json::value> parse_json(std::string_view text, std::size_t max_depth) {
  if (const auto error = scan(text, {.max_depth = max_depth})) {
    return fail(ErrorKind::malformed, "not JSON: " + error.message());
  }
  return parse_dom(text);
}

}  // namespace fairlead::json::schema
