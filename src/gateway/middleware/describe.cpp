#include <fairlead/gateway/describe.hpp>

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>

#include "base/change_result.hpp"
#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/middleware/glob.hpp"
#include "gateway/model/json_rewrite.hpp"
#include "gateway/model/list_items.hpp"

namespace fairlead::gateway {
namespace {

class DescribeTools final : public Middleware {
 public:
  explicit DescribeTools(Descriptions descriptions) : descriptions_(std::move(descriptions)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    auto reply = next.call(call);
    if (call.method != protocol::ListTools::method) return reply;
    return change_result(std::move(reply), [this](Result<Reply>& tools) {
      if (tools) tools->body = described(std::move(tools->body));
    });
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    const auto tool = string_member(call.params, "name");
    const auto matches = [&](const auto& words) { return tool && glob_matches(words.first, tool->name); };
    const bool described = std::ranges::any_of(descriptions_, matches);
    return Explanation{.summary = described ? "replaces its description" : "keeps its description"};
  }

 private:
  json::Payload described(json::Payload result) const {
    return with_items(std::move(result), ListKind::tools, [&](std::string_view item, const auto& key) {
      const auto matches = [&](const auto& description) { return key && glob_matches(description.first, *key); };
      const auto found = std::ranges::find_if(descriptions_, matches);
      return found == descriptions_.end() ? std::string(item) : in_other_words(item, found->second);
    });
  }

  static std::string in_other_words(std::string_view item, const std::string& words) {
    json::ObjectEdit tool(item);
    std::string description = words;
    if (const auto place = description.find("{}"); place != std::string::npos) {
      const auto before = tool.get("description");
      const bool is_text = before.starts_with('"');
      description.replace(place, 2, is_text ? json::decode<std::string>(before).value_or("") : "");
    }
    return tool.set("description", json::encode(description)).text();
  }

  Descriptions descriptions_;
};

}  // namespace

std::unique_ptr<Middleware> describe(Descriptions descriptions) {
  return std::make_unique<DescribeTools>(std::move(descriptions));
}

Registry::Entry describe_entry() {
  return {.usage = "describe(search=\"Finds pages\", \"git_*=Old: {}\")",
          .summary = "Replaces descriptions of tools; {} stands for the server's own.",
          .make = [](MiddlewareArguments& arguments, EventLoop) -> Result<std::unique_ptr<Middleware>> {
            auto descriptions = arguments.pairs();
            if (descriptions.empty()) arguments.report_missing("name");
            return describe(std::move(descriptions));
          }};
}

}  // namespace fairlead::gateway
