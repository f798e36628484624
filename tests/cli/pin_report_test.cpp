#include "cli/pin_report.hpp"

#include <gtest/gtest.h>

namespace fairlead::cli::pin_report_test {
namespace {

TEST(PinReport, CountsAndListsDifferences) {
  gateway::Pins pins;
  const auto item = [](const std::string& name, const std::string& about) {
    return gateway::ListItem{name, R"({"name":")" + name + R"(","description":")" + about + R"("})"};
  };
  for (const auto* name : {"same", "other", "gone"}) {
    pins["git"].of(gateway::ListKind::tools)[name] = gateway::pin_of(item(name, "Old words").text);
  }
  ServerDefinitions now{.server = "git", .answers = true};
  now.tools = {item("same", "Old words"), item("other", "New words"), item("more", "x")};
  const auto compared = compare(now, pins, "pins.json");
  EXPECT_TRUE(compared.differs());
  EXPECT_EQ(
      show_pin_status(compared),
      "git: 1 approved, 1 changed, 1 new, 1 gone\n  changed  tool other\n  new      tool more\n  gone     tool gone\n");
  EXPECT_EQ(show_changes(compared, compared.items[1]),
            "git tool 'other': changed\n    description: [-Old-]{+New+} words\n");
  EXPECT_EQ(show_changes(compared, compared.items[2]), "git tool 'more': new\n  + description: x\n  + name: more\n");
}

}  // namespace
}  // namespace fairlead::cli::pin_report_test
