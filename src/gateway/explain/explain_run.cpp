#include "gateway/explain/explain_run.hpp"

#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>

#include "config/secret_mask.hpp"
#include "gateway/config/step_text.hpp"
#include "gateway/model/backend_lookup.hpp"
#include "gateway/model/json_rewrite.hpp"

namespace fairlead::gateway {
namespace {

/// Next service during a dry run: knows the tool's server and, if available, its definition.
class Destination final : public session::Service, public BackendLookup {
 public:
  Destination(std::string server, std::string_view definition, std::string_view name) : server_(std::move(server)) {
    if (!definition.empty()) tool_ = replace_string(definition, "name", name);
  }

  Task<Result<Reply>> call(Call& call) override {
    if (tool_.empty() || call.method != protocol::ListTools::method)
      return refuse(protocol::ProtocolError::unknown_method, call.method);
    return Reply{.body = json::Payload::trusted(R"({"tools":[)" + tool_ + "]}")};
  }
  Task<void> notify(session::Notification&) override { return {}; }
  std::optional<std::string> backend_name_of(ListKind, std::string_view) const override { return server_; }

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

Result<BuiltChain> build_chain(const ChainConfig& config, const Registry& registry, const EventLoop& loop) {
  const config::SecretMask mask;
  BuiltChain chain;
  for (const auto& step : config) {
    auto made = registry.make(step.name, step.arguments, loop);
    if (!made) {
      return fail(made.error().kind, (step.at.text.empty() ? "" : step.at.text + ": ") + made.error().message);
    }
    // Keeps the file and line of `chain.yaml:12: chain[0]`.
    const auto at = step.at.text.substr(0, step.at.text.find(": "));
    chain.push_back({step_text(step, mask), at, std::shared_ptr<Middleware>(std::move(*made))});
  }
  return chain;
}

std::string client_name_of(const BuiltChain& chain, std::string name) {
  for (const auto& step : chain | std::views::reverse) name = step.middleware->client_name(name);
  return name;
}

std::string server_name_of(const BuiltChain& chain, std::string name) {
  for (const auto& step : chain) name = step.middleware->upstream_name(name);
  return name;
}

ExplainRun::ExplainRun(std::string server, std::string_view definition, Call call)
    : server_(std::move(server)), definition_(definition), call_(std::move(call)) {}

std::string ExplainRun::name() const {
  const auto named = string_member(call_.params, "name");
  return named ? named->name : "";
}

void ExplainRun::rename(std::string_view name) {
  const auto named = string_member(call_.params, "name");
  if (named) call_.params = json::Payload::trusted(replace_string(call_.params.text(), named->span, name));
}

void ExplainRun::pass(const BuiltChain& chain) {
  for (const auto& step : chain) {
    auto called = name();
    if (decided_) {
      steps_.push_back({step.shown, step.at, "", "", "is not reached"});
      continue;
    }
    Destination behind(server_, definition_, called);
    const auto before = call_.context.added_headers.size();
    const auto explanation = step.middleware->explain(call_, behind);
    note_headers(step, before);
    add(step.shown, step.at, explanation, std::move(called));
  }
}

void ExplainRun::note(std::string step, const Explanation& explanation) {
  if (decided_) {
    steps_.push_back({std::move(step), "", "", "", "is not reached"});
  } else {
    add(std::move(step), "", explanation, name());
  }
}

void ExplainRun::add(std::string step, std::string at, const std::optional<Explanation>& explanation,
                     std::string called) {
  using enum Explanation::Effect;
  const auto known = explanation.value_or(Explanation{unknown, "cannot predict its effect"});
  const auto place = with_place(step, at);
  if (known.effect == refuses) decision_ = "would be refused by " + place;
  if (known.effect == answers) decision_ = fmt::format("would be answered by {}, not by {}", place, server_);
  if (known.effect == unknown) doubtful_.push_back(place);
  decided_ = !decision_.empty();
  steps_.push_back(
      {std::move(step), std::move(at), std::move(called), std::string(word_for(known.effect)), known.summary});
}

void ExplainRun::note_headers(const BuiltStep& step, std::size_t known) {
  const config::SecretMask mask;
  for (const auto& added : call_.context.added_headers | std::views::drop(known)) {
    for (const auto& [name, value] : added->headers) {
      put_explained(headers_,
                    {name, mask.header(name, value), with_place(step.shown.substr(0, step.shown.find('(')), step.at)});
    }
  }
}

std::string ExplainRun::verdict() const {
  if (decided_) return decision_;
  if (doubtful_.empty()) return "would be allowed";
  return fmt::format("would be allowed, unless {} decides otherwise", fmt::join(doubtful_, " or "));
}

void put_explained(std::vector<ExplainedHeader>& all, ExplainedHeader header) {
  std::erase_if(all, [&](const auto& other) { return protocol::same_header(other.name, header.name); });
  all.push_back(std::move(header));
}

}  // namespace fairlead::gateway
