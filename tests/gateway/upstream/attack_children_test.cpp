#include <csignal>

#include "gateway/fixtures/gateway_rig.hpp"

/// Child processes that violate the protocol, next to well-behaved ones: see docs/security.md.
namespace fairlead::gateway::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;

struct Misbehaviour {
  const char* name;
  std::string script;  ///< Shell script; `$SERVER` is a well-behaved server.
  bool works = false;  ///< Whether calls still succeed.
};

void PrintTo(const Misbehaviour& of, std::ostream* out) {
  *out << of.name;
}

struct MisbehavingChild : testing::TestWithParam<Misbehaviour> {};

TEST_P(MisbehavingChild, DoesNotAffectOthersAndIsStopped) {
  ServerConfig bad{.name = "bad", .command = {"sh", "-c", GetParam().script}};
  bad.env["SERVER"] = FAIRLEAD_FIXTURE_SERVER;
  bad.start_timeout = GetParam().works ? 60s : 1s;
  bad.restart.max_failures = 1;
  auto config = config_of({bad, child("good")});
  config.list_timeout = 2s;
  {
    GatewayRig rig(config);
    auto client = rig.client("/s/good/mcp");
    EXPECT_EQ(client.call<std::string>("echo", {{"text", "1"}}), "1");
    if (GetParam().works) {
      EXPECT_EQ(rig.client("/s/bad/mcp").call<std::string>("echo", {{"text", "2"}}), "2");
    } else {
      EXPECT_THAT(failure_of([&] { rig.client("/s/bad/mcp"); }).message, HasSubstr("the server 'bad'"));
    }
    EXPECT_EQ(client.call<std::string>("echo", {{"text", "3"}}), "3");
  }
  EXPECT_TRUE(eventually([] { return children().empty(); })) << children().size() << " children are left";
}

const std::string then_serve = "exec $SERVER process";

INSTANTIATE_TEST_SUITE_P(
    EveryKind, MisbehavingChild,
    testing::Values(Misbehaviour{"PrintsNoise", "echo starting up; echo '{not json'; echo; " + then_serve, true},
                    Misbehaviour{"RespondsWithoutARequest",
                                 R"(echo '{"jsonrpc":"2.0","id":77,"result":{}}'; echo '{"jsonrpc":"2.0","id":null,)"
                                 R"("error":{"code":-1,"message":"?"}}'; )" +
                                     then_serve,
                                 true},
                    Misbehaviour{"FloodsStderr", "head -c 3000000 /dev/zero | tr '\\0' e >&2; " + then_serve, true},
                    Misbehaviour{"IgnoresSigterm", "trap '' TERM; " + then_serve, true},
                    Misbehaviour{"LeavesAGrandchild", "sleep 1000 & " + then_serve, true},
                    Misbehaviour{"NeverEndsItsLine", "printf x; exec sleep 1000"},
                    Misbehaviour{"NeverEndsItsLineAndNeverStops", "exec tr '\\0' x < /dev/zero"},
                    Misbehaviour{"NeverResponds", "exec sleep 1000"},
                    Misbehaviour{"ClosesStdoutButStays", "exec 1>&-; exec sleep 1000"},
                    Misbehaviour{"EndsAtOnce", "exit 3"},
                    Misbehaviour{"IgnoresAllCatchableSignals", "trap '' TERM HUP INT; while :; do sleep 1; done"},
                    Misbehaviour{"SendsInvalidMessages",
                                 R"(while read -r line; do echo '{"jsonrpc":"2.0","id":1,"result":17}'; done)"}),
    [](const auto& kind) { return std::string(kind.param.name); });

TEST(ChildAttack, GrandchildrenAreStoppedWithTheChild) {
  ServerConfig server{.name = "server", .command = {"sh", "-c", "sleep 1000 & exec $SERVER process"}};
  server.env["SERVER"] = FAIRLEAD_FIXTURE_SERVER;
  pid_t group = 0;
  {
    GatewayRig rig(server);
    group = static_cast<pid_t>(rig.client().call<std::int64_t>("pid"));
    EXPECT_EQ(::kill(-group, 0), 0);
  }
  EXPECT_TRUE(eventually([&] { return ::kill(-group, 0) != 0; })) << "the process group is empty";
}

TEST(ChildAttack, AnEndlessLineUsesBoundedMemory) {
  ServerConfig endless{.name = "endless", .command = {"sh", "-c", "exec tr '\\0' x < /dev/zero"}};
  endless.start_timeout = 3s;
  GatewayRig rig(endless);
  EXPECT_THAT(failure_of([&] { rig.client(); }).message, HasSubstr("the server 'endless'"));
  std::ifstream status("/proc/self/status");
  const std::string all(std::istreambuf_iterator<char>(status), {});
  const auto peak = std::atol(all.c_str() + all.find("VmHWM:") + 6);
  EXPECT_LT(peak, 1'000'000) << "kilobytes";
}

}  // namespace
}  // namespace fairlead::gateway::test
