#include <fairlead/server.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdexcept>

namespace fairlead::server::test::registration_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Makes four registrations that fail.
void register_invalid_entries(Server& app) {
  app.tool("twice", "", [] {}).tool("twice", "", [] {});
  app.tool(std::string("has space"), "", [] {});
  app.tool("bad", ToolOptions{.input_schema = Payload::trusted(R"({"type":7})")}, [] {});
  app.page_size(0);
}

TEST(Registration, Finding_B10_RunPrintsAllRegistrationErrorsAndReturns2) {
  Server app{"demo", "1.0"};
  register_invalid_entries(app);
  testing::internal::CaptureStderr();
  EXPECT_EQ(app.run(), 2);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("demo: cannot serve because of registration errors:\n"),
                    HasSubstr("tool 'twice' is already registered"), HasSubstr("tool 'has space': a tool name has"),
                    HasSubstr("the inputSchema of tool 'bad'"), HasSubstr("page_size(0)")));
}

TEST(Registration, Finding_B10_CheckHandleAndEngineThrowRegistrationErrors) {
  Server app{"demo", "1.0"};
  register_invalid_entries(app);
  EXPECT_THROW(app.check(), std::invalid_argument);
  EXPECT_THROW(app.handle("{}"), std::invalid_argument);
  EXPECT_THROW(Engine{app}, std::invalid_argument);
}

TEST(Registration, Finding_B10_ARegistrationErrorWhileServingThrowsAtOnce) {
  Server app{"demo", "1.0"};
  app.tool("once", "", [] {});
  app.handle("{}");
  EXPECT_THROW(app.tool("once", "", [] {}), std::invalid_argument);
  EXPECT_NO_THROW(app.check());
}

}  // namespace
}  // namespace fairlead::server::test::registration_test
