#include "gateway/via_rooms.hpp"

#include "manual_loop.hpp"

namespace fairlead::gateway::test::via_rooms_test {
namespace {

struct Door final : http::Handler {
  Task<void> serve(http::Exchange&) override { co_return; }
  Task<void> close() override { co_return; }
};

struct ViaRoomsTest : testing::Test {
  ~ViaRoomsTest() override {
    manual.run(rooms.stop());
    manual.run(tasks.join());
  }

  std::unique_ptr<Room> room() {
    return std::make_unique<Room>(manual.loop(), "room", protocol::Implementation{.name = "gateway"}, MergeOptions{});
  }
  http::Handler* enter(const std::string& principal, int gateway) {
    return rooms.enter("", principal, "1.1 fairlead-" + std::to_string(gateway)).get();
  }

  ManualLoop manual;
  TaskScope tasks{manual.loop().executor, manual.log(), "test"};
  ViaRooms rooms{tasks,
                 manual.loop().timers.clock(),
                 std::make_shared<HeaderSets>(),
                 "1.1 fairlead-us",
                 [this](const std::string&) { return room(); },
                 [](const std::string&, transport::Host&) { return std::make_shared<Door>(); }};
};

TEST_F(ViaRoomsTest, Finding_S15_AMadeUpViaEndsNobodyElsesRooms) {
  auto* const of_ben = enter("ben", 0);
  for (int gateway = 0; gateway < 100; ++gateway) EXPECT_NE(enter("anna", gateway), of_ben);
  EXPECT_EQ(enter("ben", 0), of_ben);
}

TEST_F(ViaRoomsTest, Finding_S15_WhereThereAreTooManyOfAllWhoHasTheMostLosesOne) {
  std::vector<http::Handler*> of_others;
  for (int other = 0; other < 3; ++other) of_others.push_back(enter("other " + std::to_string(other), 0));
  for (int gateway = 0; gateway < 100; ++gateway) enter("", gateway);
  for (int other = 0; other < 3; ++other) {
    EXPECT_EQ(enter("other " + std::to_string(other), 0), of_others[static_cast<std::size_t>(other)]);
  }
}

}  // namespace
}  // namespace fairlead::gateway::test::via_rooms_test
