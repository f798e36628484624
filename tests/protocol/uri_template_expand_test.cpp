#include <fairlead/protocol/uri_template.hpp>
#include <gtest/gtest.h>

namespace fairlead::protocol::uri_template_expand_test {
namespace {

using List = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

/// The variables of RFC 6570, sections 1.2 and 3.2.
const TemplateVariables& rfc_variables() {
  static const TemplateVariables variables{
      {"count", List{"one", "two", "three"}},
      {"dom", List{"example", "com"}},
      {"dub", "me/too"},
      {"hello", "Hello World!"},
      {"half", "50%"},
      {"var", "value"},
      {"who", "fred"},
      {"base", "http://example.com/home/"},
      {"path", "/foo/bar"},
      {"list", List{"red", "green", "blue"}},
      {"keys", Pairs{{"semi", ";"}, {"dot", "."}, {"comma", ","}}},
      {"v", "6"},
      {"x", "1024"},
      {"y", "768"},
      {"empty", ""},
      {"empty_keys", Pairs{}},
  };
  return variables;
}

std::string expanded(std::string_view text, const TemplateVariables& variables = rfc_variables()) {
  const auto parsed = UriTemplate::parse(text);
  return parsed ? parsed->expand(variables) : "no template: " + parsed.error().message;
}

using Example = std::pair<const char*, const char*>;
class RfcExample : public testing::TestWithParam<Example> {};

TEST_P(RfcExample, ExpandsAsPrinted) {
  EXPECT_EQ(expanded(GetParam().first), GetParam().second) << GetParam().first;
}

INSTANTIATE_TEST_SUITE_P(Section_3_2_1_Variables, RfcExample,
                         testing::Values(Example{"{count}", "one,two,three"}, Example{"{count*}", "one,two,three"},
                                         Example{"{/count}", "/one,two,three"}, Example{"{/count*}", "/one/two/three"},
                                         Example{"{;count}", ";count=one,two,three"},
                                         Example{"{;count*}", ";count=one;count=two;count=three"},
                                         Example{"{?count}", "?count=one,two,three"},
                                         Example{"{?count*}", "?count=one&count=two&count=three"},
                                         Example{"{&count*}", "&count=one&count=two&count=three"}));

INSTANTIATE_TEST_SUITE_P(
    Section_3_2_2_Simple, RfcExample,
    testing::Values(Example{"{var}", "value"}, Example{"{hello}", "Hello%20World%21"}, Example{"{half}", "50%25"},
                    Example{"O{empty}X", "OX"}, Example{"O{undef}X", "OX"}, Example{"{x,y}", "1024,768"},
                    Example{"{x,hello,y}", "1024,Hello%20World%21,768"}, Example{"?{x,empty}", "?1024,"},
                    Example{"?{x,undef}", "?1024"}, Example{"?{undef,y}", "?768"}, Example{"{var:3}", "val"},
                    Example{"{var:30}", "value"}, Example{"{list}", "red,green,blue"},
                    Example{"{list*}", "red,green,blue"}, Example{"{keys}", "semi,%3B,dot,.,comma,%2C"},
                    Example{"{keys*}", "semi=%3B,dot=.,comma=%2C"}));

INSTANTIATE_TEST_SUITE_P(
    Section_3_2_3_Reserved, RfcExample,
    testing::Values(Example{"{+var}", "value"}, Example{"{+hello}", "Hello%20World!"}, Example{"{+half}", "50%25"},
                    Example{"{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"},
                    Example{"{+base}index", "http://example.com/home/index"}, Example{"O{+empty}X", "OX"},
                    Example{"O{+undef}X", "OX"}, Example{"{+path}/here", "/foo/bar/here"},
                    Example{"here?ref={+path}", "here?ref=/foo/bar"},
                    Example{"up{+path}{var}/here", "up/foo/barvalue/here"},
                    Example{"{+x,hello,y}", "1024,Hello%20World!,768"}, Example{"{+path,x}/here", "/foo/bar,1024/here"},
                    Example{"{+path:6}/here", "/foo/b/here"}, Example{"{+list}", "red,green,blue"},
                    Example{"{+list*}", "red,green,blue"}, Example{"{+keys}", "semi,;,dot,.,comma,,"},
                    Example{"{+keys*}", "semi=;,dot=.,comma=,"}));

INSTANTIATE_TEST_SUITE_P(
    Section_3_2_4_Fragment, RfcExample,
    testing::Values(Example{"{#var}", "#value"}, Example{"{#hello}", "#Hello%20World!"}, Example{"{#half}", "#50%25"},
                    Example{"foo{#empty}", "foo#"}, Example{"foo{#undef}", "foo"},
                    Example{"{#x,hello,y}", "#1024,Hello%20World!,768"},
                    Example{"{#path,x}/here", "#/foo/bar,1024/here"}, Example{"{#path:6}/here", "#/foo/b/here"},
                    Example{"{#list}", "#red,green,blue"}, Example{"{#list*}", "#red,green,blue"},
                    Example{"{#keys}", "#semi,;,dot,.,comma,,"}, Example{"{#keys*}", "#semi=;,dot=.,comma=,"}));

INSTANTIATE_TEST_SUITE_P(
    Section_3_2_5_Label, RfcExample,
    testing::Values(Example{"{.who}", ".fred"}, Example{"{.who,who}", ".fred.fred"},
                    Example{"{.half,who}", ".50%25.fred"}, Example{"www{.dom*}", "www.example.com"},
                    Example{"X{.var}", "X.value"}, Example{"X{.empty}", "X."}, Example{"X{.undef}", "X"},
                    Example{"X{.var:3}", "X.val"}, Example{"X{.list}", "X.red,green,blue"},
                    Example{"X{.list*}", "X.red.green.blue"}, Example{"X{.keys}", "X.semi,%3B,dot,.,comma,%2C"},
                    Example{"X{.keys*}", "X.semi=%3B.dot=..comma=%2C"}, Example{"X{.empty_keys}", "X"},
                    Example{"X{.empty_keys*}", "X"}, Example{"X{.x,y}", "X.1024.768"}));

INSTANTIATE_TEST_SUITE_P(
    Section_3_2_6_Path, RfcExample,
    testing::Values(Example{"{/who}", "/fred"}, Example{"{/who,who}", "/fred/fred"},
                    Example{"{/half,who}", "/50%25/fred"}, Example{"{/who,dub}", "/fred/me%2Ftoo"},
                    Example{"{/var}", "/value"}, Example{"{/var,empty}", "/value/"}, Example{"{/var,undef}", "/value"},
                    Example{"{/var,x}/here", "/value/1024/here"}, Example{"{/var:1,var}", "/v/value"},
                    Example{"{/list}", "/red,green,blue"}, Example{"{/list*}", "/red/green/blue"},
                    Example{"{/list*,path:4}", "/red/green/blue/%2Ffoo"},
                    Example{"{/keys}", "/semi,%3B,dot,.,comma,%2C"}, Example{"{/keys*}", "/semi=%3B/dot=./comma=%2C"}));

INSTANTIATE_TEST_SUITE_P(
    Section_3_2_7_Parameters, RfcExample,
    testing::Values(Example{"{;who}", ";who=fred"}, Example{"{;half}", ";half=50%25"}, Example{"{;empty}", ";empty"},
                    Example{"{;v,empty,who}", ";v=6;empty;who=fred"}, Example{"{;v,bar,who}", ";v=6;who=fred"},
                    Example{"{;x,y}", ";x=1024;y=768"}, Example{"{;x,y,empty}", ";x=1024;y=768;empty"},
                    Example{"{;x,y,undef}", ";x=1024;y=768"}, Example{"{;hello:5}", ";hello=Hello"},
                    Example{"{;list}", ";list=red,green,blue"}, Example{"{;list*}", ";list=red;list=green;list=blue"},
                    Example{"{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"},
                    Example{"{;keys*}", ";semi=%3B;dot=.;comma=%2C"}));

INSTANTIATE_TEST_SUITE_P(Section_3_2_8_Query, RfcExample,
                         testing::Values(Example{"{?who}", "?who=fred"}, Example{"{?half}", "?half=50%25"},
                                         Example{"{?x,y}", "?x=1024&y=768"},
                                         Example{"{?x,y,empty}", "?x=1024&y=768&empty="},
                                         Example{"{?x,y,undef}", "?x=1024&y=768"}, Example{"{?var:3}", "?var=val"},
                                         Example{"{?list}", "?list=red,green,blue"},
                                         Example{"{?list*}", "?list=red&list=green&list=blue"},
                                         Example{"{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"},
                                         Example{"{?keys*}", "?semi=%3B&dot=.&comma=%2C"}));

INSTANTIATE_TEST_SUITE_P(Section_3_2_9_Continuation, RfcExample,
                         testing::Values(Example{"{&who}", "&who=fred"}, Example{"{&half}", "&half=50%25"},
                                         Example{"?fixed=yes{&x}", "?fixed=yes&x=1024"},
                                         Example{"{&x,y,empty}", "&x=1024&y=768&empty="},
                                         Example{"{&x,y,undef}", "&x=1024&y=768"}, Example{"{&var:3}", "&var=val"},
                                         Example{"{&list}", "&list=red,green,blue"},
                                         Example{"{&list*}", "&list=red&list=green&list=blue"},
                                         Example{"{&keys}", "&keys=semi,%3B,dot,.,comma,%2C"},
                                         Example{"{&keys*}", "&semi=%3B&dot=.&comma=%2C"}));

INSTANTIATE_TEST_SUITE_P(Section_1_2_Levels, RfcExample,
                         testing::Values(Example{"map?{x,y}", "map?1024,768"},
                                         Example{"{#x,hello,y}", "#1024,Hello%20World!,768"},
                                         Example{"X{.var}", "X.value"}, Example{"{/var}", "/value"},
                                         Example{"{+path}/here", "/foo/bar/here"},
                                         Example{"here?ref={+path}", "here?ref=/foo/bar"},
                                         Example{"?fixed=yes{&x}", "?fixed=yes&x=1024"}, Example{"X{#var}", "X#value"},
                                         Example{"X{#hello}", "X#Hello%20World!"}));

TEST(UriTemplateExpand, TruncatesPrefixesBetweenCharacters) {
  const TemplateVariables variables{{"v", "\xC3\xA9\xF0\x9F\x98\x80x"}};
  EXPECT_EQ(expanded("{v:1}", variables), "%C3%A9");
  EXPECT_EQ(expanded("{v:2}", variables), "%C3%A9%F0%9F%98%80");
}

TEST(UriTemplateExpand, NeverSplitsAnExistingEscape) {
  const TemplateVariables variables{{"v", "%20ab"}};
  EXPECT_EQ(expanded("{+v:2}", variables), "%20a");
  EXPECT_EQ(expanded("{v:2}", variables), "%252");
}

TEST(UriTemplateExpand, EscapesNonAsciiLiterals) {
  EXPECT_EQ(expanded("caf\xC3\xA9/%c3{x}"), "caf%C3%A9/%C31024");
}

TEST(UriTemplateExpand, IgnoresAPrefixOnAList) {
  EXPECT_EQ(expanded("{list:2}"), "red,green,blue");
}

TEST(UriTemplateExpand, KeepsTheEqualsSignOfEmptyPairs) {
  const TemplateVariables variables{{"k", Pairs{{"a", ""}, {"b", "1"}}}};
  EXPECT_EQ(expanded("{k*}{;k*}{?k*}", variables), "a=,b=1;a;b=1?a=&b=1");
}

}  // namespace
}  // namespace fairlead::protocol::uri_template_expand_test
