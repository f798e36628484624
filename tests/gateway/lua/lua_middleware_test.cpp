#include <fairlead/gateway/lua.hpp>
#include <fstream>
#include <limits>

#include "gateway/fixtures/manual_clock_fixture.hpp"

namespace fairlead::gateway::test::middleware_lua_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::chrono::milliseconds no_end = std::chrono::hours{1};

struct LuaTest : ManualClockTest {
  std::shared_ptr<Service> with(std::string_view source, LuaLimits limits = {}) {
    auto made = lua_script("s.lua", source, loop(), limits);
    EXPECT_TRUE(made) << made.error().message;
    return chain().then(std::shared_ptr<Middleware>(std::move(*made))).then(server);
  }
  std::string wrong(std::string_view source, LuaLimits limits = {}) {
    const auto made = lua_script("s.lua", source, loop(), limits);
    return made ? "" : made.error().message;
  }
  /// Result of a call for a function with this body.
  std::string request(const std::string& body, Call call = tool_call("t"), LuaLimits limits = {}) {
    return text(with("function request(next, value)\n" + body + "\nend", limits), std::move(call));
  }
};

TEST_F(LuaTest, ForwardsUnchangedValuesByteForByte) {
  const auto odd =
      R"({ "name" : "t","arguments":{ "n": 1.50, "big":123456789012345678901, "e":[ ], "o":{},"z":null } })";
  EXPECT_EQ(request("return next(value)", call_of("tools/call", odd)), odd);
}

TEST_F(LuaTest, ChangesNothingElse) {
  const auto odd = R"({"b":{"x": 1.0},"a":[1,  2],"name":"t","gone":1})";
  EXPECT_EQ(request(R"(value.params.name = "u" value.params.gone = nil value.params.new = true return next(value))",
                    call_of("tools/call", odd)),
            R"({"b":{"x": 1.0},"a":[1,  2],"name":"u","new":true})");
}

TEST_F(LuaTest, MovedItemsKeepTheirBytes) {
  server.on_call = [](Call&) { return answering(R"({"tools":[{"name":"a"},{ "name":"b", "n":1.0 }],"x": 1})"); };
  const auto service = with(R"(
    function metadata(next, value)
      local result = next(value)
      table.remove(result.tools, 1)
      return result
    end)");
  EXPECT_EQ(text(service, call_of("tools/list")), R"({"tools":[{ "name":"b", "n":1.0 }],"x":1})");
}

TEST_F(LuaTest, SupportsNullAndEmptyArrays) {
  EXPECT_EQ(request(R"(return {a = array(), b = null, c = {}, d = {1, 2.5, "x\n"}, e = false})"),
            R"({"a":[],"b":null,"c":{},"d":[1,2.5,"x\n"],"e":false})");
}

TEST_F(LuaTest, MayAnswerWithoutTheServer) {
  EXPECT_EQ(request(R"(if value.params.name == "t" then return {content = array()} end return next(value))"),
            R"({"content":[]})");
  EXPECT_EQ(server.calls.size(), 0U);
}

TEST_F(LuaTest, MayRefuseWithItsOwnError) {
  EXPECT_EQ(request(R"(return nil, "not today")"), "!not today");
  const auto answer =
      start(with("function request() return nil, {code = 401, message = 'who?', data = {a = 1}} end"), tool_call("t"));
  EXPECT_EQ((*answer)->error().code, 401);
  EXPECT_EQ((*answer)->error().data, R"({"a":1})");
}

TEST_F(LuaTest, SeesAndForwardsErrors) {
  fail_with({.kind = ErrorKind::timeout, .message = "late"});
  const auto answer = start(with("function request(next, value) return next(value) end"), tool_call("t"));
  EXPECT_EQ((*answer)->error().kind, ErrorKind::timeout);
  EXPECT_EQ(request(R"(local result, failure = next(value) return {said = failure.message})"), R"({"said":"late"})");
}

TEST_F(LuaTest, MayCallNextSeveralTimes) {
  EXPECT_EQ(request(R"(
    local first = next({method = "tools/call", params = {name = "a"}})
    local second = next({method = "resources/read", params = {uri = "b"}})
    return {first = first.name, second = second.uri})"),
            R"({"first":"a","second":"b"})");
  EXPECT_THAT(server.calls, testing::ElementsAre(R"(tools/call {"name":"a"})", R"(resources/read {"uri":"b"})"));
}

