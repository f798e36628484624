#pragma once

#include <string>
#include <string_view>

namespace fairlead::cli {

/// Shows two texts as one, compared word by word: `Adds [-two-]{+three+} numbers`. Words that look alike but differ are
/// shown as byte escapes.
std::string show_word_diff(std::string_view before, std::string_view after);

}  // namespace fairlead::cli
