#include "answer/tools.hpp"

#include <algorithm>
#include <utility>

namespace fairlead::answer {
namespace {

constexpr std::string_view full_schema =
    R"({"type":"object","properties":{)"
    R"("query":{"type":"string","description":"The question, in any language"},)"
    R"("recency_days":{"type":"number","description":"How old a source may be, in days; 0 for any age"},)"
    R"("max_results":{"type":"number","description":"How many sources to look at"},)"
    R"("domains":{"type":"array","items":{"type":"string"},"description":"Domains to prefer, such as example.com"},)"
    R"("style":{"enum":["summary","bullets","citations-only"],"description":"The form of the answer"}},)"
    R"("required":["query"]})";

constexpr std::string_view quick_schema =
    R"({"type":"object","properties":{)"
    R"("query":{"type":"string","description":"The question, in any language"}},"required":["query"]})";

struct QuickQuestion {
  std::string query;
};

ToolOptions described(std::string description, std::string_view schema) {
  ToolOptions options{.description = std::move(description)};
  options.input_schema = Payload::trusted(std::string(schema));
  options.annotations = protocol::ToolAnnotations{.readOnlyHint = true, .openWorldHint = true};
  return options;
}

bool is_wanted(const Asking& asking, std::string_view tool) {
  return std::ranges::find(asking.config().tools, tool) != asking.config().tools.end();
}

}  // namespace

void add_tools(Server& server, const Asking& asking) {
  server.tool(
      "answer",
      described("Performs web search as needed and returns answers with evidence (including citations)", full_schema),
      [&asking](Question question, Context& context) { return asking.answer("answer", std::move(question), context); });
  if (is_wanted(asking, "answer_detailed")) {
    server.tool(
        "answer_detailed",
        described("Like answer, for questions that deserve thought: looks deeper and says more, and takes longer",
                  full_schema),
        [&asking](Question question, Context& context) {
          return asking.answer("answer_detailed", std::move(question), context);
        });
  }
  if (is_wanted(asking, "answer_quick")) {
    server.tool("answer_quick", described("Like answer, for simple questions: short, and soon", quick_schema),
                [&asking](QuickQuestion question, Context& context) {
                  return asking.answer("answer_quick", Question{.query = std::move(question.query)}, context);
                });
  }
}

}  // namespace fairlead::answer
