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

struct QuickArguments {
  std::string query;
};

ToolOptions described(std::string description, std::string_view schema) {
  ToolOptions options{.description = std::move(description)};
  options.input_schema = Payload::trusted(std::string(schema));
  options.annotations = protocol::ToolAnnotations{.readOnlyHint = true, .openWorldHint = true};
  return options;
}

bool is_wanted(const AnswerEngine& engine, std::string_view tool) {
  return std::ranges::find(engine.config().tools, tool) != engine.config().tools.end();
}

}  // namespace

void add_tools(Server& server, const AnswerEngine& engine) {
  server.tool(
      "answer",
      described("Performs web search as needed and returns answers with evidence (including citations)", full_schema),
      [&engine](AnswerArguments arguments, Context& context) {
        return engine.answer("answer", std::move(arguments), context);
      });
  if (is_wanted(engine, "answer_detailed")) {
    server.tool("answer_detailed",
                described("Like answer, for difficult questions: reasons longer and answers in more detail, but slower",
                          full_schema),
                [&engine](AnswerArguments arguments, Context& context) {
                  return engine.answer("answer_detailed", std::move(arguments), context);
                });
  }
  if (is_wanted(engine, "answer_quick")) {
    server.tool("answer_quick", described("Like answer, for simple questions: a short answer, faster", quick_schema),
                [&engine](QuickArguments arguments, Context& context) {
                  return engine.answer("answer_quick", AnswerArguments{.query = std::move(arguments.query)}, context);
                });
  }
}

}  // namespace fairlead::answer
