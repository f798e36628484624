#include "gateway/model/utc_time.hpp"

#include <fmt/chrono.h>

namespace fairlead::gateway {
namespace {

std::tm utc_parts(std::chrono::system_clock::time_point time) {
  return fmt::gmtime(std::chrono::system_clock::to_time_t(time));
}

}  // namespace

std::string utc_text(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", utc_parts(std::chrono::floor<std::chrono::seconds>(time)));
}

std::string utc_text_milliseconds(std::chrono::system_clock::time_point time) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", utc_parts(whole),
                     std::chrono::duration_cast<std::chrono::milliseconds>(time - whole).count());
}

}  // namespace fairlead::gateway
