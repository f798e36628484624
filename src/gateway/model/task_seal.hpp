#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fairlead::gateway {

/// A task as the gateway knows it.
struct TaskReference {
  std::string tool;  ///< The name of the tool that the client called.
  std::string id;    ///< The server's id, qualified by the server (qualified_task_id).
};

/// Whose task it is: a handle opens only with the same values.
struct TaskHandleBinding {
  std::string_view virtual_server;
  std::string_view principal;  ///< Empty for clients without authentication.
};

/// Encrypts references to tasks. Clients get the encrypted text as task id, so the gateway keeps no table of tasks:
/// any replica with the same key opens it, also after a restart. The same reference gives the same text.
///
/// AES-256-GCM with a nonce that is an HMAC of the content. Immutable and thread-safe.
class TaskSeal {
 public:
  using Secret = std::array<std::uint8_t, 32>;

  explicit TaskSeal(const Secret& secret);

  /// Uses a random key: handles are valid in this process only. Throws if the system has no random bytes.
  static TaskSeal random();

  std::string seal(const TaskReference& task, const TaskHandleBinding& binding) const;
  /// Nothing for a text of another key or binding, or a changed one.
  std::optional<TaskReference> open(std::string_view handle, const TaskHandleBinding& binding) const;

 private:
  Secret key_;
  std::string nonce_key_;
};

/// `<server>/<id>`, the id of a task between the aggregator and the clients' end of the chain.
std::string qualified_task_id(std::string_view server, std::string_view id);

/// Nothing if the id is not qualified.
std::optional<std::pair<std::string_view, std::string_view>> split_task_id(std::string_view qualified);

}  // namespace fairlead::gateway
