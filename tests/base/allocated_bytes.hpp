#pragma once

#include <cstddef>

namespace fairlead::test {

// ThreadSanitizer links its own operator new, so that allocations cannot be counted there.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FAIRLEAD_COUNTS_NO_ALLOCATIONS
#endif
#endif

/// Bytes that this program has allocated with `new` so far. Always 0 under the thread sanitizer.
std::size_t allocated_bytes();

}  // namespace fairlead::test
