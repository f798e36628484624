#pragma once

#include <cstddef>
#include <fairlead/server/task_store.hpp>
#include <fairlead/session/service.hpp>

namespace fairlead::server {

/// Ends the task with the reply of its handler. A failed tool is a completed task with `isError`, a protocol error is a
/// failed task, and so is a result of more than `max_result` bytes. `call` is the call that became the task.
void set_outcome(TaskRecord& record, const Result<session::Reply>& reply, const session::Call& call,
                 std::size_t max_result);

}  // namespace fairlead::server
