#pragma once

#include <chrono>
#include <fairlead/protocol/uri_template_syntax.hpp>
#include <fairlead/server/changes.hpp>
#include <fairlead/server/context.hpp>
#include <fairlead/server/prompt.hpp>
#include <fairlead/server/resource.hpp>
#include <fairlead/server/tool.hpp>
#include <fairlead/session/service.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::protocol {
class StateSeal;
}

namespace fairlead::server {

struct ServerState;

/// Lets a program offer tools, resources and prompts to MCP clients; is a `Service`, so a session can serve it.
///
/// Registrations may change at any time, from any thread; requests see the state of things when they came. Settings
/// are made before it serves.
///
/// Mistakes of registration (an invalid name, a name that is taken, an invalid schema) are collected until the server
/// serves: `run` prints them and returns 2, `check` and every other way to serve throw std::invalid_argument. A mistake
/// that is made while the server serves throws at once.
class Server final : public session::Service {
 public:
  Server(std::string name, std::string version);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() override;

  Server& title(std::string title);
  Server& description(std::string description);
  Server& website(std::string url);
  Server& icons(std::vector<protocol::Icon> icons);
  Server& instructions(std::string text);
  /// How many entries a list shows at once.
  Server& page_size(std::size_t entries);
  /// How long lists stay good, for those who keep them.
  Server& cache(std::chrono::milliseconds ttl, protocol::CacheScope scope);
  /// Who may see what. What is hidden from somebody does not exist for them.
  Server& visible(std::function<bool(Kind kind, std::string_view name, std::string_view principal)> rule);
  /// Whether clients are offered log messages. Unless said, they are if some handler takes a Context, because only such
  /// a handler can log; say it if they come later.
  Server& logging(bool offered);
  /// With which keys the state of unfinished dialogues is sealed; a fresh one by default. Share it among processes
  /// that serve the same clients.
  Server& seal(protocol::StateSeal seal);
  /// Room for handlers marked `blocking`. Before the first call only.
  Server& blocking_threads(std::size_t threads, std::size_t queue);

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

  /// A family of resources: the variables of the RFC 6570 template are the handler's arguments.
  template <json::FixedString uri_template, class F>
  Server& resource(std::string name, F handler) {
    return resource<uri_template>(ResourceOptions{.name = std::move(name)}, std::move(handler));
  }
  template <json::FixedString uri_template, class F>
  Server& resource(ResourceOptions options, F handler) {
    static_assert(protocol::template_is_valid(uri_template.view()), "this is not a URI template of RFC 6570");
    static_assert(arguments_are_variables<F>(uri_template.view()), "an argument is no variable of the URI template");
    return add(make_resource(std::string(uri_template.view()), true, std::move(options), std::move(handler)));
  }
  /// The same with a template known at run time only.
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

  /// Suggests values for a prompt's argument or a template's variable.
  template <class F>
  Server& complete(const protocol::PromptReference& prompt, std::string_view argument, F handler) {
    return add(make_completion(completion_key(prompt, argument), std::move(handler)));
  }
  template <class F>
  Server& complete(const protocol::ResourceReference& resource, std::string_view variable, F handler) {
    return add(make_completion(completion_key(resource, variable), std::move(handler)));
  }

  /// False if there was none.
  bool remove_tool(std::string_view name);
  bool remove_resource(std::string_view uri_or_template);
  bool remove_prompt(std::string_view name);

  /// Tells those who follow this resource that it is not what it was.
  void resource_updated(std::string uri);
  /// Calls back, on the thread that changed something, for every change from now on.
  [[nodiscard]] ChangeSubscription subscribe_changes(OnChange on_change);
  /// Tells clients that the rule of `visible` may give them other answers than before.
  void visibility_changed();

  /// For `main`: serves the client on stdin and stdout until it hangs up, and returns the exit code: 0, 1 if serving
  /// failed, 2 for a mistake on the command line or of registration. `--help` and `--version` are answered instead. A
  /// handler may print: what it prints goes to stderr.
  int run(int argc = 0, char** argv = nullptr);
  /// Throws std::invalid_argument, with one mistake of registration a line, if there are any.
  void check() const;
  /// Ends `run` in good order, from any thread: handlers may finish what they are at. Harmless while nothing runs.
  void stop();

  Task<Result<session::Reply>> call(session::Call& call) override;
  std::optional<Result<session::Reply>> answer_now(session::Call& call) override;
  Task<void> notify(session::Notice& notice) override;
  /// Tells a peer of the handshake era about changes, as far as it may see and asked for them, and remembers its log
  /// level and subscriptions until it is gone. A filter in front of the server passes it on.
  std::unique_ptr<session::Attendance> attend(session::Conversation conversation) override;
  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) override;
  const protocol::Implementation* self() const override { return &info(); }

  /// One request of the stateless era in, its answer out; nothing (an empty text) for a notification. Runs on the
  /// calling thread, without a loop of the caller's. Progress and log messages have nowhere to go.
  std::string handle(std::string request, std::string principal = {});

 private:
  template <class F>
  static constexpr bool arguments_are_variables(std::string_view uri_template) {
    for (const Field& field : Parameters<typename SignatureOf<F>::Parameters>::all_fields()) {
      if (!protocol::template_has_variable(uri_template, field.name)) return false;
    }
    return true;
  }

  static std::string completion_key(const protocol::PromptReference& prompt, std::string_view argument);
  static std::string completion_key(const protocol::ResourceReference& resource, std::string_view variable);

  /// Runs what may throw std::invalid_argument, and keeps the text of it if nothing is served yet.
  Server& attempt(const std::function<void()>& registration);
  Server& add(ToolEntry entry);
  Server& add(ResourceEntry entry);
  Server& add(PromptEntry entry);
  Server& add(CompletionEntry entry);

  std::unique_ptr<ServerState> state_;
};

}  // namespace fairlead::server
