#pragma once

#include <fairlead/protocol/model/input.hpp>
#include <variant>

namespace fairlead::protocol {
// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.

enum class TaskStatus : std::uint8_t { working, input_required, completed, failed, cancelled };

/// Null if the task does not expire.
using TaskLifetime = std::variant<std::nullptr_t, std::int64_t>;

/// Task of the handshake era. `ttl` and `pollInterval` are in milliseconds.
struct LegacyTask {
  static constexpr bool initialisers_are_defaults = false;
  std::string taskId;
  TaskStatus status = TaskStatus::working;
  std::optional<std::string> statusMessage = {};
  std::string createdAt;
  std::string lastUpdatedAt;
  TaskLifetime ttl;
  std::optional<std::int64_t> pollInterval = {};
  std::optional<Payload> _meta = {};
};

struct CreateTaskResult {
  LegacyTask task;
  std::optional<Payload> _meta = {};
};

struct TaskIdParams {
  std::string taskId;
  std::optional<Payload> _meta = {};
};

struct ListTasksResult {
  std::vector<LegacyTask> tasks;
  std::optional<std::string> nextCursor = {};
  std::optional<Payload> _meta = {};
};

/// Task of the tasks extension: flat, with its pending input requests or its result.
struct ExtensionTask {
  static constexpr bool initialisers_are_defaults = false;
  std::string taskId;
  TaskStatus status = TaskStatus::working;
  std::optional<std::string> statusMessage = {};
  std::string createdAt;
  std::string lastUpdatedAt;
  TaskLifetime ttlMs;
  std::optional<std::int64_t> pollIntervalMs = {};
  std::optional<InputRequests> inputRequests = {};
  std::optional<Payload> result = {};
  std::optional<Payload> error = {};
  std::optional<Payload> _meta = {};
};

struct UpdateTaskParams {
  std::string taskId;
  InputResponses inputResponses;
  std::optional<Payload> _meta = {};
};

// NOLINTEND(readability-identifier-naming)
}  // namespace fairlead::protocol
