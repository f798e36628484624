#include <fairlead/protocol/header_params.hpp>

#include <boost/json.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::protocol::header_params_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string with_property(const std::string& property) {
  return R"({"type":"object","properties":{"region":)" + property + "}}";
}

TEST(HeaderParams, AreFoundThroughProperties_K_08) {
  const auto found = collect_header_params(std::string_view(R"({"type":"object","properties":{
      "region":{"type":"string","x-mcp-header":"Region"},
      "plain":{"type":"string"},
      "options":{"type":"object","properties":{
          "limit":{"type":"integer","x-mcp-header":"Limit"},
          "dry":{"type":["boolean","null"],"x-mcp-header":"Dry-Run"}}}}})"));
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_THAT(*found, ElementsAre(HeaderParam{"Mcp-Param-Region", {"region"}, HeaderParamType::string},
                                  HeaderParam{"Mcp-Param-Limit", {"options", "limit"}, HeaderParamType::integer},
                                  HeaderParam{"Mcp-Param-Dry-Run", {"options", "dry"}, HeaderParamType::boolean}));
}

TEST(HeaderParams, IgnoreAPropertyNamedLikeTheMark) {
  for (const char* schema :
       {R"({"properties":{"x-mcp-header":{"type":"string"}}})", R"({"$defs":{"x-mcp-header":{"type":"string"}}})",
        R"({"properties":{"a":{"default":{"x-mcp-header":"A"},"enum":[{"x-mcp-header":1}]}}})", "true", "{}"}) {
    const auto found = collect_header_params(std::string_view(schema));
    ASSERT_TRUE(found) << schema << found.error().message;
    EXPECT_THAT(*found, IsEmpty());
  }
}

using InvalidSchema = std::pair<std::string, const char*>;
class HeaderParamsErrors : public testing::TestWithParam<InvalidSchema> {};

TEST_P(HeaderParamsErrors, TheWholeTool_K_08) {
  const auto found = collect_header_params(std::string_view(GetParam().first));
  ASSERT_FALSE(found) << GetParam().first;
  EXPECT_EQ(found.error().kind, ErrorKind::malformed);
  EXPECT_THAT(found.error().message, HasSubstr(GetParam().second));
}

INSTANTIATE_TEST_SUITE_P(
    BadToken, HeaderParamsErrors,
    testing::Values(InvalidSchema{with_property(R"({"type":"string","x-mcp-header":""})"), "token"},
                    InvalidSchema{with_property(R"({"type":"string","x-mcp-header":"My Region"})"), "token"},
                    InvalidSchema{with_property(R"({"type":"string","x-mcp-header":"a:b"})"), "token"},
                    InvalidSchema{with_property(R"({"type":"string","x-mcp-header":"a\r\nb"})"), "token"},
                    InvalidSchema{with_property(R"({"type":"string","x-mcp-header":"é"})"), "token"},
                    InvalidSchema{with_property(R"({"type":"string","x-mcp-header":7})"), "token"},
                    InvalidSchema{with_property(R"({"type":"string","x-mcp-header":null})"), "token"}));

INSTANTIATE_TEST_SUITE_P(
    BadType, HeaderParamsErrors,
    testing::Values(InvalidSchema{with_property(R"({"type":"number","x-mcp-header":"R"})"), "needs type"},
                    InvalidSchema{with_property(R"({"type":"object","x-mcp-header":"R"})"), "needs type"},
                    InvalidSchema{with_property(R"({"type":"array","x-mcp-header":"R"})"), "needs type"},
                    InvalidSchema{with_property(R"({"type":"null","x-mcp-header":"R"})"), "needs type"},
                    InvalidSchema{with_property(R"({"type":["string","integer"],"x-mcp-header":"R"})"), "needs type"},
                    InvalidSchema{with_property(R"({"type":["null"],"x-mcp-header":"R"})"), "needs type"},
                    InvalidSchema{with_property(R"({"x-mcp-header":"R"})"), "/region: x-mcp-header needs type"}));

