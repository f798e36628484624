#include <fairlead/gateway/lua.hpp>
#include <limits>

#include "gateway/fixtures/manual_clock_fixture.hpp"

namespace fairlead::gateway::test::middleware_lua_limits_test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

// Without a time limit: instruction counts are equal on every machine.
constexpr LuaLimits counted{.memory = 8'000'000, .instructions = 200'000, .time = std::chrono::hours{1}};

struct LuaLimitsTest : ManualClockTest {
  std::string request(const std::string& body, Call call = tool_call("t"), LuaLimits limits = counted) {
    auto made = lua_script("s.lua", "function request(next, value)\n" + body + "\nend", loop(), limits);
    EXPECT_TRUE(made) << made.error().message;
    if (!made) return "";
    return text(chain().then(std::shared_ptr<Middleware>(std::move(*made))).then(server), std::move(call));
  }
  /// Value of an expression as JSON.
  std::string value(const std::string& expression) { return request("return {v = {" + expression + "}}"); }
  void expect_ends(const std::string& body) {
    EXPECT_THAT(request(body), HasSubstr("s.lua:2: runs for too long: more than 200000 instructions in one call"))
        << body;
  }
};

TEST_F(LuaLimitsTest, Finding_S9_MatchingEndsWithTheBudget) {
  const std::string bomb = "local p, t = ('a?'):rep(100) .. ('a'):rep(100) .. 'b', ('a'):rep(100) ";
  expect_ends(bomb + "return {n = t:find(p)}");
  expect_ends(bomb + "return {n = t:match(p)}");
  expect_ends(bomb + "return {n = t:gsub(p, '')}");
  expect_ends(bomb + "for n in t:gmatch(p) do end return {}");
  expect_ends("return {n = ('a'):rep(1000):find(('.-'):rep(20) .. 'b')}");
  expect_ends("return {n = ('('):rep(5000):find('%b()')}");
  expect_ends("return {n = ('ab'):rep(3000):find('(.+)%1x')}");
}

TEST_F(LuaLimitsTest, Finding_S9_PatternsOfClientsEndWithTheBudget) {
  const std::string script = "local a = value.params.arguments return {n = (a.text:find(a.pattern))}";
  std::string pattern;
  for (int i = 0; i < 60; ++i) pattern += "a?";
  const auto call = call_of("tools/call", R"({"name":"t","arguments":{"text":")" + std::string(60, 'a') +
                                              R"(","pattern":")" + pattern + std::string(60, 'a') + R"(b"}})");
  EXPECT_THAT(request(script, call), HasSubstr("runs for too long"));
}

TEST_F(LuaLimitsTest, Finding_S9_BoundsRepetitionsOfClients) {
  const std::string script = "local a = value.params.arguments return {n = a.text:rep(a.times, a.between)}";
  const auto call = [&](const std::string& arguments) {
    return request(script, call_of("tools/call", R"({"name":"t","arguments":)" + arguments + "}"));
  };
  EXPECT_EQ(call(R"({"text":"","times":4611686018427387904})"), R"({"n":""})");
  EXPECT_THAT(call(R"({"text":"x","times":4611686018427387904})"), HasSubstr("resulting string too large"));
  EXPECT_THAT(call(R"({"text":"x","times":100000000})"), HasSubstr("bytes of memory"));
  EXPECT_THAT(call(R"({"text":"","between":"x","times":1000000})"), HasSubstr("runs for too long"));
  EXPECT_EQ(call(R"({"text":"ab","between":"-","times":3})"), R"({"n":"ab-ab-ab"})");
}

