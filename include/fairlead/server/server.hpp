#pragma once

#include <fairlead/protocol/uri_template_syntax.hpp>
#include <fairlead/server/changes.hpp>
#include <fairlead/server/context.hpp>
#include <fairlead/server/page.hpp>
#include <fairlead/server/prompt.hpp>
#include <fairlead/server/resource.hpp>
#include <fairlead/server/tool.hpp>
#include <fairlead/session/service.hpp>

namespace fairlead::protocol {
class StateSeal;
}

namespace fairlead::server {

struct ServerState;
class TaskStore;
struct TaskOptions;

/// Handles a request of an extension. `params` is empty if the request has none; the result is a JSON object. An error
/// that carries a ProtocolError is sent as that error, any other as an internal error.
using MethodHandler = std::function<Task<Result<json::Payload>>(const json::Payload& params, Context& context)>;

/// The name of a completer in the registry.
std::string completion_key(const protocol::PromptReference& prompt, std::string_view argument);
std::string completion_key(const protocol::ResourceReference& resource, std::string_view variable);

/// Offers tools, resources and prompts to MCP clients.
///
/// Tools, resources and prompts can be added and removed at any time, from any thread; a request uses the registry as
/// it was when the request arrived. Settings must be made before the server starts to serve.
///
/// Registration errors (an invalid name, a duplicate name, an invalid schema) are collected until the server starts to
/// serve: `run` prints them and returns 2; `check` and all other functions that serve throw std::invalid_argument. A
/// registration error while serving throws at once.
class Server final : public session::Service, NonCopyable {
 public:
  Server(std::string name, std::string version);
  ~Server() override;

  Server& title(std::string title);
  Server& description(std::string description);
  Server& website(std::string url);
  Server& icons(std::vector<protocol::Icon> icons);
  Server& instructions(std::string text);
  /// Maximum number of entries on a page of a list.
  Server& page_size(std::size_t entries);
  /// Cache hints for lists.
  Server& cache(std::chrono::milliseconds ttl, protocol::CacheScope scope);
  /// Decides which entries a caller may see. A hidden entry is neither listed nor callable.
  Server& visible(std::function<bool(EntryKind kind, std::string_view name, std::string_view principal)> rule);
  /// Declares the logging capability, or not. By default it is declared if a handler takes a Context, because only such
  /// a handler can log. Set it if handlers are registered later.
  Server& logging(bool offered);
  /// Keys that encrypt the request state of unfinished input rounds. Random by default. Processes that serve the same
  /// clients must share them.
  Server& seal(protocol::StateSeal seal);
  /// Where tasks are kept, and how many; see server/task_store.hpp. In memory by default. Declares the tasks extension,
  /// as a tool with ToolOptions::task does.
  Server& tasks(std::shared_ptr<TaskStore> store);
  Server& tasks(std::shared_ptr<TaskStore> store, TaskOptions options);
  /// Size of the thread pool for handlers marked `blocking`, and of its queue. Call before the first request.
  Server& blocking_threads(std::size_t threads, std::size_t queue);

  /// Declares an extension in the capabilities of the server. `settings` is a JSON object, `{}` by default.
  Server& extension(std::string name, json::Payload settings = {});
  /// Handles a method of an extension, such as `com.example/report`. Methods of MCP itself cannot be replaced.
  Server& method(std::string name, MethodHandler handler);

  const protocol::Implementation& info() const;

  template <class F>
  Server& tool(ToolName name, std::string description, F handler) {
    return add(make_tool(name, ToolOptions{.description = std::move(description)}, std::move(handler)));
  }
  template <class F>
  Server& tool(ToolName name, ToolOptions options, F handler) {
    return add(make_tool(name, std::move(options), std::move(handler)));
  }

  template <class F>
  Server& resource(std::string uri, std::string name, F handler) {
    return resource(std::move(uri), ResourceOptions{.name = std::move(name)}, std::move(handler));
  }
  template <class F>
  Server& resource(std::string uri, ResourceOptions options, F handler) {
    return add(make_resource(std::move(uri), false, std::move(options), std::move(handler)));
  }