INSTANTIATE_TEST_SUITE_P(
    BadPlace, HeaderParamsErrors,
    testing::Values(
        InvalidSchema{with_property(R"({"type":"array","items":{"type":"string","x-mcp-header":"R"}})"), "under items"},
        InvalidSchema{with_property(R"({"oneOf":[{"type":"string","x-mcp-header":"R"}]})"), "under oneOf"},
        InvalidSchema{R"({"$defs":{"r":{"type":"string","x-mcp-header":"R"}},"properties":{"r":{"$ref":"#/$defs/r"}}})",
                      "under $defs"},
        InvalidSchema{R"({"allOf":[{"properties":{"a":{"type":"string","x-mcp-header":"R"}}}]})", "under allOf"},
        InvalidSchema{R"({"patternProperties":{"a":{"type":"string","x-mcp-header":"R"}}})", "under patternProperties"},
        InvalidSchema{R"({"additionalProperties":{"type":"string","x-mcp-header":"R"}})", "under additionalProperties"},
        InvalidSchema{R"({"if":{"properties":{"a":{"type":"string","x-mcp-header":"R"}}}})", "under if"},
        InvalidSchema{R"({"type":"string","x-mcp-header":"R"})", "schema itself"}));

INSTANTIATE_TEST_SUITE_P(Twice, HeaderParamsErrors,
                         testing::Values(InvalidSchema{R"({"properties":{"a":{"type":"string","x-mcp-header":"Region"},
                                                 "b":{"type":"string","x-mcp-header":"REGION"}}})",
                                                       "twice"}));

INSTANTIATE_TEST_SUITE_P(NoSchema, HeaderParamsErrors,
                         testing::Values(InvalidSchema{"{", "not JSON"},
                                         InvalidSchema{std::string(1000, '['), "not JSON"}));

class ParamHeaders : public testing::Test {
 protected:
  std::vector<Header> built(const char* arguments) {
    auto headers = param_headers(params, boost::json::parse(arguments));
    return headers ? *headers : std::vector<Header>{{"error", headers.error().message}};
  }

  std::string refusal(const std::vector<HeaderView>& headers, const char* arguments) {
    const auto checked = check_param_headers(params, headers, boost::json::parse(arguments));
    if (checked) return "";
    EXPECT_EQ(protocol_error_of(checked.error()), ProtocolError::header_mismatch);
    return checked.error().message;
  }

  std::vector<HeaderParam> params{{"Mcp-Param-Region", {"region"}, HeaderParamType::string},
                                  {"Mcp-Param-Limit", {"options", "limit"}, HeaderParamType::integer},
                                  {"Mcp-Param-Dry", {"dry"}, HeaderParamType::boolean}};
};

TEST_F(ParamHeaders, RepeatTheArguments_K_08) {
  EXPECT_THAT(built(R"({"region":"eu west","options":{"limit":-42},"dry":true,"other":1})"),
              ElementsAre(Header{"Mcp-Param-Region", "eu west"}, Header{"Mcp-Param-Limit", "-42"},
                          Header{"Mcp-Param-Dry", "true"}));
  EXPECT_THAT(built(R"({"region":"Zürich"})"), ElementsAre(Header{"Mcp-Param-Region", "=?base64?WsO8cmljaA==?="}));
  EXPECT_THAT(built(R"({"region":"","options":{"limit":42.0}})"),
              ElementsAre(Header{"Mcp-Param-Region", ""}, Header{"Mcp-Param-Limit", "42"}));
}

TEST_F(ParamHeaders, AreNotSentForNullOrAbsent_K_08) {
  EXPECT_THAT(built(R"({"region":null,"options":null})"), IsEmpty());
  EXPECT_THAT(built(R"({"options":3})"), IsEmpty());
  EXPECT_THAT(built("null"), IsEmpty());
}

