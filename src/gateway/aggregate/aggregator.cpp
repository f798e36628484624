#include "gateway/aggregate/aggregator.hpp"

#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <utility>

#include "gateway/model/task_extension.hpp"

namespace fairlead::gateway {

Aggregator::Aggregator(EventLoop loop, TaskScope& tasks, std::vector<BackendSlot> slots, AggregatorOptions options)
    : backends_(std::move(loop), tasks, std::move(options), [this](ListKind kind) { fanout_.notify(kind); }),
      fanout_(backends_, tasks) {
  replace(std::move(slots));
}

Task<Result<Reply>> Aggregator::call(Call& call) {
  if (call.context.revision && call.context.revision != expected_) expect_revision(*call.context.revision);
  const std::string_view method = call.method;
  if (method == protocol::Initialize::method || method == protocol::Discover::method) return initialize(call);
  if (method == protocol::Subscribe::method || method == protocol::Unsubscribe::method)
    return change_subscription(call);
  if (is_task_request(method) && has_task_extension(call.context)) return call_started_task(call);
  if (passes_through_single()) return pass_through(call);
  withhold_unrouted_extensions(call);
  if (method == protocol::CallTool::method) return call_named(call, ListKind::tools);
  if (method == protocol::GetPrompt::method) return call_named(call, ListKind::prompts);
  if (const auto kind = list_kind_of(method)) return list(call, *kind);
  if (method == protocol::ReadResource::method) return call_resource(call);
  if (method == "skills/get" || method == "resources/directory/read") return call_skills(call);
  if (method == protocol::Complete::method) return complete(call);
  if (method == protocol::SetLevel::method) return set_level(call);
  if (method == protocol::Ping::method) return Reply{.body = json::Payload::trusted("{}")};
  if (method.starts_with("tasks/")) return call_task(call);
  if (const auto* extension = protocol::extension_of_request(method)) return call_extension(call, extension->id);
  return call_first_supporting(call);
}

void Aggregator::expect_revision(const protocol::Revision& revision) {
  expected_ = &revision;
  for (const auto& each : backends_.all()) each->backend().expect_revision(revision);
}

bool Aggregator::passes_through_single() const {
  const auto& options = backends_.options();
  return options.pass_through_single && backends_.all().size() == 1 && options.names.prefix != PrefixPolicy::always;
}

// A single server handles its own pages and per-caller lists. The gateway still fetches its tools, to know which
// arguments are sent as headers.
Task<Result<Reply>> Aggregator::pass_through(Call& call) {
  const auto& only = backends_.all().front();
  call.dependencies.push_back(only);
  auto& tools = only->list(ListKind::tools);
  const bool by_headers = call.context.revision && call.context.revision->method_headers;
  if (by_headers && call.method == protocol::ListTools::method && tools.due()) tools.refresh();
  // Alone, the URIs of a server do not contain its name.
  return with_qualified_task(only->slot().backend->call(call), call, only);
}

std::unique_ptr<session::SessionHook> Aggregator::on_session_open(session::SessionRef session) {
  // The peer of a single request gets messages of servers through the request only.
  return session.single_request ? nullptr : fanout_.add_session(std::move(session));
}

std::vector<protocol::HeaderParam> Aggregator::header_params(std::string_view tool, std::string_view) {
  return backends_.header_params(tool);
}

void Aggregator::replace(std::vector<BackendSlot> slots) {
  backends_.replace(std::move(slots), fanout_.any());
  for (const auto& each : backends_.all()) each->set_among_several(!passes_through_single());
  expected_ = nullptr;
  fanout_.sync_backends();
  fanout_.for_each_lost_subscription([this](BackendSubscription lost) { return resubscribe(std::move(lost)); });
}

void Aggregator::prefetch_lists() {
  const auto now = backends_.all();
  for (const auto& each : now) {
    for (const auto kind : all_lists) {
      if (!each->slot().lazy && each->list(kind).due()) each->list(kind).refresh();
    }
  }
}

std::vector<Problem> Aggregator::problems() const {
  std::vector<Problem> all;
  for (const auto kind : all_lists) {
    const auto merged = backends_.merged(kind);
    all.insert(all.end(), merged->problems().begin(), merged->problems().end());
  }
  for (const auto& each : backends_.all()) {
    auto problem = each->problem();
    if (problem.empty()) continue;
    all.push_back({ProblemKind::degraded, each->name(), {}, fmt::format("{}: {}", each->name(), problem)});
  }
  return all;
}

std::vector<BackendSlotStatus> Aggregator::states() const {
  std::vector<BackendSlotStatus> all;
  for (const auto& each : backends_.all()) {
    auto& state = all.emplace_back(BackendSlotStatus{.name = each->name(), .problem = each->problem()});
    state.reached = each->backend().last_description() != nullptr;
    for (const auto kind : all_lists) {
      const auto& last = each->list(kind).last();
      state.items[std::to_underlying(kind)] = last ? last->items.size() : 0;
    }
  }
  return all;
}

}  // namespace fairlead::gateway
