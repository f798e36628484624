#include <cstdio>
#include <fairlead/json/schema.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fairlead/protocol/state_seal.hpp>

// Uses each library that Fairlead links: RE2 and Boost.JSON in the schema, simdjson in the reader, OpenSSL in the seal.
int main() {
  const auto schema = fairlead::json::Schema::compile(R"({"type": "string", "pattern": "^a+$"})");
  const auto message = fairlead::jsonrpc::read(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  const auto seal = fairlead::protocol::StateSeal::random();

  const bool works = schema && schema->validate(R"("aaa")").empty() && !schema->validate(R"("b")").empty() &&
                     message.has_value() && seal.has_value() && !fairlead::protocol::revisions().empty();
  std::puts(works ? "consumer: ok" : "consumer: broken");
  return works ? 0 : 1;
}