TEST_F(LuaTest, OtherCallsRunWhileOneWaits) {
  const auto service = with("count = 0 function request(next, value) count = count + 1 next() return {n = count} end");
  server.on_call = [this](Call& call) { return server.calls.size() == 1 ? never() : Echo::echo(call); };
  const auto first = start(service, tool_call("t"));
  EXPECT_EQ(text(service, tool_call("t")), R"({"n":2})");
  EXPECT_EQ(shown(first), "…");
}

TEST_F(LuaTest, MetadataAndRequestsHaveTheirOwnFunctions) {
  const auto service = with("function metadata() return {tools = array()} end");
  EXPECT_EQ(text(service, call_of("tools/list")), R"({"tools":[]})");
  EXPECT_THAT(text(service, tool_call("t")), HasSubstr("arguments"));
  server.quick = true;
  auto call = tool_call("t"), list = call_of("tools/list");
  EXPECT_TRUE(service->call(call).is_ready());
  EXPECT_FALSE(service->call(list).is_ready());
}

TEST_F(LuaTest, SeesThePrincipal) {
  auto call = tool_call("t");
  call.context.principal = "ann";
  EXPECT_EQ(request("return {who = value.principal, what = value.method}", std::move(call)),
            R"({"what":"tools/call","who":"ann"})");
}

TEST_F(LuaTest, AnErrorFailsTheCallAndNamesTheLine) {
  EXPECT_THAT(request("local a = 1\nreturn next(value.nothing.there)"),
              AllOf(StartsWith("!the script failed: s.lua:3: "), HasSubstr("nil value (field 'nothing')")));
  EXPECT_THAT(request("error('enough')"), HasSubstr("s.lua:2: enough"));
  EXPECT_THAT(request("error({})"), HasSubstr("s.lua:2: an error that is not a string"));
  EXPECT_EQ(server.calls.size(), 0U);
}

TEST_F(LuaTest, AnEndlessLoopFailsTheCallAndNamesTheLine) {
  const auto service =
      with("function request(next, value)\nwhile value.params.name == 'loop' do end\nreturn {} end", {.time = no_end});
  EXPECT_THAT(text(service, tool_call("loop")),
              HasSubstr("s.lua:2: runs for too long: more than 10000000 instructions"));
  EXPECT_EQ(text(service, tool_call("t")), "{}");
}

