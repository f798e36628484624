#pragma once

#include <string>
#include <string_view>

namespace fairlead::skills {

/// The MIME type of a file by its extension; `text/plain` or `application/octet-stream` if that is unknown.
std::string mime_type_of(std::string_view file_name, bool is_text);

}  // namespace fairlead::skills