  /// Registers an RFC 6570 resource template. Its variables are the arguments of the handler; checked at compile time.
  template <json::FixedString uri_template, class F>
  Server& resource(std::string name, F handler) {
    return resource<uri_template>(ResourceOptions{.name = std::move(name)}, std::move(handler));
  }
  template <json::FixedString uri_template, class F>
  Server& resource(ResourceOptions options, F handler) {
    static_assert(protocol::template_is_valid(uri_template.view()), "this is not a URI template of RFC 6570");
    static_assert(arguments_are_variables<F>(uri_template.view()), "an argument is not a variable of the URI template");
    return add(make_resource(std::string(uri_template.view()), true, std::move(options), std::move(handler)));
  }
  /// Registers a resource template that is only known at run time.
  template <class F>
  Server& resource_template(std::string uri_template, ResourceOptions options, F handler) {
    return add(make_resource(std::move(uri_template), true, std::move(options), std::move(handler)));
  }

  template <class F>
  Server& prompt(std::string name, std::string description, F handler) {
    return prompt(std::move(name), PromptOptions{.description = std::move(description)}, std::move(handler));
  }
  template <class F>
  Server& prompt(std::string name, PromptOptions options, F handler) {
    return add(make_prompt(std::move(name), std::move(options), std::move(handler)));
  }

  /// Registers an HTML page for MCP Apps, which hosts show beside the results of tools with `ToolOptions::ui`. The URI
  /// starts with `ui://`.
  Server& page(std::string uri, std::string html, PageOptions options = {});

  /// Registers an entry made by `make_resource`.
  Server& add(ResourceEntry entry);

  /// Registers completion of a prompt argument or a template variable.
  template <class F>
  Server& complete(const protocol::PromptReference& prompt, std::string_view argument, F handler) {
    return add(make_completion(completion_key(prompt, argument), std::move(handler)));
  }
  template <class F>
  Server& complete(const protocol::ResourceReference& resource, std::string_view variable, F handler) {
    return add(make_completion(completion_key(resource, variable), std::move(handler)));
  }

  /// Return false if the entry does not exist.
  bool remove_tool(std::string_view name);
  bool remove_resource(std::string_view uri_or_template);
  bool remove_prompt(std::string_view name);

  /// Notifies subscribers that the resource changed. Thread-safe.
  void resource_updated(std::string uri);
  /// Calls `on_change` for every change, on the thread that made it, until the subscription is destroyed.
  [[nodiscard]] ChangeSubscription subscribe_changes(OnChange on_change);
  /// Notifies clients that the lists may have changed because the rule of `visible` did.
  void visibility_changed();

  /// For `main`: serves one client on stdin and stdout until it disconnects, or HTTP clients with `--http`. Handles
  /// `--help` and `--version`. Returns the exit code: 0, 1 if serving failed, 2 for a usage or registration error.
  /// While it runs, stdout of handlers goes to stderr.
  int run(int argc = 0, char** argv = nullptr);
  /// Throws std::invalid_argument if there are registration errors; its text has one per line.
  void check() const;
  /// Ends `run` gracefully: running handlers may finish. Thread-safe. No effect if `run` is not active.
  void stop();

  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notification& notification) override;
  /// Sends change notifications to a client of the handshake era and stores its log level and subscriptions until the
  /// session ends. A middleware in front of the server must forward this call.
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override;
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override;
  const protocol::Implementation* server_info() const override { return &info(); }
  /// Waits for the tasks that run.
  void finish_background_work(Duration limit) override;

  /// Handles one JSON-RPC request of the stateless era and returns the response; an empty string for a notification.
  /// Runs on the calling thread and needs no event loop. Progress and log notifications are dropped; calls do not
  /// become tasks.
  std::string handle(std::string request, std::string principal = {});

 private:
  template <class F>
  static constexpr bool arguments_are_variables(std::string_view uri_template) {
    for (const Field& field : Parameters<typename SignatureOf<F>::Parameters>::all_fields()) {
      if (!protocol::template_has_variable(uri_template, field.name)) return false;
    }
    return true;
  }

  /// Runs `registration`. Stores the text of a std::invalid_argument, or rethrows it while serving.
  Server& try_register(const std::function<void()>& registration);
  Server& add(ToolEntry entry);
  Server& add(PromptEntry entry);
  Server& add(CompletionEntry entry);

  std::unique_ptr<ServerState> state_;
};

}  // namespace fairlead::server