TEST_F(LuaTest, InstructionLimitIsIndependentOfTime) {
  const LuaLimits limits{.instructions = 100'000, .time = no_end};
  EXPECT_EQ(request("for i = 1, 50000 do end return {}", tool_call("t"), limits), "{}");
  EXPECT_THAT(request("for i = 1, 200000 do end return {}", tool_call("t"), limits),
              HasSubstr("more than 100000 instructions in one call"));
}

TEST_F(LuaTest, TimeLimitIsIndependentOfInstructions) {
  const LuaLimits limits{.instructions = std::numeric_limits<std::int64_t>::max(),
                         .time = std::chrono::milliseconds{20}};
  EXPECT_THAT(request("while true do end", tool_call("t"), limits), HasSubstr("more than 20 ms in one call"));
}

TEST_F(LuaTest, NothingCatchesTheEndOfTheBudget) {
  const LuaLimits few{.instructions = 100'000};
  EXPECT_THAT(request(R"(
    local function loop() while true do end end
    while true do coroutine.resume(coroutine.create(loop)) end)",
                      tool_call("t"), few),
              HasSubstr("runs for too long"));
  EXPECT_THAT(request("while true do coroutine.wrap(function() next(value) end)() end", tool_call("t"), few),
              HasSubstr("next cannot be called from a coroutine of the script"));
  EXPECT_THAT(request("return pcall(next)"), HasSubstr("global 'pcall'"));
  EXPECT_THAT(request("setmetatable({}, {__gc = function() while true do end end})"), HasSubstr("__gc"));
}

TEST_F(LuaTest, TheBudgetCoversTheWholeCall) {
  EXPECT_THAT(request("while true do next(value) end", tool_call("t"), {.instructions = 5'000}),
              HasSubstr("runs for too long"));
}

TEST_F(LuaTest, AMemoryBombFailsTheCallAndTheNextOneIsServed) {
  const auto service =
      with(R"(function request(next, value)
    local all = {}
    while value.params.name == "bomb" do all[#all + 1] = string.rep("x", 100000) .. #all end
    return {} end)",
           {.memory = 4'000'000, .instructions = std::numeric_limits<std::int64_t>::max(), .time = no_end});
  EXPECT_THAT(text(service, tool_call("bomb")), HasSubstr("s.lua:3: takes more than 4000000 bytes of memory"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(text(service, tool_call("t")), "{}");
  EXPECT_THAT(request("return {x = string.rep('x', 1 << 40)}"), HasSubstr("!the script failed"));
}

TEST_F(LuaTest, EnforcesTheMemoryLimitExactly) {
  const std::string five = "local all = {} for i = 1, 50 do all[i] = string.rep('x', 100000) .. i end return {}";
  EXPECT_EQ(request(five, tool_call("t"), {.memory = 8'000'000, .time = no_end}), "{}");
  EXPECT_THAT(request(five, tool_call("t"), {.memory = 4'000'000, .time = no_end}),
              HasSubstr("takes more than 4000000 bytes of memory"));
}

TEST_F(LuaTest, RefusesAnExpandingResult) {
  EXPECT_THAT(
      request("local t = {} for i = 1, 40 do t = {t, t} end return {t = t}", tool_call("t"), {.memory = 1'000'000}),
      HasSubstr("the result is too large"));
  EXPECT_THAT(request("local t = {} t.t = t return t"), HasSubstr("too deeply for JSON or contains itself"));
}

TEST_F(LuaTest, AStrayYieldFailsTheCall) {
  EXPECT_THAT(request("coroutine.yield(1)\nreturn {}"), HasSubstr("s.lua: coroutine.yield outside of a coroutine"));
}

TEST_F(LuaTest, AnExponentialPatternEndsWithTheBudget) {
  EXPECT_THAT(request(R"(return {n = string.rep("a", 100000):find(string.rep("a*", 20) .. "b")})", tool_call("t"),
                      {.instructions = 300'000}),
              HasSubstr("runs for too long"));
  EXPECT_EQ(request(R"(return {n = ("  x  "):match("^%s*(.-)%s*$"), m = string.rep("a-*", 9999):find("-*", 1, true)})"),
            R"({"m":2,"n":"x"})");
}

TEST_F(LuaTest, HasNoAccessToTheSystem) {
  for (const auto* name : {"io", "os", "package", "debug", "require", "load", "loadfile", "dofile", "loadstring",
                           "collectgarbage", "pcall", "xpcall", "string.dump"}) {
    EXPECT_EQ(request(std::string("return {there = ") + name + " ~= nil}"), R"({"there":false})") << name;
  }
}

TEST_F(LuaTest, InvalidReturnValuesFailTheCall) {
  for (const auto* body : {"return", "return nil", "return 5", "return 'text'", "return {1, 2}", "return {f = print}",
                           "return {[1] = 1, a = 2}", "return {n = 1/0}"}) {
    EXPECT_THAT(request(body), StartsWith("!the script failed")) << body;
  }
}

TEST_F(LuaTest, LogsPrintedLines) {
  request("print('seen', value.params.name) return {}");
  EXPECT_TRUE(log.contains("seen t"));
}

TEST_F(LuaTest, RefusesAnInvalidScriptAtLoad) {
  EXPECT_THAT(wrong("function request("), StartsWith("s.lua:1:"));
  EXPECT_THAT(wrong("x = 1"), HasSubstr("defines neither metadata(next, value) nor request(next, value)"));
  EXPECT_THAT(wrong("while true do end"), HasSubstr("s.lua:1: runs for too long"));
  EXPECT_THAT(wrong("coroutine.yield()"), HasSubstr("coroutine.yield outside of a coroutine"));
  EXPECT_THAT(wrong(std::string_view("\x1bLua", 4)), HasSubstr("binary"));
  EXPECT_THAT(wrong("x = 1", {.memory = 1'000}), HasSubstr("memory"));
  EXPECT_THAT(complaint("lua", {{"", "there/is/none.lua"}}), HasSubstr("file: there/is/none.lua cannot be read"));
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_lua_test
