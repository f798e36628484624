#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::gateway {

/// Lower-case words of a text: two for `readFile` and `read_file`.
std::vector<std::string> words_of(std::string_view text);

/// Indices of the texts ranked by BM25, best first. Texts without any word of the query are omitted.
std::vector<std::size_t> ranked(std::string_view query, const std::vector<std::string>& texts);

}  // namespace fairlead::gateway
