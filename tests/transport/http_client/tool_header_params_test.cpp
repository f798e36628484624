#include "transport/http_client/tool_header_params.hpp"

#include <fairlead/base/log_sinks.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace fairlead::transport::tool_header_params_test {
namespace {

std::string marked(const std::string& name) {
  return fmt::format(
      R"({{"name":"{}","inputSchema":{{"type":"object","properties":{{"r":{{"type":"string","x-mcp-header":"Region"}}}}}}}})",
      name);
}

std::string plain(const std::string& name) {
  return fmt::format(R"({{"name":"{}","inputSchema":{{"type":"object"}}}})", name);
}

class ToolHeaderParamsTest : public testing::Test {
 protected:
  void learn(const std::string& tools) {
    auto result = json::Payload::trusted(R"({"tools":[)" + tools + "]}");
    headers_.learn(result, log_);
  }
  bool sends_header(const std::string& tool) {
    const auto sent = headers_.headers(tool, R"({"arguments":{"r":"x"}})");
    return sent && sent->size() == 1;
  }

  CapturingSink log_;
  ToolHeaderParams headers_{{.tools = 10, .bytes = 10'000}};
};

TEST_F(ToolHeaderParamsTest, Finding_S7_LimitsTheNumberOfTools) {
  for (int i = 0; i < 100; ++i) {
    learn(marked("stays") + "," + marked(fmt::format("passing{}", i)));
    EXPECT_LE(headers_.size(), 10u);
    EXPECT_TRUE(sends_header("stays"));
    EXPECT_TRUE(sends_header(fmt::format("passing{}", i)));
  }
  EXPECT_FALSE(sends_header("passing0"));
}

TEST_F(ToolHeaderParamsTest, Finding_S7_LimitsTheBytesOfNames) {
  for (int i = 0; i < 10; ++i) learn(marked(std::string(4'000, 'a') + std::to_string(i)));
  EXPECT_EQ(headers_.size(), 2u);
}

TEST_F(ToolHeaderParamsTest, Finding_S7_DoesNotStoreToolsWithoutHeaderParams) {
  learn(marked("a") + "," + plain("b"));
  EXPECT_EQ(headers_.size(), 1u);
  learn(plain("a"));
  EXPECT_EQ(headers_.size(), 0u);
  EXPECT_FALSE(sends_header("a"));
}

TEST_F(ToolHeaderParamsTest, ReplacesTheHeaderParamsOfARelistedTool) {
  learn(marked("a"));
  EXPECT_TRUE(headers_.has_header_params(R"("a")"));
  learn(R"({"name":"a","inputSchema":{"type":"object","properties":{"other":{"type":"string","x-mcp-header":"R"}}}})");
  EXPECT_FALSE(sends_header("a"));
  EXPECT_TRUE(headers_.has_header_params(R"("a")"));
}

}  // namespace
}  // namespace fairlead::transport::tool_header_params_test
