#include <csignal>
#include <filesystem>
#include <fstream>

#include "gateway/fixtures/gateway_rig.hpp"

/// Complaints about other gateways: child processes. Numbers are rows of the list in docs/gateway.md.
namespace fairlead::gateway::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(ComplaintChildren, Complaint_01_LeavesNoExtraChildrenAfterManyClients) {
  auto own = child("own");
  own.share = Share::caller;
  GatewayRig rig(config_of({child("shared"), own}));
  for (const std::string path : {"/mcp", "/sse", "/ws", "/mcp", "/sse", "/ws"}) {
    auto one = rig.client("/s/shared" + path);
    auto two = rig.client("/s/own" + path);
    auto three = rig.client("/s/own" + path);
    EXPECT_EQ(one.call<std::string>("echo", {{"text", "hi"}}), "hi");
    EXPECT_NE(two.call<std::int64_t>("pid"), three.call<std::int64_t>("pid")) << "one process per caller";
    EXPECT_GE(children().size(), 3U);
  }
  EXPECT_TRUE(eventually([] { return children().size() == 1; })) << children().size() << " children";
  rig.stop();
  EXPECT_THAT(children(), IsEmpty());
}

TEST(ComplaintChildren, Complaint_04_RestartsAKilledChildOnTheNextCall) {
  GatewayRig rig(child("server"));
  auto client = rig.client();
  const auto first = static_cast<pid_t>(client.call<std::int64_t>("pid"));
  ::kill(first, SIGKILL);
  ASSERT_TRUE(eventually([&] { return rig.state("server").pid != first; }));
  const auto second = static_cast<pid_t>(client.call<std::int64_t>("pid"));
  EXPECT_NE(second, first);
  EXPECT_TRUE(eventually([] { return children().size() == 1; })) << "the dead child was reaped";
}

TEST(ComplaintChildren, Complaint_04_DoesNotRepeatACallThatCrashedTheServer) {
  GatewayRig rig(child("server"));
  auto client = rig.client();
  const auto error = failure_of([&] { client.call("die"); });
  EXPECT_THAT(error.message, HasSubstr("it is unknown whether the call was executed, so it is not repeated"));
  EXPECT_THAT(error.data, HasSubstr(R"("outcome":"unknown")"));
  EXPECT_EQ(rig.state("server").starts, 1U);
  EXPECT_EQ(client.call<std::string>("echo", {{"text", "back"}}), "back");
}

TEST(ComplaintChildren, Complaint_11_StartsAServerOnDemandAndStopsItWhenIdle) {
  auto server = child("server");
  server.idle_stop = 200ms;
  GatewayRig rig(config_of({server, child("other")}));
  EXPECT_THAT(children(), IsEmpty()) << "no call yet";
  auto client = rig.client("/s/server/mcp");
  const auto first = client.call<std::int64_t>("pid");
  EXPECT_TRUE(eventually([] { return children().empty(); })) << "idle, and the other was never used";
  EXPECT_TRUE(eventually([&] { return rig.state("server").state == "idle"; }));
  EXPECT_NE(client.call<std::int64_t>("pid"), first) << "transparent to the client";
}

std::string limits_of(std::int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/limits");
  return {std::istreambuf_iterator<char>(file), {}};
}

// The soft limit in /proc/<pid>/limits.
std::string limit(const std::string& limits, const std::string& name) {
  const auto line = limits.find(name);
  if (line == std::string::npos) return "";
  const auto begin = limits.find_first_not_of(' ', line + name.size());
  return limits.substr(begin, limits.find(' ', begin) - begin);
}

TEST(ComplaintChildren, Complaint_12_AppliesResourceLimitsPerServer) {
  auto small = child("small");
  // Large enough for the shadow memory of a sanitizer.
  small.memory.count = std::uint64_t{1} << 46;
  small.cpu_time = 100s;
  small.open_files = 77;
  GatewayRig rig(config_of({small, child("large")}));
  const auto of_small = limits_of(rig.client("/s/small/mcp").call<std::int64_t>("pid"));
  const auto of_large = limits_of(rig.client("/s/large/mcp").call<std::int64_t>("pid"));
  EXPECT_EQ(limit(of_small, "Max data size"), std::to_string(small.memory.count));
  EXPECT_EQ(limit(of_small, "Max cpu time"), "100");
  EXPECT_EQ(limit(of_small, "Max open files"), "77");
  EXPECT_NE(limit(of_large, "Max data size"), std::to_string(small.memory.count));
  EXPECT_NE(limit(of_large, "Max open files"), "77");
}

TEST(ComplaintChildren, Complaint_13_FindsAPackageRunnerOnThePath) {
  const auto folder = std::filesystem::temp_directory_path() / ("fairlead-npx-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "npx") << "#!/bin/sh\nshift\nexec " << FAIRLEAD_FIXTURE_SERVER << " process \"$@\"\n";
  std::filesystem::permissions(folder / "npx", std::filesystem::perms::owner_all);
  ServerConfig server{.name = "server", .command = {"npx", "-y", "some-server", "a folder"}};
  server.env["PATH"] = folder.string() + ":/usr/bin:/bin";
  {
    GatewayRig rig(server);
    EXPECT_EQ(rig.client().call<std::string>("words"), "[some-server][a folder]");
  }
  std::filesystem::remove_all(folder);
}

TEST(ComplaintChildren, Complaint_30_PassesArgumentsToAChildUnchanged) {
  const std::vector<std::string> words{"a b",   "\"q\"", "'s'", "$(touch x)", "%PATH%",
                                       "$HOME", "-x",    "*",   "a\nb",       ";|&"};
  GatewayRig rig(child("server", words));
  std::string wanted;
  for (const auto& word : words) wanted += "[" + word + "]";
  EXPECT_EQ(rig.client().call<std::string>("words"), wanted);
}

}  // namespace
}  // namespace fairlead::gateway::test
