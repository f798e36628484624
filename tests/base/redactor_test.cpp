#include <fairlead/base/redactor.hpp>

#include <fairlead/base/log_sinks.hpp>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace fairlead::redactor_test {
namespace {

struct Case {
  std::string_view in, out;
};

class Redactor_S1_51 : public testing::Test {
 protected:
  void expect(std::initializer_list<Case> cases) {
    for (const auto& [in, out] : cases) EXPECT_EQ(redactor_.redact(in), out) << in;
  }
  void expect_unchanged(std::initializer_list<std::string_view> texts) {
    for (const auto text : texts) EXPECT_EQ(redactor_.redact(text), text);
  }

  Redactor redactor_;
};

TEST_F(Redactor_S1_51, RedactsJsonMembersByName) {
  expect({
      {R"({"password":"abc","user":"joe"})", R"({"password":"[redacted]","user":"joe"})"},
      {R"({ "Access_Token" : "abc" })", R"({ "Access_Token" : "[redacted]" })"},
      {R"({"clientSecret":"a\"b\\"})", R"({"clientSecret":"[redacted]\\"})"},
      {R"({"X-API-Key":"abc"})", R"({"X-API-Key":"[redacted]"})"},
      {R"({"dbPassword":"abc"})", R"({"dbPassword":"[redacted]"})"},
      {R"({"GITHUB_TOKEN":"abc"})", R"({"GITHUB_TOKEN":"[redacted]"})"},
      {"{\"token\"\n:\n\"abc\"}", "{\"token\"\n:\n\"[redacted]\"}"},
  });
}

TEST_F(Redactor_S1_51, ReplacesEveryKindOfJsonValueByAString) {
  expect({
      {R"({"token":12345})", R"({"token":"[redacted]"})"},
      {R"({"token":-1.5e9 ,"a":1})", R"({"token":"[redacted]" ,"a":1})"},
      {R"({"credentials":{"a":["b",{"c":"}"}]},"d":1})", R"({"credentials":"[redacted]","d":1})"},
      {R"({"secret":["a","]"],"d":1})", R"({"secret":"[redacted]","d":1})"},
  });
  expect_unchanged({R"({"token":null,"secret":true,"password":false})"});
}

TEST_F(Redactor_S1_51, KeepsOtherNames) {
  expect_unchanged({
      R"({"progressToken":7,"maxTokens":100,"token_type":"x","tokens":3,"secretary":"Ann","keyboard":"de"})",
      R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"no"}})",
      "GET /path?page=2&sort=asc HTTP/1.1",
      "the token was refused",
      "",
  });
}

TEST_F(Redactor_S1_51, RedactsJsonWithinJson) {
  expect({
      {R"({"body":"{\"token\":\"abc\",\"a\":1}"})", R"({"body":"{\"token\":\"[redacted]\",\"a\":1}"})"},
      {R"({"body":"{\"token\":123}"})", R"({"body":"{\"token\":\"[redacted]\"}"})"},
      {R"({"b":"{\"c\":\"{\\\"token\\\":\\\"abc\\\"}\"}"})",
       R"({"b":"{\"c\":\"{\\\"token\\\":\\\"[redacted]\\\"}\"}"})"},
      {R"({"body":"{\n  \"token\":\n \"abc\"\n}"})", R"({"body":"{\n  \"token\":\n \"[redacted]\"\n}"})"},
      {R"({"body":"{\"secret\":{\"a\":\"b\"}}","c":1})", R"({"body":"{\"secret\":\"[redacted]\"}","c":1})"},
  });
}

TEST_F(Redactor_S1_51, DecodesEscapedNames) {
  expect({
      {R"({"p\u0061ssword":"abc"})", R"({"p\u0061ssword":"[redacted]"})"},
      {"access%5Ftoken=abc&x=1", "access%5Ftoken=[redacted]&x=1"},
      {R"({"text":"\ntoken: abc"})", R"({"text":"\ntoken: [redacted]"})"},
      {R"({"path":"C:\\token: abc"})", R"({"path":"C:\\token: [redacted]"})"},
  });
}

TEST_F(Redactor_S1_51, RedactsHeaders) {
  expect({
      {"Authorization: Digest username=\"joe\", response=\"abc\"\r\nHost: h", "Authorization: [redacted]\r\nHost: h"},
      {"set-cookie: sid=abc; Path=/, x=y\nHost: h", "set-cookie: [redacted]\nHost: h"},
      {"X-Api-Key:abc", "X-Api-Key:[redacted]"},
      {R"({"raw":"Cookie: a=\"b\"\r\nHost: h","n":1})", R"({"raw":"Cookie: [redacted]\r\nHost: h","n":1})"},
      {R"(["Cookie: a=b","c"])", R"(["Cookie: [redacted]","c"])"},
  });
}

