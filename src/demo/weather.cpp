#include "demo/weather.hpp"

#include <cmath>
#include <utility>

namespace fairlead::demo {

Weather weather(WeatherQuery query) {
  double celsius = 0;
  for (const char c : *query.city) celsius = std::fmod(celsius * 31 + static_cast<unsigned char>(c), 35);
  const auto unit = query.unit.value_or(Unit::celsius);
  return {.city = std::move(query.city.value),
          .temperature = unit == Unit::celsius ? celsius : celsius * 9 / 5 + 32,
          .unit = unit,
          .details = query.details.value_or(std::vector<std::string>{})};
}

}  // namespace fairlead::demo
