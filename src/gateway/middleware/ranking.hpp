#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::gateway {

/// Words in lower case: `readFile` and `read_file` have two.
std::vector<std::string> words_of(std::string_view text);

/// Which of the texts have most to do with the query, the best first: rare words count more, long texts less (BM25).
/// Texts without any of its words are left out.
std::vector<std::size_t> ranked(std::string_view query, const std::vector<std::string>& texts);

}  // namespace fairlead::gateway
