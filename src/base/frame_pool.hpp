#pragma once

namespace fairlead::detail {

/// False under the address sanitizer, which finds a use after the end only if frames are freed.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool pools_frames = false;
#elif defined(__has_feature)
inline constexpr bool pools_frames = !__has_feature(address_sanitizer);
#else
inline constexpr bool pools_frames = true;
#endif

}  // namespace fairlead::detail
