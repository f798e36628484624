#include "gateway/explain/walk.hpp"

#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>
#include <utility>

#include "gateway/config/mask.hpp"
#include "gateway/config/showing.hpp"
#include "gateway/merge/splice.hpp"
#include "gateway/origins.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;

/// What stands behind a step while that is asked: knows whose the tool is and, where it was found out, what it says.
class Destination final : public session::Service, public Origins {
 public:
  Destination(std::string server, std::string_view definition, std::string_view name) : server_(std::move(server)) {
    if (!definition.empty()) tool_ = with_string(definition, "name", name);
  }

  Task<Result<Reply>> call(Call& call) override {
    return at_once(refuse(protocol::Fault::unknown_method, call.method));
  }
  Task<void> notify(session::Notice&) override { co_return; }
  std::optional<Result<Reply>> answer_now(Call& call) override {
    if (tool_.empty() || call.method != protocol::ListTools::method) return std::nullopt;
    return Reply{.body = json::Payload::trusted(R"({"tools":[)" + tool_ + "]}")};
  }
  std::optional<std::string> origin_of(ListKind, std::string_view) const override { return server_; }

 private:
  std::string server_;
  std::string tool_;
};

std::string_view word_for(Explanation::Effect effect) {
  switch (effect) {
    case Explanation::Effect::passes: return "passes";
    case Explanation::Effect::refuses: return "refuses";
    case Explanation::Effect::answers: return "answers";
    case Explanation::Effect::unknown: break;
  }
  return "unknown";
}

std::string with_place(const std::string& step, const std::string& at) {
  return at.empty() ? step : step + " at " + at;
}

}  // namespace

Result<MadeChain> made_chain(const ChainConfig& config, const Registry& registry, const Loop& loop) {
  const Mask mask;
  MadeChain chain;
  for (const auto& step : config) {
    auto made = registry.make(step.name, step.arguments, loop);
    if (!made) {
      return fail(made.error().kind, (step.at.text.empty() ? "" : step.at.text + ": ") + made.error().message);
    }
    // Of `chain.yaml:12: chain[0]` the beginning says where to look.
    const auto at = step.at.text.substr(0, step.at.text.find(": "));
    chain.push_back({shown_step(step, mask), at, std::shared_ptr<Middleware>(std::move(*made))});
  }
  return chain;
}

std::string outside_of(const MadeChain& chain, std::string name) {
  for (const auto& step : chain | std::views::reverse) name = step.middleware->outer_name(name);
  return name;
}

std::string inside_of(const MadeChain& chain, std::string name) {
  for (const auto& step : chain) name = step.middleware->inner_name(name);
  return name;
}

ExplainWalk::ExplainWalk(std::string server, std::string_view definition, Call call, std::shared_ptr<HeaderSets> sets)
    : server_(std::move(server)), definition_(definition), call_(std::move(call)), sets_(std::move(sets)) {}

std::string ExplainWalk::name() const {
  const auto named = named_by(call_.params, "name");
  return named ? named->name : "";
}

void ExplainWalk::respell(std::string_view name) {
  const auto named = named_by(call_.params, "name");
  if (named) call_.params = json::Payload::trusted(with_string(call_.params.text(), named->place, name));
}

void ExplainWalk::pass(const MadeChain& chain) {
  for (const auto& step : chain) {
    auto called = name();
    if (decided_) {
      steps_.push_back({step.shown, step.at, "", "", "is not reached"});
      continue;
    }
    Destination behind(server_, definition_, called);
    const auto before = sets_->asked_by(call_.params);
    const auto said = step.middleware->explain(call_, behind);
    note_headers(step, before);
    add(step.shown, step.at, said, std::move(called));
  }
}

void ExplainWalk::note(std::string step, const Explanation& said) {
  if (decided_) {
    steps_.push_back({std::move(step), "", "", "", "is not reached"});
  } else {
    add(std::move(step), "", said, name());
  }
}

void ExplainWalk::add(std::string step, std::string at, const std::optional<Explanation>& said, std::string called) {
  using enum Explanation::Effect;
  const auto told = said.value_or(Explanation{unknown, "does not say what it would do"});
  const auto place = with_place(step, at);
  if (told.effect == refuses) decision_ = "would be refused by " + place;
  if (told.effect == answers) decision_ = fmt::format("would be answered by {}, not by {}", place, server_);
  if (told.effect == unknown) doubtful_.push_back(place);
  decided_ = !decision_.empty();
  steps_.push_back({std::move(step), std::move(at), std::move(called), std::string(word_for(told.effect)), told.says});
}

void ExplainWalk::note_headers(const MadeStep& step, const std::vector<std::string>& before) {
  auto asked = sets_->asked_by(call_.params);
  if (asked.size() <= before.size()) return;
  asked.erase(asked.begin(), asked.begin() + static_cast<std::ptrdiff_t>(before.size()));
  const Mask mask;
  for (const auto& [name, value] : sets_->find(asked)) {
    put_explained(headers_,
                  {name, mask.header(name, value), with_place(step.shown.substr(0, step.shown.find('(')), step.at)});
  }
}

std::string ExplainWalk::verdict() const {
  if (decided_) return decision_;
  if (doubtful_.empty()) return "would be allowed";
  return fmt::format("would be allowed, unless {} decides otherwise", fmt::join(doubtful_, " or "));
}

void put_explained(std::vector<ExplainedHeader>& all, ExplainedHeader header) {
  std::erase_if(all, [&](const auto& other) { return protocol::same_header(other.name, header.name); });
  all.push_back(std::move(header));
}

}  // namespace fairlead::gateway
