#pragma once

#include <fairlead/protocol/model/elicitation.hpp>
#include <fairlead/protocol/model/lifecycle.hpp>
#include <fairlead/protocol/model/prompts.hpp>
#include <fairlead/protocol/model/resources.hpp>
#include <fairlead/protocol/model/sampling.hpp>
#include <fairlead/protocol/model/tasks.hpp>
#include <fairlead/protocol/model/tools.hpp>
#include <string_view>

/// Each binds a method name to the types of its params and result. Used for routing and typed calls.
namespace fairlead::protocol {

template <json::FixedString name, class P, class R>
struct Method {
  static constexpr std::string_view method = name.view();
  using Params = P;
  using Result = R;
};

template <json::FixedString name, class P>
struct NotificationMethod {
  static constexpr std::string_view method = name.view();
  using Params = P;
};

using Initialize = Method<"initialize", InitializeParams, InitializeResult>;
using Ping = Method<"ping", Empty, Empty>;
using Discover = Method<"server/discover", Empty, DiscoverResult>;
using SetLevel = Method<"logging/setLevel", SetLevelParams, Empty>;
using ListTools = Method<"tools/list", PaginatedParams, ListToolsResult>;
using CallTool = Method<"tools/call", CallToolParams, CallToolResult>;
using ListResources = Method<"resources/list", PaginatedParams, ListResourcesResult>;
using ListResourceTemplates = Method<"resources/templates/list", PaginatedParams, ListResourceTemplatesResult>;
using ReadResource = Method<"resources/read", ReadResourceParams, ReadResourceResult>;
using Subscribe = Method<"resources/subscribe", ResourceUriParams, Empty>;
using Unsubscribe = Method<"resources/unsubscribe", ResourceUriParams, Empty>;
using Listen = Method<"subscriptions/listen", SubscriptionsListenParams, Empty>;
using ListPrompts = Method<"prompts/list", PaginatedParams, ListPromptsResult>;
using GetPrompt = Method<"prompts/get", GetPromptParams, GetPromptResult>;
using Complete = Method<"completion/complete", CompleteParams, CompleteResult>;
using CreateMessage = Method<"sampling/createMessage", CreateMessageParams, CreateMessageResult>;
using Elicit = Method<"elicitation/create", ElicitParams, ElicitResult>;
using ListRoots = Method<"roots/list", Empty, ListRootsResult>;

using Initialized = NotificationMethod<"notifications/initialized", Empty>;
using Cancelled = NotificationMethod<"notifications/cancelled", CancelledParams>;
using Progress = NotificationMethod<"notifications/progress", ProgressParams>;
using LoggingMessage = NotificationMethod<"notifications/message", LoggingMessageParams>;
using ResourceUpdated = NotificationMethod<"notifications/resources/updated", ResourceUriParams>;
using ResourceListChanged = NotificationMethod<"notifications/resources/list_changed", Empty>;
using ToolListChanged = NotificationMethod<"notifications/tools/list_changed", Empty>;
using PromptListChanged = NotificationMethod<"notifications/prompts/list_changed", Empty>;
using RootsListChanged = NotificationMethod<"notifications/roots/list_changed", Empty>;
using ElicitationComplete = NotificationMethod<"notifications/elicitation/complete", ElicitationCompleteParams>;
using SubscriptionsAcknowledged =
    NotificationMethod<"notifications/subscriptions/acknowledged", SubscriptionsAcknowledgedParams>;
using GetTask = Method<"tasks/get", TaskIdParams, ExtensionTask>;
using UpdateTask = Method<"tasks/update", UpdateTaskParams, Empty>;
using CancelTask = Method<"tasks/cancel", TaskIdParams, Empty>;
/// Of the handshake era, as the two before with LegacyTask as their results.
using GetTaskResult = Method<"tasks/result", TaskIdParams, CallToolResult>;
using ListTasks = Method<"tasks/list", PaginatedParams, ListTasksResult>;
using TaskChanged = NotificationMethod<"notifications/tasks", ExtensionTask>;
using TaskStatusChanged = NotificationMethod<"notifications/tasks/status", LegacyTask>;

}  // namespace fairlead::protocol