TEST_F(ParamHeaders, RefuseFractionsLargeIntegersAndObjects) {
  for (const char* limit :
       {"1.5", "9007199254740992", "-9007199254740992", "1e300", "18446744073709551615", "{}", "[]"}) {
    const std::string arguments = std::string(R"({"options":{"limit":)") + limit + "}}";
    EXPECT_EQ(built(arguments.c_str()).at(0).name, "error") << limit;
  }
  EXPECT_EQ(built(R"({"options":{"limit":9007199254740991}})").at(0).value, "9007199254740991");
}

TEST_F(ParamHeaders, AreComparedByValue_K_08) {
  EXPECT_EQ(refusal({{"mcp-param-region", " eu "}, {"MCP-PARAM-LIMIT", "42.0"}, {"Mcp-Param-Dry", "false"}},
                    R"({"region":"eu","options":{"limit":42},"dry":false})"),
            "");
  EXPECT_EQ(refusal({{"Mcp-Param-Limit", "42"}}, R"({"options":{"limit":42.0}})"), "");
  EXPECT_EQ(refusal({{"Mcp-Param-Limit", "=?base64?NDI=?="}}, R"({"options":{"limit":4.2e1}})"), "");
  EXPECT_EQ(refusal({{"Mcp-Param-Region", "=?base64?IGV1?="}}, R"({"region":" eu"})"), "");
  EXPECT_EQ(refusal({{"Mcp-Param-Region", ""}}, R"({"region":""})"), "");
}

TEST_F(ParamHeaders, UnknownHeadersAreIgnored_K_08) {
  EXPECT_EQ(refusal({{"Mcp-Param-Other", "=?base64?!?="}}, R"({"region":null})"), "");
}

TEST_F(ParamHeaders, AreRefusedWhenMissing_K_08) {
  EXPECT_EQ(refusal({}, R"({"options":{"limit":1}})"),
            "header Mcp-Param-Limit is missing: send the value of arguments.options.limit");
  EXPECT_THAT(refusal({}, R"({"region":""})"), HasSubstr("missing"));
}

TEST_F(ParamHeaders, AreRefusedWithoutTheirArgument) {
  EXPECT_THAT(refusal({{"Mcp-Param-Region", "eu"}}, R"({"region":null})"), HasSubstr("sent without arguments.region"));
}

TEST_F(ParamHeaders, AreRefusedWhenTheyDiffer_K_08) {
  const char* body = R"({"region":"eu","options":{"limit":42},"dry":true})";
  for (const char* limit : {"43", "42.5", "42.", "0x2A", "4.2e1", "", "forty-two", "9007199254740993", "+42", "42 0"}) {
    EXPECT_THAT(refusal({{"Mcp-Param-Region", "eu"}, {"Mcp-Param-Limit", limit}, {"Mcp-Param-Dry", "true"}}, body),
                HasSubstr("Limit differs"))
        << limit;
  }
  EXPECT_THAT(refusal({{"Mcp-Param-Region", "EU"}}, body), HasSubstr("Region differs"));
  EXPECT_THAT(refusal({{"Mcp-Param-Dry", "True"}}, R"({"dry":true})"), HasSubstr("Dry differs"));
  EXPECT_THAT(refusal({{"Mcp-Param-Dry", "1"}}, R"({"dry":true})"), HasSubstr("Dry differs"));
}

TEST_F(ParamHeaders, AreRefusedWhenMalformedOrSentTwice_K_08) {
  EXPECT_THAT(refusal({{"Mcp-Param-Region", "=?base64?ZXU?="}}, R"({"region":"eu"})"), HasSubstr("base64"));
  EXPECT_THAT(refusal({{"Mcp-Param-Region", "eu"}, {"mcp-param-region", "eu"}}, R"({"region":"eu"})"),
              HasSubstr("twice"));
}

}  // namespace
}  // namespace fairlead::protocol::header_params_test
