#include "gateway/record/casting.hpp"

#include <algorithm>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <utility>

#include "gateway/asked_for.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;

// Who asks is not what is asked.
bool is_introduction(std::string_view method) {
  return method == protocol::Initialize::method || method == protocol::Discover::method;
}

}  // namespace

Casting::Casting(const Script& script, bool lenient, std::vector<std::string> ignore)
    : script_(script), lenient_(lenient), likeness_(std::move(ignore)) {}

Result<std::size_t> Casting::call(const Call& call) {
  if (lenient_) return anywhere(call);
  const auto* conversation = recorded_as(call.context.conversation);
  return conversation != nullptr ? next_of(conversation->key, call) : first_of_any(call);
}

Result<std::size_t> Casting::next_of(std::uint64_t recorded, const Call& call) {
  const auto& calls = std::ranges::find(script_.conversations(), recorded, &Script::Conversation::key)->calls;
  const auto next = std::ranges::find_if(calls, [&](auto index) { return !used_.contains(index); });
  if (next == calls.end()) return unexpected_call(call, "nothing more was asked in this conversation");
  const auto found = differences(*next, call);
  if (found.empty()) return take(*next, call);
  return unexpected_call(call, fmt::format("{} expects {}: {}", script_.recording().place(*next),
                                           shown(script_.line(*next)), found.front()));
}

Result<std::size_t> Casting::first_of_any(const Call& call) {
  std::string why = "no conversation is left in the recording";
  bool is_first = true;
  for (const auto& conversation : script_.conversations()) {
    if (conversation.calls.empty() || is_cast(conversation.key)) continue;
    const auto first = conversation.calls.front();
    const auto found = differences(first, call);
    if (found.empty()) return take(first, call);
    if (!std::exchange(is_first, false)) continue;
    why = fmt::format("{} expects {}: {}", script_.recording().place(first), shown(script_.line(first)), found.front());
  }
  return unexpected_call(call, why);
}

Result<std::size_t> Casting::anywhere(const Call& call) {
  const auto* own = recorded_as(call.context.conversation);
  std::optional<std::size_t> unused, again;
  const auto look_at = [&](std::size_t index) {
    if (unused || script_.line(index).method != call.method || !differences(index, call).empty()) return;
    if (used_.contains(index)) {
      again = index;
    } else {
      unused = index;
    }
  };
  if (own != nullptr) std::ranges::for_each(own->calls, look_at);
  for (const auto& each : script_.conversations()) std::ranges::for_each(each.calls, look_at);
  if (!unused && !again) return unexpected_call(call, "nobody has asked that in the recording");
  return take(unused ? *unused : *again, call);
}

std::vector<std::string> Casting::differences(std::size_t index, const Call& call) {
  const auto& line = script_.line(index);
  if (line.method != call.method) return {fmt::format("method: {} instead of {}", call.method, *line.method)};
  if (is_introduction(call.method)) return {};
  const auto recorded = line.params.value_or(json::Payload());
  if (recorded == call.params) return {};
  const auto now = call.params.empty() ? json::Payload() : json::Payload::trusted(likeness_.hidden(call.params.text()));
  return likeness_.differences(recorded, now);
}

std::size_t Casting::take(std::size_t index, const Call& call) {
  used_.insert(index);
  const auto recorded = script_.line(index).conversation;
  if (!is_cast(recorded)) roles_.try_emplace(call.context.conversation, recorded);
  return index;
}

// To a client that asks what is spoken here, the answer is: not that.
std::unexpected<Error> Casting::unexpected_call(const Call& call, const std::string& why) const {
  const bool probes = call.method == protocol::Discover::method;
  return std::unexpected(Error{.kind = ErrorKind::refused,
                               .message = fmt::format("{} was not recorded here: {}", asked_for(call), why),
                               .code = probes ? jsonrpc::code::method_not_found : jsonrpc::code::invalid_request});
}

std::optional<std::size_t> Casting::notice(const session::Notice& notice) {
  const auto* own = recorded_as(notice.conversation);
  const auto& lines = script_.recording().lines;
  for (std::size_t index = 0; index < lines.size(); ++index) {
    const auto& line = lines[index];
    if (line.kind != LineKind::notice || line.method != notice.method || used_.contains(index)) continue;
    if (own != nullptr && line.conversation != own->key) continue;
    used_.insert(index);
    return index;
  }
  return std::nullopt;
}

void Casting::leave(std::uint64_t live) {
  std::erase(present_, live);
}

std::optional<std::uint64_t> Casting::live(std::uint64_t recorded) {
  const auto found = std::ranges::find(roles_, recorded, [](const auto& role) { return role.second; });
  if (found != roles_.end()) return found->first;
  // One that only listens is known by nothing it says.
  const auto role = std::ranges::find(script_.conversations(), recorded, &Script::Conversation::key);
  if (role == script_.conversations().end() || !role->calls.empty()) return std::nullopt;
  const auto silent = std::ranges::find_if(present_, [&](auto key) { return !roles_.contains(key); });
  if (silent == present_.end()) return std::nullopt;
  roles_.emplace(*silent, recorded);
  return *silent;
}

const Script::Conversation* Casting::recorded_as(std::uint64_t live) const {
  const auto role = roles_.find(live);
  if (role == roles_.end()) return nullptr;
  const auto found = std::ranges::find(script_.conversations(), role->second, &Script::Conversation::key);
  return found == script_.conversations().end() ? nullptr : &*found;
}

bool Casting::is_cast(std::uint64_t recorded) const {
  return std::ranges::any_of(roles_, [&](const auto& role) { return role.second == recorded; });
}

}  // namespace fairlead::gateway
