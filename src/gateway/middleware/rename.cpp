#include <fairlead/gateway/rename.hpp>

#include <algorithm>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>

#include "gateway/merge/splice.hpp"
#include "gateway/middleware/entries.hpp"
#include "gateway/middleware/glob.hpp"
#include "gateway/middleware/items.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;

std::string with_rest(std::string_view pattern, std::string_view rest) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return std::string(pattern);
  return fmt::format("{}{}{}", pattern.substr(0, star), rest, pattern.substr(star + 1));
}

class Rename final : public Middleware {
 public:
  explicit Rename(NewNames names) : names_(std::move(names)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    if (call.method == protocol::ListTools::method) return listed(call, next);
    if (call.method != protocol::CallTool::method) return next.call(call);
    const auto wanted = named_by(call.params, "name");
    if (!wanted) return next.call(call);
    auto inside = inside_of(wanted->name);
    if (!inside) return at_once(refuse(protocol::Fault::unknown_tool, "there is no such tool", wanted->name));
    return *inside == wanted->name ? next.call(call) : respelled(call, next, wanted->place, std::move(*inside));
  }

  std::optional<Result<Reply>> answer_now(Call& call, Service& next) override {
    if (call.method == protocol::CallTool::method) return std::nullopt;
    auto answer = next.answer_now(call);
    if (call.method == protocol::ListTools::method && answer && *answer) {
      (*answer)->body = outside(std::move((*answer)->body));
    }
    return answer;
  }

  std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal,
                                                   Service& next) override {
    const auto inside = inside_of(tool);
    return inside ? next.header_params(*inside, principal) : std::vector<protocol::HeaderParam>();
  }

  std::string inner_name(std::string_view tool) const override { return inside_of(tool).value_or(""); }
  std::string outer_name(std::string_view tool) const override { return outside_of(tool); }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    const auto wanted = named_by(call.params, "name");
    if (!wanted) return std::nullopt;
    const auto inside = inside_of(wanted->name);
    if (!inside) {
      return Explanation{Explanation::Effect::refuses,
                         fmt::format("knows no '{}': it is called '{}'", wanted->name, outside_of(wanted->name))};
    }
    if (*inside == wanted->name) return Explanation{.says = "leaves the name as it is"};
    call.params = json::Payload::trusted(with_string(call.params.text(), wanted->place, *inside));
    return Explanation{.says = fmt::format("'{}' becomes '{}'", wanted->name, *inside)};
  }

 private:
  std::string outside_of(std::string_view inside) const {
    for (const auto& [old_name, new_name] : names_) {
      if (const auto rest = glob_rest(old_name, inside)) return with_rest(new_name, *rest);
    }
    return std::string(inside);
  }

  // Nothing for a name that was taken away: a rule in front that knows the new name must not be got around by the old.
  std::optional<std::string> inside_of(std::string_view outside) const {
    for (const auto& [old_name, new_name] : names_) {
      const auto rest = glob_rest(new_name, outside);
      if (!rest) continue;
      auto inside = with_rest(old_name, *rest);
      if (outside_of(inside) == outside) return inside;
    }
    return outside_of(outside) == outside ? std::optional(std::string(outside)) : std::nullopt;
  }

  Task<Result<Reply>> respelled(Call& call, Service& next, json::Span place, std::string inside) const {
    const Respelled another(call, place, inside);
    co_return co_await next.call(call);
  }

  Task<Result<Reply>> listed(Call& call, Service& next) const {
    auto reply = co_await next.call(call);
    if (reply) reply->body = outside(std::move(reply->body));
    co_return reply;
  }

  json::Payload outside(json::Payload result) const {
    return with_items(std::move(result), ListKind::tools, [&](std::string_view item, const auto& key) {
      if (!key) return std::string(item);
      const auto shown = outside_of(*key);
      // A tool whose name was given to another cannot be called any more.
      if (inside_of(shown) != *key) return std::string();
      return shown == *key ? std::string(item) : with_string(item, "name", shown);
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
          .summary = "Gives tools other names; * stands for the rest of a name.",
          .make = [](Arguments& arguments, Loop) -> Result<std::unique_ptr<Middleware>> {
            auto names = arguments.pairs();
            if (names.empty()) arguments.needs("name");
            auto made = rename(std::move(names));
            if (!made) arguments.wrong("name", made.error().message);
            return made;
          }};
}

}  // namespace fairlead::gateway
