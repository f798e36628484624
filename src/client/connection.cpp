#include <fairlead/client/connection.hpp>

#include <set>
#include <utility>

#include "base/scope_exit.hpp"
#include "client/connection_state.hpp"

namespace fairlead::client {
namespace {

constexpr std::size_t max_list_pages = 1'000;
constexpr std::size_t max_list_bytes = std::size_t{256} * 1024 * 1024;

/// Fetches all pages of a list. Fails on a repeated cursor and beyond the limits, so that it always ends.
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
    if (seen.size() >= max_list_pages || bytes > max_list_bytes) {
      co_return fail(ErrorKind::malformed, "the result of " + std::string(Method::method) + " is too long: more than " +
                                               std::to_string(max_list_pages) + " pages or " +
                                               std::to_string(max_list_bytes) + " bytes");
    }
    auto page = json::decode<typename Method::Result>(*body);
    if (!page) co_return std::unexpected(std::move(page.error()));
    for (auto& item : (*page).*items) all.push_back(std::move(item));
    if (!page->nextCursor) co_return all;
    if (!seen.insert(*page->nextCursor).second) {
      co_return fail(ErrorKind::malformed, "the server returned the same cursor twice, so its list has no end");
    }
    params.cursor = std::move(page->nextCursor);
  }
}

Task<Result<void>> without_value(Task<Result<json::Payload>> requested) {
  auto body = co_await std::move(requested);
  if (!body) co_return std::unexpected(std::move(body.error()));
  co_return Result<void>();
}

}  // namespace

const ServerDescription& Connection::server() const {
  return state_->server;
}

Task<Result<protocol::CallToolResult>> Connection::call_tool(std::string tool, Arguments arguments, CallOptions options,
                                                             bool complete_result) {
  const auto state = state_;
  if (state->options.validate_results == ResultValidation::always && !state->schemas.contains(tool)) {
    if (auto listed = co_await tools(); !listed) co_return std::unexpected(std::move(listed.error()));
  }
  protocol::CallToolParams params{.name = tool, .arguments = arguments.payload()};
  auto result = co_await request<protocol::CallTool>(std::move(params), std::move(options));
  if (!result) co_return result;
  if (state->options.validate_results != ResultValidation::never) {
    if (auto checked = state->schemas.check(tool, *result); !checked) co_return std::unexpected(checked.error());
  }
  if (complete_result) co_return result;
  co_return require_success(std::move(*result), tool);
}

Task<Result<std::vector<protocol::Tool>>> Connection::tools() {
  const auto state = state_;
  auto all = co_await all_pages<protocol::ListTools>(state, &protocol::ListToolsResult::tools);
  if (all) state->schemas.update(*all);
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

// server/discover replaces ping in revisions without it.
Task<Result<void>> Connection::ping() {
  auto connected = co_await state_->ensure_connected();
  if (!connected) co_return std::unexpected(std::move(connected.error()));
  const bool has_ping = server().revision->client_requests.contains(protocol::Ping::method);
  const auto method = has_ping ? protocol::Ping::method : protocol::Discover::method;
  co_return co_await without_value(state_->request(std::string(method), json::Payload(), CallOptions()));
}

Task<Result<void>> Connection::set_log_level(protocol::LoggingLevel level) {
  const auto state = state_;
  auto connected = co_await state->ensure_connected();
  if (!connected) co_return std::unexpected(std::move(connected.error()));
  state->log_level = level;
  co_return co_await state->restore_session_state(**connected);
}

Task<Result<void>> Connection::subscribe(std::string uri) {
  return state_->subscriptions.add(std::move(uri));
}

Task<Result<void>> Connection::unsubscribe(std::string uri) {
  return state_->subscriptions.remove(std::move(uri));
}

Task<Result<void>> Connection::set_roots(std::vector<protocol::Root> roots) {
  const auto state = state_;
  if (!state->options.roots) co_return fail(ErrorKind::invalid, "set_roots needs ClientOptions::roots");
  state->request_handler.roots = std::move(roots);
  auto connected = co_await state->ensure_connected();
  if (!connected) co_return std::unexpected(std::move(connected.error()));
  if (server().revision->client_notifications.contains(protocol::RootsListChanged::method)) {
    session::Notification notification{.method = std::string(protocol::RootsListChanged::method)};
    co_await (*connected)->session.peer().notify(notification);
  }
  co_return Result<void>();
}

Task<Result<json::Payload>> Connection::request(std::string method, json::Payload params, CallOptions options) {
  return state_->request(std::move(method), std::move(params), std::move(options));
}

Task<Result<session::Reply>> Connection::call(session::Call& call) {
  return state_->send_request(call);
}

Task<void> Connection::notify(session::Notification& notification) {
  const auto connected = co_await state_->ensure_connected();
  if (connected) co_await (*connected)->session.peer().notify(notification);
}

Task<Result<ServerDescription>> Connection::ensure_connected() {
  const auto state = state_;
  auto connected = co_await state->ensure_connected();
  if (!connected) co_return std::unexpected(std::move(connected.error()));
  co_return state->server;
}

bool Connection::is_open() const {
  return state_->active_session() != nullptr;
}

pid_t Connection::child_pid() const {
  const auto active = state_->active_session();
  return active && active->transport.child ? active->transport.child->pid() : 0;
}

void Connection::disconnect() noexcept {
  state_->disconnect();
}

void Connection::close() noexcept {
  state_->close();
}

namespace {

using Body = std::function<Task<Result<void>>(Connection&)>;

Task<void> run_body(std::shared_ptr<ConnectionState> state, const Body& body, Result<void>* outcome) {
  Connection connection(state);
  const ScopeExit close_connection([&state] { state->close(); });
  auto connected = co_await state->ensure_connected();
  if (!connected) {
    *outcome = std::unexpected(std::move(connected.error()));
  } else {
    *outcome = co_await body(connection);
  }
}

}  // namespace

Connection make_connection(TaskScope& scope, EventLoop loop, Endpoint endpoint, ClientOptions options) {
  return Connection(std::make_shared<ConnectionState>(loop, std::move(endpoint), std::move(options), scope));
}

Task<Result<void>> with_server(EventLoop loop, Endpoint endpoint, ClientOptions options, Body body) {
  Result<void> outcome;
  co_await with_scope(loop.log, "client", [&](TaskScope& scope) {
    return run_body(std::make_shared<ConnectionState>(loop, endpoint, options, scope), body, &outcome);
  });
  co_return outcome;
}

}  // namespace fairlead::client