TEST_F(LuaLimitsTest, Finding_S9_FunctionsOfTablesEndWithTheBudget) {
  const std::string endless =
      "local t = setmetatable({}, {__len = function() return 1 << 61 end, __index = math.abs}) ";
  const std::string silent = "local t = setmetatable({}, {__len = function() return 1 << 61 end}) ";
  expect_ends("table.move({}, 1, 1 << 61, 2) return {}");
  expect_ends("table.move({}, 1, 1 << 61, 2, {}) return {}");
  expect_ends(silent + "table.insert(t, 1, 1) return {}");
  expect_ends(silent + "table.remove(t, 1) return {}");
  expect_ends(
      "local e = setmetatable({}, {__index = {''}}) local m = setmetatable({}, {__index = function() return '' end, "
      "__len = function() return 1 << 61 end}) return {n = table.concat(m)}");
  expect_ends("return {n = select('#', table.unpack({}, 1, 200000))}");
  EXPECT_THAT(request("return {n = select('#', table.unpack({}, 1, 1 << 61))}"),
              HasSubstr("too many results to unpack"));
  expect_ends("local t = {} for i = 1, 30000 do t[i] = i end table.sort(t, rawequal) return {}");
  EXPECT_THAT(request(silent + "table.sort(t) return {}"), HasSubstr("array too big"));
  EXPECT_THAT(request(endless + "return {n = table.concat(t)}"), testing::StartsWith("!the script failed"));
}

TEST_F(LuaLimitsTest, Finding_S9_CountsCFunctionsAsElements) {
  expect_ends(
      "local t = setmetatable({}, {__len = function() return 1 << 61 end, __index = rawlen, __newindex = rawequal}) "
      "table.move(t, 1, 1 << 61, 2) return {}");
}

TEST_F(LuaLimitsTest, Finding_S9_CoroutinesDoNotStartTheCountAnew) {
  EXPECT_THAT(request(R"(local function grow(depth)
      if depth == 0 then return end
      for i = 1, 8 do coroutine.wrap(grow)(depth - 1) end
    end
    grow(100) return {})"),
              HasSubstr("runs for too long"));
}

TEST_F(LuaLimitsTest, Finding_S9_ClosingAFailedCoroutineRunsNothing) {
  const std::string closing = R"(local function fail()
      local held <close> = setmetatable({}, {__close = function() while true do end end})
      while true do end
    end )";
  EXPECT_THAT(request(closing + "local c = coroutine.create(fail) coroutine.resume(c) coroutine.close(c) "
                                "while true do end"),
              HasSubstr("runs for too long"));
  EXPECT_THAT(request(closing + "coroutine.wrap(fail)()"), HasSubstr("runs for too long"));
}

TEST_F(LuaLimitsTest, Finding_S9_CallMetamethodMustBeAFunction) {
  EXPECT_THAT(request("local t = {} setmetatable(t, {__call = t}) t() return {}"),
              HasSubstr("__call must be a function, not a table"));
  EXPECT_THAT(request("local t, m = {}, {} setmetatable(t, m) m.__call = t t() return {}"),
              HasSubstr("attempt to call a table value"));
  EXPECT_THAT(request("getmetatable('').__call = '' return {n = ('')()}"), HasSubstr("!the script failed"));
}

TEST_F(LuaLimitsTest, Finding_S9_NoWorkIsLeftToTheCollector) {
  EXPECT_THAT(request("setmetatable({}, {__mode = 'k'}) return {}"), HasSubstr("__gc and __mode are not allowed"));
  EXPECT_THAT(request("setmetatable({}, {__gc = print}) return {}"), HasSubstr("__gc"));
}

TEST_F(LuaLimitsTest, Finding_S9_NothingRunsUncounted) {
  const std::string trap = "setmetatable({}, {__index = function() while true do end end})";
  EXPECT_EQ(request("return nil, " + trap), "!refused by a script");
  EXPECT_THAT(request("next(" + trap + ") return {}"), HasSubstr("next expects a request"));
  const auto made =
      lua_script("s.lua", "x = 1 setmetatable(_G, {__index = function() while true do end end})", loop(), counted);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("defines neither"));
}

TEST_F(LuaLimitsTest, Finding_S9_PlainSearchesAreLinear) {
  EXPECT_EQ(request("local t = ('a'):rep(1000000) return {n = t:find(('a'):rep(400000) .. 'b', 1, true) == nil}",
                    tool_call("t"), {.time = std::chrono::hours{1}}),
            R"({"n":true})");
}

