// The layers below a server: derives a schema from a C++ type, reads a request of either era, validates its arguments,
// and encodes the result for that era.
#include <fairlead/json/codec.hpp>
#include <fairlead/json/schema.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <iostream>

namespace json = fairlead::json;
namespace jsonrpc = fairlead::jsonrpc;
namespace protocol = fairlead::protocol;

struct Query {
  json::Doc<std::string, "City name"> city;
  std::optional<int> days;
};

struct Forecast {
  double celsius;
  std::string sky;
};

// Returns the forecast, or the schema violations as a tool error.
protocol::CallToolResult forecast(const protocol::CallToolParams& call) {
  static const auto schema = json::Schema::compile(json::schema_of<Query>()).value();
  const auto arguments = call.arguments.value_or(json::Payload::trusted("{}"));
  protocol::CallToolResult result;
  if (const auto wrong = schema.validate(arguments.text()); !wrong.empty()) {
    for (const auto& each : wrong) result.content.emplace_back(protocol::TextContent{.text = to_string(each)});
    result.isError = true;
    return result;
  }
  const auto query = json::decode<Query>(arguments).value();
  const Forecast answer{.celsius = 21.5, .sky = "clear over " + *query.city};
  result.structuredContent = json::to_payload(answer);
  result.content.emplace_back(protocol::TextContent{.text = json::encode(answer)});
  return result;
}

void serve(const protocol::Revision& revision, std::string line) {
  std::cout << revision.name << "\n  <- " << line << '\n';
  auto incoming = jsonrpc::read(std::move(line)).value();
  auto& request = std::get<jsonrpc::Request>(std::get<jsonrpc::Message>(incoming));
  const auto lifted = revision.codec->decode_request(std::move(request.params)).value();
  const auto call = json::decode<protocol::CallToolParams>(lifted.params).value();

  const protocol::ResultEnvelope envelope{.method = request.method};
  auto body = revision.codec->encode_result(json::to_payload(forecast(call)), envelope, revision);
  std::cout << "  -> " << jsonrpc::write(jsonrpc::Response{request.id, std::move(body)}) << "\n\n";
}

int main() {
  std::cout << "The schema of Query:\n  " << json::schema_of<Query>() << "\n\n";

  serve(protocol::newest_handshake(),
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Rome"}}})");

  serve(protocol::newest_handshake(),
        R"({"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"forecast","arguments":{"days":"3"}}})");

  const auto caller = std::make_shared<const protocol::ClientIdentity>(
      protocol::ClientIdentity{.revision = std::string(protocol::newest().name)});
  const auto params = protocol::newest().codec->encode_request(
      json::Payload::trusted(R"({"name":"forecast","arguments":{"city":"Rome"}})"), caller);
  serve(protocol::newest(), jsonrpc::write(jsonrpc::Request{3, "tools/call", params}));
}
