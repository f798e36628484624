#include <fairlead/gateway/rename.hpp>

#include <algorithm>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>

#include "base/change_result.hpp"
#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/middleware/glob.hpp"
#include "gateway/model/json_rewrite.hpp"
#include "gateway/model/list_items.hpp"
#include "gateway/model/task_extension.hpp"

namespace fairlead::gateway {
namespace {

std::string with_rest(std::string_view pattern, std::string_view rest) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return std::string(pattern);
  return fmt::format("{}{}{}", pattern.substr(0, star), rest, pattern.substr(star + 1));
}

class Rename final : public Middleware {
 public:
  explicit Rename(NewNames names) : names_(std::move(names)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    if (call.method == protocol::ListTools::method) {
      return change_result(next.call(call), [this](Result<Reply>& tools) {
        if (tools) tools->body = with_client_names(std::move(tools->body));
      });
    }
    if (call.method != protocol::CallTool::method && !is_task_request(call.method)) return next.call(call);
    const auto wanted = string_member(call.params, "name");
    if (!wanted) return next.call(call);
    auto inside = upstream_name_of(wanted->name);
    if (!inside) return refuse(protocol::ProtocolError::unknown_tool, "unknown tool", wanted->name);
    return *inside == wanted->name ? next.call(call) : call_renamed(call, next, wanted->span, std::move(*inside));
  }

  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal,
                                                   Service& next) override {
    const auto inside = upstream_name_of(tool);
    return inside ? next.header_params(*inside, principal) : std::vector<protocol::HeaderParam>();
  }

  std::string upstream_name(std::string_view tool) const override { return upstream_name_of(tool).value_or(""); }
  std::string client_name(std::string_view tool) const override { return client_name_of(tool); }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    const auto wanted = string_member(call.params, "name");
    if (!wanted) return std::nullopt;
    const auto inside = upstream_name_of(wanted->name);
    if (!inside) {
      return Explanation{Explanation::Effect::refuses,
                         fmt::format("'{}' was renamed to '{}'", wanted->name, client_name_of(wanted->name))};
    }
    if (*inside == wanted->name) return Explanation{.summary = "keeps the name"};
    call.params = json::Payload::trusted(replace_string(call.params.text(), wanted->span, *inside));
    return Explanation{.summary = fmt::format("'{}' becomes '{}'", wanted->name, *inside)};
  }

 private:
  std::string client_name_of(std::string_view inside) const {
    for (const auto& [old_name, new_name] : names_) {
      if (const auto rest = glob_rest(old_name, inside)) return with_rest(new_name, *rest);
    }
    return std::string(inside);
  }

  // Returns nothing for an old name, so that rules for the new name cannot be bypassed.
  std::optional<std::string> upstream_name_of(std::string_view client_name) const {
    for (const auto& [old_name, new_name] : names_) {
      const auto rest = glob_rest(new_name, client_name);
      if (!rest) continue;
      auto inside = with_rest(old_name, *rest);
      if (client_name_of(inside) == client_name) return inside;
    }
    return client_name_of(client_name) == client_name ? std::optional(std::string(client_name)) : std::nullopt;
  }

  Task<Result<Reply>> call_renamed(Call& call, Service& next, json::Span place, std::string inside) const {
    const ScopedRename another(call, place, inside);
    co_return co_await next.call(call);
  }

  json::Payload with_client_names(json::Payload result) const {
    return with_items(std::move(result), ListKind::tools, [&](std::string_view item, const auto& key) {
      if (!key) return std::string(item);
      const auto shown = client_name_of(*key);
      // A tool whose name was given to another one is hidden.
      if (upstream_name_of(shown) != *key) return std::string();
      return shown == *key ? std::string(item) : replace_string(item, "name", shown);
    });
  }

  NewNames names_;
};

}  // namespace

Result<std::unique_ptr<Middleware>> rename(NewNames names) {
  for (const auto& [old_name, new_name] : names) {
    const auto stars = std::ranges::count(old_name, '*');
    const bool fits =
        stars <= 1 && std::ranges::count(new_name, '*') == stars && !old_name.empty() && !new_name.empty();
    if (!fits) {
      return fail(ErrorKind::invalid, fmt::format("{}={}: give two names, or two patterns with one * each, as in "
                                                  "github_*=gh_*",
                                                  old_name, new_name));
    }
  }
  return std::make_unique<Rename>(std::move(names));
}

Registry::Entry rename_entry() {
  return {.usage = "rename(search=find, \"github_*=gh_*\")",
          .summary = "Renames tools; * stands for the rest of a name.",
          .make = [](MiddlewareArguments& arguments, EventLoop) -> Result<std::unique_ptr<Middleware>> {
            auto names = arguments.pairs();
            if (names.empty()) arguments.report_missing("name");
            auto made = rename(std::move(names));
            if (!made) arguments.report_error("name", made.error().message);
            return made;
          }};
}

}  // namespace fairlead::gateway
