#pragma once

#include <fairlead/protocol/extension.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/session/service.hpp>

namespace fairlead::gateway {

/// True for the requests of the tasks extension. Inside the chain they carry the tool that started the task as `name`,
/// like `tools/call`, so that rules for the tool apply to its tasks.
inline bool is_task_request(std::string_view method) {
  static const auto& tasks = *protocol::find_extension(protocol::extension::tasks);
  return tasks.client_requests.contains(method);
}

/// Whether the client's requests belong to the tasks extension, and not to the tasks of the handshake revisions.
inline bool has_task_extension(const session::RequestContext& context) {
  static const auto& tasks = *protocol::find_extension(protocol::extension::tasks);
  return context.revision != nullptr && tasks.exists_in(*context.revision);
}

/// Whether the result of this request may be a task of the extension. Inside the chain only clients whose revision has
/// the extension declare it (TaskHandles), or a service of the gateway that handles tasks itself.
inline bool accepts_tasks(const session::RequestContext& context) {
  return protocol::declares_extension(context.caller->capabilities.extensions, protocol::extension::tasks);
}

/// Whether the result is a task of the extension instead of the result of the tool.
inline bool is_started_task(const session::Reply& reply) {
  return reply.kind == protocol::ResultKind::other && reply.other_kind == "task";
}

/// Removes the extension, and the whole declaration if it was the only one. For peers of the handshake revisions, in
/// which it does not exist.
inline void remove_tasks_extension(std::optional<protocol::Settings>& extensions) {
  if (!extensions) return;
  const auto erased = extensions->erase(std::string(protocol::extension::tasks));
  if (erased != 0 && extensions->empty()) extensions.reset();
}

/// The error for a task that does not exist, and for one that the caller may not use.
inline std::unexpected<Error> unknown_task() {
  return refuse(protocol::ProtocolError::invalid_params,
                "unknown task; it has expired, or another caller started it. Call the tool again");
}

}  // namespace fairlead::gateway
