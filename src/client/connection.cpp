#include <fairlead/client/connection.hpp>

#include <fairlead/protocol/fault.hpp>
#include <set>
#include <utility>

#include "client/connection_state.hpp"

namespace fairlead::client {
namespace {

constexpr std::size_t most_list_pages = 1'000;
constexpr std::size_t most_list_bytes = std::size_t{256} * 1024 * 1024;

/// All pages of a list. A server that gives the same cursor twice would never end, nor would one that makes up new
/// ones.
template <class Method, class Item>
Task<Result<std::vector<Item>>> all_pages(std::shared_ptr<ConnectionState> state,
                                          std::vector<Item> Method::Result::* items) {
  std::vector<Item> all;
  std::set<std::string> seen;
  protocol::PaginatedParams params;
  std::size_t bytes = 0;
  while (true) {
    auto body = co_await state->request(std::string(Method::method), json::to_payload(params), CallOptions());
    if (!body) co_return std::unexpected(std::move(body.error()));
    bytes += body->text().size();
    if (seen.size() >= most_list_pages || bytes > most_list_bytes) {
      co_return fail(ErrorKind::malformed, "the answers to " + std::string(Method::method) +
                                               " are too long: more than " + std::to_string(most_list_pages) +
                                               " pages or " + std::to_string(most_list_bytes) + " bytes");
    }
    auto page = json::decode<typename Method::Result>(*body);
    if (!page) co_return std::unexpected(std::move(page.error()));
    for (auto& item : (*page).*items) all.push_back(std::move(item));
    if (!page->nextCursor) co_return all;
    if (!seen.insert(*page->nextCursor).second) {
      co_return fail(ErrorKind::malformed, "the server's list has no end: it gave the same cursor twice");
    }
    params.cursor = std::move(page->nextCursor);
  }
}

Task<Result<void>> without_value(Task<Result<json::Payload>> asked) {
  auto body = co_await std::move(asked);
  if (!body) co_return std::unexpected(std::move(body.error()));
  co_return Result<void>();
}

template <class Method>
Task<Result<void>> ask(ConnectionState& state, const typename Method::Params& params) {
  return without_value(state.request(std::string(Method::method), json::to_payload(params), CallOptions()));
}

}  // namespace

const ServerDescription& Connection::server() const {
  return state_->server;
}

Task<Result<protocol::CallToolResult>> Connection::call_tool(std::string tool, Arguments arguments, CallOptions options,
                                                             bool whole) {
  const auto state = state_;
  if (state->options.check == ResultCheck::always && !state->schemas.knows(tool)) {
    if (auto listed = co_await tools(); !listed) co_return std::unexpected(std::move(listed.error()));
  }
  protocol::CallToolParams params{.name = tool, .arguments = arguments.payload()};
  auto result = co_await request<protocol::CallTool>(std::move(params), std::move(options));
  if (!result) co_return result;
  if (state->options.check != ResultCheck::never) {
    if (auto checked = state->schemas.check(tool, *result); !checked) co_return std::unexpected(checked.error());
  }
  if (!whole && result->isError.value_or(false)) {
    co_return std::unexpected(protocol::fault_error(protocol::Fault::tool_failed, text_of(*result), tool));
  }
  co_return result;
}

Task<Result<std::vector<protocol::Tool>>> Connection::tools() {
  const auto state = state_;
  auto all = co_await all_pages<protocol::ListTools>(state, &protocol::ListToolsResult::tools);
  if (all) state->schemas.learn(*all);
  co_return all;
}

Task<Result<std::vector<protocol::Resource>>> Connection::resources() {
  return all_pages<protocol::ListResources>(state_, &protocol::ListResourcesResult::resources);
}

Task<Result<std::vector<protocol::ResourceTemplate>>> Connection::resource_templates() {
  return all_pages<protocol::ListResourceTemplates>(state_, &protocol::ListResourceTemplatesResult::resourceTemplates);
}

Task<Result<std::vector<protocol::Prompt>>> Connection::prompts() {
  return all_pages<protocol::ListPrompts>(state_, &protocol::ListPromptsResult::prompts);
}

Task<Result<protocol::ReadResourceResult>> Connection::read(std::string uri, CallOptions options) {
  protocol::ReadResourceParams params{.uri = std::move(uri)};
  return request<protocol::ReadResource>(std::move(params), std::move(options));
}

Task<Result<protocol::GetPromptResult>> Connection::prompt(std::string name,
                                                           std::map<std::string, std::string> arguments,
                                                           CallOptions options) {
  protocol::GetPromptParams params{.name = std::move(name)};
  if (!arguments.empty()) params.arguments = std::move(arguments);
  return request<protocol::GetPrompt>(std::move(params), std::move(options));
}

Task<Result<protocol::Completion>> Connection::complete(
    std::variant<protocol::PromptReference, protocol::ResourceReference> of, std::string argument, std::string value,
    std::map<std::string, std::string> known) {
  protocol::CompleteParams params{.ref = std::move(of), .argument = {std::move(argument), std::move(value)}};
  if (!known.empty()) params.context.emplace().arguments = std::move(known);
  auto result = co_await request<protocol::Complete>(std::move(params));
  if (!result) co_return std::unexpected(std::move(result.error()));
  co_return std::move(result->completion);
}

// Where there is no ping, the question what a server speaks costs as little.
Task<Result<void>> Connection::ping() {
  auto reached = co_await state_->reach();
  if (!reached) co_return std::unexpected(std::move(reached.error()));
  const bool has_ping = server().revision->client_requests.contains(protocol::Ping::method);
  const auto method = has_ping ? protocol::Ping::method : protocol::Discover::method;
  co_return co_await without_value(state_->request(std::string(method), json::Payload(), CallOptions()));
}

Task<Result<void>> Connection::set_log_level(protocol::LoggingLevel level) {
  const auto state = state_;
  auto reached = co_await state->reach();
  if (!reached) co_return std::unexpected(std::move(reached.error()));
  state->log_level = level;
  co_return co_await state->settle_in(**reached);
}

Task<Result<void>> Connection::subscribe(std::string uri) {
  return state_->subscriptions.add(std::move(uri));
}

Task<Result<void>> Connection::unsubscribe(std::string uri) {
  return state_->subscriptions.remove(std::move(uri));
}

Task<Result<void>> Connection::set_roots(std::vector<protocol::Root> roots) {
  const auto state = state_;
  if (!state->options.roots) co_return fail(ErrorKind::invalid, "this client was opened without roots");
  state->answers.roots = std::move(roots);
  auto reached = co_await state->reach();
  if (!reached) co_return std::unexpected(std::move(reached.error()));
  if (server().revision->client_notifications.contains(protocol::RootsListChanged::method)) {
    session::Notice notice{.method = std::string(protocol::RootsListChanged::method)};
    co_await (*reached)->session.peer().notify(notice);
  }
  co_return Result<void>();
}

Task<Result<json::Payload>> Connection::request(std::string method, json::Payload params, CallOptions options) {
  return state_->request(std::move(method), std::move(params), std::move(options));
}

Task<Result<session::Reply>> Connection::call(session::Call& call) {
  return state_->ask(call);
}

Task<void> Connection::notify(session::Notice& notice) {
  const auto reached = co_await state_->reach();
  if (reached) co_await (*reached)->session.peer().notify(notice);
}

Task<Result<ServerDescription>> Connection::reach() {
  const auto state = state_;
  auto reached = co_await state->reach();
  if (!reached) co_return std::unexpected(std::move(reached.error()));
  co_return state->server;
}

bool Connection::is_open() const {
  return state_->open_link() != nullptr;
}

pid_t Connection::process() const {
  const auto link = state_->open_link();
  return link && link->line.child ? link->line.child->pid() : 0;
}

void Connection::hang_up() noexcept {
  state_->hang_up();
}

void Connection::close() noexcept {
  state_->close();
}

namespace {

using Body = std::function<Task<Result<void>>(Connection&)>;

Task<void> converse(std::shared_ptr<ConnectionState> state, const Body& body, Result<void>* outcome) {
  struct HangUp {
    explicit HangUp(ConnectionState& opened) : state(opened) {}
    HangUp(const HangUp&) = delete;
    HangUp& operator=(const HangUp&) = delete;
    ~HangUp() { state.close(); }
    ConnectionState& state;
  };
  Connection connection(state);
  const HangUp at_the_end(*state);
  auto reached = co_await state->reach();
  if (!reached) {
    *outcome = std::unexpected(std::move(reached.error()));
  } else {
    *outcome = co_await body(connection);
  }
}

}  // namespace

Connection connection_in(TaskScope& scope, Loop loop, Endpoint endpoint, ClientOptions options) {
  return Connection(std::make_shared<ConnectionState>(loop, std::move(endpoint), std::move(options), scope));
}

Task<Result<void>> with_server(Loop loop, Endpoint endpoint, ClientOptions options, Body body) {
  Result<void> outcome;
  co_await with_scope(loop.log, "client", [&](TaskScope& scope) {
    return converse(std::make_shared<ConnectionState>(loop, endpoint, options, scope), body, &outcome);
  });
  co_return outcome;
}

}  // namespace fairlead::client