TEST_F(Redactor_S1_51, RedactsFormAndQueryParameters) {
  expect({
      {"POST /cb?code=abc&state=x", "POST /cb?code=[redacted]&state=x"},
      {"grant_type=refresh_token&refresh_token=abc%26d&client_id=me",
       "grant_type=refresh_token&refresh_token=[redacted]&client_id=me"},
      {R"({"url":"https://h/?access_token=abc"})", R"({"url":"https://h/?access_token=[redacted]"})"},
      {R"({"url":"https://h/?token=abc\u0026x=1"})", R"({"url":"https://h/?token=[redacted]\u0026x=1"})"},
      {"next=https%3A%2F%2Fh%3Ftoken%3Dabc%26x%3D1", "next=https%3A%2F%2Fh%3Ftoken%3D[redacted]%26x%3D1"},
      {"env OPENAI_API_KEY=abc PATH=/bin", "env OPENAI_API_KEY=[redacted] PATH=/bin"},
      {"password='a b' x", "password='[redacted]' x"},
      {R"({"a":"token=","b":"c"})", R"({"a":"token=","b":"c"})"},
  });
}

TEST_F(Redactor_S1_51, RedactsCredentialsAfterTheirScheme) {
  expect({
      {"got Bearer xyz.abc-_~+/= from peer", "got Bearer [redacted] from peer"},
      {"basic dXNlcjpwYXNz", "basic [redacted]"},
      {"DPoP abc", "DPoP [redacted]"},
      {R"(["Basic ab\/c\u002b=="])", R"(["Basic [redacted]"])"},
      {"h=Bearer%20abc&x", "h=Bearer%20[redacted]&x"},
      {"\"\\nBearer abc\"", "\"\\nBearer [redacted]\""},
  });
  expect_unchanged({"WWW-Authenticate: Bearer realm=\"x\", error=\"invalid_token\"", "a Bearer token is needed"});
}

TEST_F(Redactor_S1_51, RedactsTokensByPattern) {
  expect({
      {"key sk-abcdefghijklmnopqrstuvwx!", "key [redacted]!"},
      {"ghp_0123456789abcdefghij", "[redacted]"},
      {R"({"x":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"})", R"({"x":"[redacted]"})"},
      {"see eyJhbGciOiJIUzI1NiJ9.eyJzd", "see [redacted]"},
      {R"("\nghp_0123456789abcdefghij")", R"("\n[redacted]")"},
      {"AKIAIOSFODNN7EXAMPLE", "[redacted]"},
  });
  expect_unchanged({"task-force-with-a-very-long-name", R"({"cursor":"eyJwYWdlIjoyfQ"})", "sk-short"});
}

TEST_F(Redactor_S1_51, RedactsPrivateKeys) {
  expect({
      {"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
       "-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----"},
      {R"({"a":"-----BEGIN PRIVATE KEY-----\nMIIE","b":1})", R"({"a":"-----BEGIN PRIVATE KEY-----[redacted]","b":1})"},
  });
  expect_unchanged({"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----"});
}

TEST_F(Redactor_S1_51, RedactsPasswordsInUrls) {
  expect({
      {"redis://joe:abc@host:6379/0", "redis://joe:[redacted]@host:6379/0"},
      {R"({"u":"redis:\/\/joe:abc@host\/0"})", R"({"u":"redis:\/\/joe:[redacted]@host\/0"})"},
  });
  expect_unchanged({"http://host:8080/a@b", "ssh://git@host/x"});
}

TEST_F(Redactor_S1_51, RedactsToTheEndOfTruncatedText) {
  expect({
      {R"({"password":"abc)", R"({"password":"[redacted])"},
      {R"({"secret":{"a":"b)", R"({"secret":"[redacted]")"},
      {R"({"secret":12)", R"({"secret":"[redacted]")"},
      {R"({"body":"\"token\":","id":1})", R"({"body":"\"token\":","id":1})"},
      {R"({"body":"{\"token\":\"abc","id":1})", R"({"body":"{\"token\":\"[redacted]","id":1})"},
      {R"(word":"abc","password":"def","id":1})", R"(word":"abc","password":"[redacted]","id":1})"},
      {"Authorization: Bearer ab", "Authorization: [redacted]"},
  });
  expect_unchanged({R"({"password")", R"({"password":)", R"({"password": ")", "password=", "Bearer "});
}

TEST_F(Redactor_S1_51, RedactsKnownValuesInEveryEncoding) {
  ASSERT_TRUE(redactor_.add_secret("p\"ss/wörd\\x"));
  expect({
      {"so p\"ss/wörd\\x it is", "so [redacted] it is"},
      {R"({"a":"p\"ss/wörd\\x"})", R"({"a":"[redacted]"})"},
      {R"({"a":"p\u0022ss\/w\u00f6rd\u005cx"})", R"({"a":"[redacted]"})"},
      {R"({"a":"{\"b\":\"p\\\"ss/wörd\\\\x\"}"})", R"({"a":"{\"b\":\"[redacted]\"}"})"},
      {"?q=p%22ss%2Fw%C3%B6rd%5Cx&r=1", "?q=[redacted]&r=1"},
      {R"({"u":"?q=p%22ss%2fw%c3%b6rd%5cx"})", R"({"u":"?q=[redacted]"})"},
  });
}

TEST_F(Redactor_S1_51, NeverLeavesHalfAnEscape) {
  redactor_.add_secret("nope");
  redactor_.add_secret("e9abc");
  expect({{R"({"a":"\nope"})", R"({"a":"[redacted]"})"}, {R"({"a":"x\u00e9abc"})", R"({"a":"x[redacted]"})"}});
}

TEST_F(Redactor_S1_51, Finding_S17_RedactsKnownValuesAcrossParts) {
  redactor_.add_secret("s\"cret\\w\xc3\xb6rd");
  // Around all offsets where 16 KiB parts may begin, so that every encoding is split at each of its bytes.
  for (const std::string written : {R"(s\"cret\\w\u00f6rd)", R"(s\\\"cret\\\\w\\u00f6rd)", R"(s%22cret%5Cw%C3%B6rd)",
                                    R"(s\u0022cret\u005cw\u00F6rd)"}) {
    for (std::size_t before = 16'384 - written.size() - 2; before <= 16'384 + 2; ++before) {
      const std::string start(before, '.'), end(40, '-');
      const auto hidden = redactor_.redact_values(start + written + end);
      ASSERT_EQ(hidden, start + "[redacted]" + end) << written << " at " << before;
    }
  }
}

TEST_F(Redactor_S1_51, RefusesValuesTooShortToBeSecrets) {
  EXPECT_FALSE(redactor_.add_secret("abc"));
  EXPECT_FALSE(redactor_.add_secret(""));
  expect_unchanged({"abc"});
}

TEST_F(Redactor_S1_51, AddKeyAddsNames) {
  redactor_.add_key("Session-Id");
  expect({
      {"x-session-id: abc", "x-session-id: [redacted]"},
      {R"({"session_id":"abc"})", R"({"session_id":"[redacted]"})"},
  });
}

TEST_F(Redactor_S1_51, IsIdempotent) {
  const std::string once = redactor_.redact(R"({"token":5,"b":"Bearer abc","c":"password=x y","d":{"secret":[1]}})");
  EXPECT_EQ(redactor_.redact(once), once);
}

TEST_F(Redactor_S1_51, TakesLinearTimeOnAdversarialText) {
  // Each of these would take minutes if a step scanned the rest of the text again.
  constexpr int times = 100'000;
  for (const std::string_view piece :
       {"eyJ-", "sk-", "\\", "\"token\":", "{\"token\":{", "://a:", "Bearer ", "%5C\\\\u005c",
        "-----BEGIN PRIVATE KEY-----\"", "token=", "token:\"", "'", "ghp_-", "aaaa"}) {
    std::string text;
    for (int i = 0; i < times; ++i) text += piece;
    text += '!';  // Not truncated.
    redactor_.add_secret("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
    redactor_.add_secret("\\\\\\\\\\\\\\");
    EXPECT_FALSE(redactor_.redact(text).empty());
  }
}

TEST_F(Redactor_S1_51, AddsSecretsWhileOtherThreadsRedact) {
  std::jthread learner([this] {
    for (int i = 0; i < 200; ++i) redactor_.add_secret("secret-" + std::to_string(i));
  });
  for (int i = 0; i < 200; ++i) EXPECT_EQ(redactor_.redact("password=abc"), "password=[redacted]");
}

TEST_F(Redactor_S1_51, RedactingSinkRedactsMessages) {
  CapturingSink log;
  RedactingSink sink(log, redactor_);
  sink.write(LogLevel::debug, "stdio", R"(send json={"token":"abc"})");
  EXPECT_EQ(log.lines().at(0).message, R"(send json={"token":"[redacted]"})");
}

}  // namespace
}  // namespace fairlead::redactor_test
