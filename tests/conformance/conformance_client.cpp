#include <cstdlib>
#include <exception>
#include <fairlead/auth/oauth.hpp>
#include <fairlead/client.hpp>
#include <fairlead/json/dom.hpp>
#include <fairlead/skills.hpp>
#include <functional>
#include <iostream>
#include <map>
#include <string>

/// The client for the official conformance suite, which gives a scenario and a revision in the environment and the URL
/// of its server as the last argument. Uses only the public client API.
namespace {

using fairlead::Arguments;
using fairlead::Client;
using fairlead::ClientOptions;
using fairlead::json::Payload;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// The parts of a schema that are needed to generate a value.
struct Schema {
  std::optional<Payload> type = {};
  std::optional<std::map<std::string, Payload>> properties = {};
  std::optional<std::vector<std::string>> required = {};
  std::optional<std::vector<Payload>> enum_ = {};
};

std::string sample(const Payload& text) {
  const auto schema = fairlead::json::decode<Schema>(text);
  if (!schema || !schema->type) return "{}";
  if (schema->enum_ && !schema->enum_->empty()) return std::string(schema->enum_->front().text());
  static const std::map<std::string, std::string, std::less<>> simple = {
      {R"("string")", R"("text")"}, {R"("integer")", "5"}, {R"("number")", "5"},
      {R"("boolean")", "true"},     {R"("array")", "[]"},  {R"("null")", "null"}};
  if (const auto found = simple.find(schema->type->text()); found != simple.end()) return found->second;
  std::string members;
  for (const auto& name : schema->required.value_or(std::vector<std::string>{})) {
    if (!schema->properties || !schema->properties->contains(name)) continue;
    members += (members.empty() ? "" : ",") + fairlead::json::encode(name) + ":" + sample(schema->properties->at(name));
  }
  return "{" + members + "}";
}

/// Accepts every form and omits fields with a default, which the library fills in.
ClientOptions agreeable() {
  ClientOptions options;
  options.client_info = {.name = "fairlead-conformance", .title = {}, .version = "1.0"};
  options.on_elicit = [](const fairlead::protocol::ElicitFormParams& form) {
    return fairlead::protocol::ElicitResult{.action = fairlead::protocol::ElicitAction::accept,
                                            .content = Payload::trusted(sample(form.requestedSchema))};
  };
  options.on_create_message = [](const fairlead::protocol::CreateMessageParams&) {
    fairlead::protocol::CreateMessageResult result;
    result.model = "none";
    result.role = fairlead::protocol::Role::assistant;
    result.content.blocks.emplace_back(fairlead::protocol::TextContent{.text = "Paris"});
    return result;
  };
  options.roots = std::vector<fairlead::protocol::Root>{{.uri = "file:///workspace", .name = "workspace"}};
  return options;
}

void list(Client& server) {
  server.tools();
}

void call_all(Client& server) {
  for (const auto& tool : server.tools()) server.call(tool.name, Payload::trusted(sample(tool.inputSchema)));
}

void use_everything(Client& server) {
  call_all(server);
  for (const auto& resource : server.resources()) server.read(resource.uri);
  for (const auto& prompt : server.prompts()) {
    std::map<std::string, std::string> arguments;
    for (const auto& argument : prompt.arguments.value_or(std::vector<fairlead::protocol::PromptArgument>{})) {
      arguments.emplace(argument.name, "text");
    }
    server.prompt(prompt.name, std::move(arguments));
  }
}

struct PlannedCall {
  std::string name;
  std::optional<Payload> arguments = {};
};
struct Plan {
  std::vector<PlannedCall> toolCalls = {};
};

void call_as_planned(Client& server) {
  list(server);
  const auto plan = fairlead::json::decode<Plan>(Payload::parse(environment("MCP_CONFORMANCE_CONTEXT")).value());
  for (const auto& call : plan.value().toolCalls) {
    server.call(call.name, call.arguments.value_or(Payload::trusted("{}")));
  }
}

void send_schema_back(Client& server) {
  for (const auto& tool : server.tools()) {
    if (tool.name != "json_schema_2020_12_tool") continue;
    server.call("json_schema_echo", {{"schema", tool.inputSchema}});
  }
}

void list_skills(Client& server) {
  fairlead::list_skills(server);
}

/// Loads every skill with all its files.
void load_skills(Client& server) {
  for (const auto& skill : fairlead::list_skills(server)) {
    auto loaded = fairlead::load_skill(server, skill);
    for (const auto& file : *skill.files()) loaded.read(file.uri.substr(skill.directory().size() + 1));
  }
}

/// Follows the authorization URL without a user: the suite redirects at once. Returns the URL of the redirect.
fairlead::Task<fairlead::Result<std::string>> follow(fairlead::EventLoop loop, fairlead::auth::SignInRequest request) {
  fairlead::http::ClientOptions options;
  options.max_redirects = 0;
  fairlead::http::Client browser(loop, std::move(options));
  fairlead::http::ClientRequest page{.url = std::move(request.url)};
  auto answer = co_await browser.fetch(std::move(page));
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  const auto location = answer->header("Location");
  if (!location) co_return fairlead::fail(fairlead::ErrorKind::refused, "the authorization page does not redirect");
  co_return std::string(*location);
}

/// The credentials that the suite gives to a scenario.
struct Credentials {
  std::optional<std::string> client_id = {};
  std::optional<std::string> client_secret = {};
  std::optional<std::string> private_key_pem = {};
  std::optional<std::string> signing_algorithm = {};
  std::optional<std::string> idp_client_id = {};
  std::optional<std::string> idp_id_token = {};
  std::optional<std::string> idp_token_endpoint = {};
  std::optional<std::string> valid_jwt = {};
};

fairlead::auth::Grant grant_of(const std::string& scenario) {
  using fairlead::auth::Grant;
  if (scenario.starts_with("auth/client-credentials")) return Grant::client_credentials;
  if (scenario == "auth/enterprise-managed-authorization") return Grant::id_jag;
  if (scenario == "auth/wif-jwt-bearer") return Grant::jwt_bearer;
  return Grant::code;
}

std::shared_ptr<fairlead::auth::TokenSource> tokens_for(const std::string& scenario, const std::string& url) {
  fairlead::auth::OAuthOptions options{.server = url};
  options.grant = grant_of(scenario);
  options.client_metadata_url = "https://conformance-test.local/client-metadata.json";
  // Dynamic registration is checked there, and a metadata document is offered too.
  if (scenario == "auth/offline-access-scope") options.client_metadata_url.clear();
  const auto context = Payload::parse(environment("MCP_CONFORMANCE_CONTEXT"));
  const auto given = context ? fairlead::json::decode<Credentials>(*context) : fairlead::Result<Credentials>();
  if (given) {
    options.client_id = given->client_id.value_or("");
    options.client_secret = given->client_secret.value_or("");
    options.private_key_pem = given->private_key_pem.value_or("");
    options.signing_algorithm = given->signing_algorithm.value_or("");
    options.assertion = given->valid_jwt.value_or("");
    options.identity_provider = {.token_endpoint = given->idp_token_endpoint.value_or(""),
                                 .client_id = given->idp_client_id.value_or(""),
                                 .id_token = given->idp_id_token.value_or("")};
  }
  auto user = fairlead::auth::sign_in_with("http://127.0.0.1:3000/callback", follow);
  return fairlead::auth::oauth(std::move(options), fairlead::auth::memory_store(), std::move(user));
}

void run(const std::string& scenario, const std::string& url) {
  static const std::map<std::string, std::function<void(Client&)>> parts = {
      {"initialize", list},
      {"json-schema-ref-no-deref", list},
      {"http-standard-headers", use_everything},
      {"http-custom-headers", call_as_planned},
      {"json-schema-2020-12-preservation", send_schema_back},
      {"sep-2640-client-no-prefetch", list_skills},
      {"sep-2640-client-verify-digest", load_skills},
      {"sep-2640-client-verify-size", load_skills},
      {"sep-2640-client-verify-frontmatter", load_skills},
  };
  auto options = agreeable();
  const auto revision = environment("MCP_CONFORMANCE_PROTOCOL_VERSION");
  const auto* known = fairlead::protocol::find_revision(revision);
  // A client tries the newest revision first; falling back is tested by another scenario.
  if (known != &fairlead::protocol::newest()) options.revision = revision;
  if (scenario.starts_with("auth/")) options.http.tokens = tokens_for(scenario, url);
  auto server = fairlead::connect(url, std::move(options));
  const auto part = parts.find(scenario);
  part != parts.end() ? part->second(server) : call_all(server);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: conformance-client [options of the suite] <url>\n";
    return 2;
  }
  try {
    run(environment("MCP_CONFORMANCE_SCENARIO"), argv[argc - 1]);
    return 0;
  } catch (const std::exception& failure) {
    std::cerr << "conformance-client: " << failure.what() << '\n';
    return 1;
  }
}