TEST_F(LuaLimitsTest, Finding_S9_PrintingIsBoundedInBytesAndCounted) {
  const std::string big = "local s = ('x'):rep(100000) ";
  EXPECT_EQ(request(big + "print(s, s, s, s) return {}"), "{}");
  EXPECT_TRUE(log.contains("… (cut)"));
  EXPECT_FALSE(log.contains(std::string(10'000, 'x')));
  EXPECT_THAT(request(big + "while true do print(s) end"), HasSubstr("runs for too long"));
}

TEST_F(LuaLimitsTest, Finding_S9_BoundsNamesOfRecursiveTables) {
  EXPECT_THAT(request("local t = {} for i = 1, 20000 do t['name' .. i] = true end t.a = t return t", tool_call("t"),
                      {.memory = 8'000'000}),
              HasSubstr("the result is too large"));
}

TEST_F(LuaLimitsTest, Finding_S9_AScriptAtTheEndOfItsMemoryEndsSoon) {
  // Each allocation at the limit would cost a full garbage collection.
  EXPECT_THAT(request(R"(local all, n = {}, 0
      while true do
        local ok = coroutine.resume(coroutine.create(function()
          for i = 1, 1000 do n = n + 1 all[n] = {} end end))
      end)",
                      tool_call("t"), {.memory = 2'000'000, .instructions = 2'000'000, .time = std::chrono::hours{1}}),
              AnyOf(HasSubstr("bytes of memory"), HasSubstr("runs for too long")));
}

TEST_F(LuaLimitsTest, PatternsMatchAsTheManualSays) {
  EXPECT_EQ(value("('hello world'):find('o w')"), R"({"v":[5,7]})");
  EXPECT_EQ(value("('hello'):find('l+')"), R"({"v":[3,4]})");
  EXPECT_EQ(value("('hello'):find('')"), R"({"v":[1,0]})");
  EXPECT_EQ(value("('hello'):find('', 6)"), R"({"v":[6,5]})");
  EXPECT_EQ(value("('hello'):find('', 7) == nil"), R"({"v":[true]})");
  EXPECT_EQ(value("('hello'):find('l', -2)"), R"({"v":[4,4]})");
  EXPECT_EQ(value("('key = value'):match('^(%w+)%s*=%s*(%w+)$')"), R"({"v":["key","value"]})");
  EXPECT_EQ(value("('[[x]]'):match('%[(%b[])%]')"), R"({"v":["[x]"]})");
  EXPECT_EQ(value("('THE (quick) fox'):find('%((%a+)%)')"), R"({"v":[5,11,"quick"]})");
  EXPECT_EQ(value("('hello'):match('()ll()')"), R"({"v":[3,5]})");
  EXPECT_EQ(value("('THE (quick) fox'):gsub('%f[%a]%a+', '<%0>')"), R"({"v":["<THE> (<quick>) <fox>",3]})");
  EXPECT_EQ(value("('a-b]c'):gsub('[]-]', '.')"), R"({"v":["a.b.c",2]})");
  EXPECT_EQ(value("('abc123'):gsub('[^%d]', '')"), R"({"v":["123",3]})");
  EXPECT_EQ(value("('\"it\" \\'is\\''):match('([\"\\'])(.-)%1')"), R"({"v":["\"","it"]})");
  EXPECT_EQ(value("('abc'):gsub('', '-')"), R"({"v":["-a-b-c-",4]})");
  EXPECT_EQ(value("('abc'):gsub('%w', '%0%0', 2)"), R"({"v":["aabbc",2]})");
  EXPECT_EQ(value("('abc'):gsub('%w', {a = 1, b = false})"), R"({"v":["1bc",3]})");
  EXPECT_EQ(value("('a b'):gsub('(%w) (%w)', '%2 %1%%')"), R"({"v":["b a%",1]})");
  EXPECT_EQ(value("('abc'):gsub('b()', '%1')"), R"({"v":["a3c",1]})");
  EXPECT_EQ(value("('abc'):gsub('.', function(c) if c ~= 'b' then return c:upper() end end)"), R"({"v":["AbC",3]})");
  EXPECT_EQ(value("('x^y'):gsub('^x', '')"), R"({"v":["^y",1]})");
  EXPECT_EQ(value("('a?b'):match('a%?b'), ('ac'):match('ab?c'), ('abc'):match('ab-c')"), R"({"v":["a?b","ac","abc"]})");
  EXPECT_EQ(value("('price: $5'):match('%$%d$'), ('a$b'):match('a$b')"), R"({"v":["$5","a$b"]})");
  EXPECT_EQ(
      request(
          "local r = array() for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do r[#r + 1] = k .. v end return {r = r}"),
      R"({"r":["a1","b2"]})");
  EXPECT_EQ(request("local n = 0 for w in ('abc'):gmatch('') do n = n + 1 end return {n = n}"), R"({"n":4})");
}

