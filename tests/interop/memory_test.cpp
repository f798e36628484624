#include "interop/peer.hpp"

namespace fairlead::interop::memory_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// NOLINTBEGIN(readability-identifier-naming): as on the wire.
struct Entity {
  std::string name;
  std::string entityType;
  std::vector<std::string> observations;
};
struct Relation {
  std::string from;
  std::string to;
  std::string relationType;
};
// NOLINTEND(readability-identifier-naming)
struct Graph {
  std::vector<Entity> entities;
  std::vector<Relation> relations;
};

/// server-memory, which returns structured results.
struct Memory : Peer {
  Memory() {
    options.validate_results = client::ResultValidation::always;
    environment["MEMORY_FILE_PATH"] = folder.path / "memory.jsonl";
  }
  Client memory() { return npm("server-memory"); }
  static void fill(Client& server) {
    server.call("create_entities",
                {{"entities", std::vector<Entity>{{"Ann", "person", {"likes tea"}}, {"Rome", "city", {}}}}});
    server.call("create_relations", {{"relations", std::vector<Relation>{{"Ann", "Rome", "lives in"}}}});
  }

  Folder folder;
};

TEST_F(Memory, FindsStoredEntities) {
  auto server = memory();
  fill(server);
  server.call("add_observations", parsed(R"({"observations":[{"entityName":"Ann","contents":["speaks Italian"]}]})"));
  const auto found = server.call<Graph>("search_nodes", {{"query", "Italian"}});
  ASSERT_THAT(found.entities, SizeIs(1));
  EXPECT_THAT(found.entities[0].observations, ElementsAre("likes tea", "speaks Italian"));
  EXPECT_EQ(server.call<Graph>("open_nodes", {{"names", std::vector<std::string>{"Rome"}}}).relations[0].from, "Ann");
}

TEST_F(Memory, DeletesEntities) {
  auto server = memory();
  fill(server);
  server.call("delete_observations", parsed(R"({"deletions":[{"entityName":"Ann","observations":["likes tea"]}]})"));
  server.call("delete_relations", {{"relations", std::vector<Relation>{{"Ann", "Rome", "lives in"}}}});
  server.call("delete_entities", {{"entityNames", std::vector<std::string>{"Rome"}}});
  const auto left = server.call<Graph>("read_graph");
  EXPECT_THAT(left.entities, SizeIs(1));
  EXPECT_THAT(left.relations, SizeIs(0));
}

TEST_F(Memory, GraphResourceNotifiesChanges) {
  options.on_resource_updated = [this](const std::string& uri) { received.add(uri); };
  auto server = memory();
  const auto uri = server.resources().at(0).uri;
  server.subscribe(uri);
  fill(server);
  EXPECT_EQ(received.first(1).at(0), uri);
  EXPECT_THAT(contents_of(server.read(uri)), HasSubstr("Rome"));
}

TEST_F(Memory, OutlivesTheServersProcess) {
  {
    auto server = memory();
    fill(server);
  }
  EXPECT_THAT(memory().call<Graph>("read_graph").entities, SizeIs(2));
}

}  // namespace
}  // namespace fairlead::interop::memory_test
