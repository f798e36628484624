#include <fairlead/protocol/uri_template_syntax.hpp>

#include <gtest/gtest.h>

namespace fairlead::protocol::uri_template_syntax_test {
namespace {

// All of this must hold while compiling: registrations check their templates there.
static_assert(template_is_valid("test://template/{id}/data"));
static_assert(!template_is_valid("test://template/{id/data"));
static_assert(template_variable_count("") == 0);
static_assert(template_variable_count("{a,b}/{+c*}{?a:3}") == 4);
static_assert(template_variable("{a,b}/{+c*}", 2) == "c");
static_assert(template_variable("{a}", 1).empty());
static_assert(template_has_variable("x{/a,b_1.c}", "b_1.c"));
static_assert(!template_has_variable("x{/a,b}", "B"));

struct BadTemplate {
  const char* text;
  std::size_t position;
  const char* reason;
};

class TemplateErrors : public testing::TestWithParam<BadTemplate> {};

TEST_P(TemplateErrors, ReportThePosition) {
  const TemplateError fault = template_fault(GetParam().text);
  EXPECT_EQ(fault.position, GetParam().position);
  EXPECT_STREQ(fault.reason, GetParam().reason);
}

constexpr const char* no_name = "expected a variable name";
constexpr const char* no_prefix = "a prefix is a number from 1 to 9999";
constexpr const char* no_end = "the expression has no '}'";
constexpr const char* rest = "expected ',', '}' or one modifier after the variable name";
constexpr const char* raw = "this character must be percent-encoded";
constexpr const char* operation = "this operator is reserved";

INSTANTIATE_TEST_SUITE_P(
    Rfc6570, TemplateErrors,
    testing::Values(BadTemplate{"{}", 1, no_name}, BadTemplate{"{", 1, no_name}, BadTemplate{"{?}", 2, no_name},
                    BadTemplate{"{a,}", 3, no_name}, BadTemplate{"{,a}", 1, operation},
                    BadTemplate{"{.a.}", 4, no_name}, BadTemplate{"{a..b}", 3, no_name}, BadTemplate{"{a", 2, no_end},
                    BadTemplate{"{a,b", 4, no_end}, BadTemplate{"x}", 1, "'}' without '{'"},
                    BadTemplate{"{{a}}", 1, no_name}, BadTemplate{"{a-b}", 2, rest}, BadTemplate{"{a b}", 2, rest},
                    BadTemplate{"{a**}", 3, rest}, BadTemplate{"{a:3*}", 4, rest}, BadTemplate{"{a*:3}", 3, rest},
                    BadTemplate{"{a:}", 3, no_prefix}, BadTemplate{"{a:0}", 3, no_prefix},
                    BadTemplate{"{a:03}", 3, no_prefix}, BadTemplate{"{a:12345}", 7, rest},
                    BadTemplate{"{a:-1}", 3, no_prefix}, BadTemplate{"{=a}", 1, operation},
                    BadTemplate{"{!a}", 1, operation}, BadTemplate{"{@a}", 1, operation},
                    BadTemplate{"{|a}", 1, operation}, BadTemplate{"{$a}", 1, no_name}, BadTemplate{"a b", 1, raw},
                    BadTemplate{"a%zz", 1, raw}, BadTemplate{"50%", 2, raw}, BadTemplate{"a\"", 1, raw},
                    BadTemplate{"a<b>", 1, raw}, BadTemplate{"a\\b", 1, raw}, BadTemplate{"a^b", 1, raw},
                    BadTemplate{"a`b", 1, raw}, BadTemplate{"a|b", 1, raw}, BadTemplate{"a\x7F", 1, raw},
                    BadTemplate{"a\xC3(", 1, raw}, BadTemplate{"{a%4}", 2, rest}));

TEST(TemplateSyntax, AcceptsEscapesDotsAndDigitsInNames) {
  for (const char* text : {"{%41}", "{a.b.c}", "{0}", "{_}", "{a%20b.c}", "{a:9999}"}) {
    EXPECT_TRUE(template_is_valid(text)) << text;
  }
}

TEST(TemplateSyntax, AcceptsNonAsciiAndApostrophesInLiterals) {
  EXPECT_TRUE(template_is_valid("caf\xC3\xA9/it's/{id}"));
}

}  // namespace
}  // namespace fairlead::protocol::uri_template_syntax_test