TEST_F(LuaLimitsTest, MalformedPatternsAreRefused) {
  for (const auto& [pattern, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"[a", "missing ']'"},
           {"a%", "ends with '%'"},
           {"(a", "unfinished capture"},
           {"%a)", "invalid pattern capture"},
           {"%1", "invalid capture index %1"},
           {"%b", "missing arguments to '%b'"},
           {"%fa", "missing '[' after '%f'"},
       }) {
    EXPECT_THAT(request(std::string("return {n = ('aaa'):find('") + pattern + "')}"), HasSubstr(message)) << pattern;
  }
  EXPECT_THAT(request("return {n = ('a'):gsub('a', '%2')}"), HasSubstr("invalid capture index %2"));
  EXPECT_THAT(request("return {n = ('a'):gsub('a', '%x')}"), HasSubstr("invalid use of '%' in replacement string"));
  EXPECT_THAT(request("return {n = ('a'):find(('a*'):rep(40000))}"), HasSubstr("is too long: at most 65536"));
  EXPECT_THAT(request("return {n = ('a'):find(('a?'):rep(300))}"), HasSubstr("pattern too complex"));
}

TEST_F(LuaLimitsTest, TablesAreHandledAsTheManualSays) {
  EXPECT_EQ(request("local t = {3, 1, 2} table.sort(t) table.insert(t, 4) table.insert(t, 1, 0) return {t = t}"),
            R"({"t":[0,1,2,3,4]})");
  EXPECT_EQ(request("local t = {'b', 'c', 'a'} table.sort(t, function(x, y) return x > y end) return {t = t}"),
            R"({"t":["c","b","a"]})");
  EXPECT_EQ(
      request("local t = {1, 2, 3} local r = table.remove(t, 1) return {t = t, r = r, e = table.remove({}) == nil}"),
      R"({"e":true,"r":1,"t":[2,3]})");
  EXPECT_EQ(request("return {t = table.move({1, 2, 3}, 1, 3, 2), u = table.move({1, 2, 3}, 2, 3, 1, {9, 9, 9})}"),
            R"({"t":[1,1,2,3],"u":[2,3,9]})");
  EXPECT_EQ(value("table.concat({1, 2, 'x'}, ', '), table.concat({}), table.concat({1, 2, 3}, '', 2, 3)"),
            R"({"v":["1, 2, x","","23"]})");
  EXPECT_EQ(value("table.unpack({1, 2, 3}, 2)"), R"({"v":[2,3]})");
  EXPECT_THAT(request("table.insert({1}, 5, 1)"), HasSubstr("position out of bounds"));
  EXPECT_THAT(request("return {n = table.concat({1, {}})}"), HasSubstr("invalid value (at index 2)"));
}

TEST_F(LuaLimitsTest, MetatablesMakeClassesAndDefaults) {
  EXPECT_EQ(request(R"(local Account = {} Account.__index = Account
      function Account.new(n) return setmetatable({n = n}, Account) end
      function Account:add(n) self.n = self.n + n return self end
      local a = Account.new(1)
      return {n = a:add(2).n, same = getmetatable(a) == Account, removed = getmetatable(setmetatable(a, nil)) == nil})"),
            R"({"n":3,"removed":true,"same":true})");
  EXPECT_THAT(request("setmetatable(setmetatable({}, {__metatable = 'no'}), {})"),
              HasSubstr("this metatable is protected"));
  EXPECT_THAT(request("setmetatable(array(), {})"), HasSubstr("this metatable is protected"));
}

TEST_F(LuaLimitsTest, WrappedCoroutinesPassValues) {
  EXPECT_EQ(request(R"(local c = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) return b * 2 end)
      return {first = c(1), second = c(5)})"),
            R"({"first":2,"second":10})");
  EXPECT_THAT(request("local c = coroutine.wrap(function() error('inside') end) c()"), HasSubstr("inside"));
  EXPECT_EQ(request("local c = coroutine.create(function() coroutine.yield() end) coroutine.resume(c) "
                    "return {closed = coroutine.close(c), status = coroutine.status(c)}"),
            R"({"closed":true,"status":"dead"})");
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_lua_limits_test
