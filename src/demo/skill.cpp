#include <fairlead/skills.hpp>

#include "demo/features.hpp"

namespace fairlead::demo {
namespace {

constexpr auto manifest = R"(---
name: trip-planning
description: Plans a trip to one or more cities. Use it when the user wants to travel.
---
# Trip planning

1. Ask for the cities and the number of days, if the user did not name them.
2. Call the tool `weather` for each city.
3. Propose a route that starts in the warmest city.
4. Add a packing list. `references/packing.md` says what belongs on it.
)";

constexpr auto packing = R"(# Packing

| Temperature | Pack |
| --- | --- |
| below 10 °C | a warm coat, gloves |
| 10 to 20 °C | a light coat |
| above 20 °C | a hat, sun cream |
)";

}  // namespace

void add_skill(Server& server) {
  serve_skills(server,
               SkillFiles{{"trip-planning/SKILL.md", manifest}, {"trip-planning/references/packing.md", packing}});
}

}  // namespace fairlead::demo
