#include "gateway/merge/merge.hpp"

#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <utility>

namespace fairlead::gateway {

using session::Call;
using session::Reply;

Merge::Merge(Loop loop, TaskScope& tasks, std::vector<Seat> seats, MergeOptions options)
    : roster_(std::move(loop), tasks, std::move(options), [this](ListKind kind) { attendants_.tell(kind); }),
      attendants_(roster_, tasks) {
  replace(std::move(seats));
}

// Not a coroutine itself: a call pays for as few as it needs.
Task<Result<Reply>> Merge::call(Call& call) {
  if (call.context.revision && call.context.revision != expected_) expect(*call.context.revision);
  const std::string_view method = call.method;
  if (method == protocol::Subscribe::method || method == protocol::Unsubscribe::method) return follow(call);
  if (is_alone()) return pass_through(call);
  if (method == protocol::CallTool::method) return call_named(call, ListKind::tools);
  if (method == protocol::GetPrompt::method) return call_named(call, ListKind::prompts);
  if (const auto kind = list_asked_by(method)) return list(call, *kind);
  if (method == protocol::ReadResource::method) return call_resource(call);
  if (method == protocol::Complete::method) return complete(call);
  if (method == protocol::SetLevel::method) return set_level(call);
  if (method == protocol::Ping::method) return at_once(Reply{.body = json::Payload::trusted("{}")});
  if (method == protocol::Initialize::method || method == protocol::Discover::method) {
    return at_once(
        refuse(protocol::Fault::unknown_method, "several servers have no introduction of their own", call.method));
  }
  if (method.starts_with("tasks/")) return call_task(call);
  return call_whoever_knows(call);
}

void Merge::expect(const protocol::Revision& revision) {
  expected_ = &revision;
  for (const auto& each : roster_.all()) each->member().expect(revision);
}

bool Merge::is_alone() const {
  const auto& options = roster_.options();
  return options.one_as_it_is && roster_.all().size() == 1 && options.names.prefix != PrefixPolicy::always;
}

// One server is not merged with anything: its pages, and its lists for each caller, are its own business. Ours is which
// arguments of its tools travel as headers.
Task<Result<Reply>> Merge::pass_through(Call& call) {
  const auto& only = roster_.all().front();
  call.needs.push_back(only);
  auto& tools = only->list(ListKind::tools);
  const bool by_headers = call.context.revision && call.context.revision->method_headers;
  if (by_headers && call.method == protocol::ListTools::method && tools.due()) tools.refresh();
  return only->member().call(call);
}

std::optional<Result<Reply>> Merge::answer_now(Call& call) {
  const auto kind = list_asked_by(call.method);
  if (!kind || is_alone() || !roster_.is_gathered(*kind)) return std::nullopt;
  return page(call, *kind);
}

std::unique_ptr<session::Attendance> Merge::attend(session::Conversation conversation) {
  return attendants_.admit(std::move(conversation));
}

std::vector<protocol::HeaderParam> Merge::header_params(std::string_view tool, std::string_view) {
  return roster_.header_params(tool);
}

void Merge::replace(std::vector<Seat> seats) {
  roster_.replace(std::move(seats), attendants_.any());
  expected_ = nullptr;
  attendants_.follow_roster();
  attendants_.for_each_lost([this](Following lost) { return follow_again(std::move(lost)); });
}

void Merge::warm_up() {
  const auto now = roster_.all();
  for (const auto& each : now) {
    for (const auto kind : all_lists) {
      if (!each->seat().lazy && each->list(kind).due()) each->list(kind).refresh();
    }
  }
}

std::vector<Problem> Merge::problems() const {
  std::vector<Problem> all;
  for (const auto kind : all_lists) {
    const auto merged = roster_.merged(kind);
    all.insert(all.end(), merged->problems().begin(), merged->problems().end());
  }
  for (const auto& each : roster_.all()) {
    auto trouble = each->trouble();
    if (trouble.empty()) continue;
    all.push_back({ProblemKind::degraded, each->name(), {}, fmt::format("{}: {}", each->name(), trouble)});
  }
  return all;
}

std::vector<SeatState> Merge::states() const {
  std::vector<SeatState> all;
  for (const auto& each : roster_.all()) {
    auto& state = all.emplace_back(SeatState{.name = each->name(), .trouble = each->trouble()});
    state.reached = each->member().known() != nullptr;
    for (const auto kind : all_lists) {
      const auto& last = each->list(kind).last();
      state.items[std::to_underlying(kind)] = last ? last->items.size() : 0;
    }
  }
  return all;
}

}  // namespace fairlead::gateway
