#pragma once

#include <fairlead/server.hpp>
#include <optional>
#include <string>
#include <vector>

namespace fairlead::demo {

enum class Unit { celsius, fahrenheit };

struct WeatherQuery {
  Doc<std::string, "City name"> city;
  std::optional<Unit> unit = Unit::celsius;
  std::optional<std::vector<std::string>> details = {};
};

struct Weather {
  std::string city;
  double temperature = 0;
  Unit unit = Unit::celsius;
  std::vector<std::string> details = {};
};

/// Deterministic: depends on the name of the city only.
Weather weather(WeatherQuery query);

}  // namespace fairlead::demo
