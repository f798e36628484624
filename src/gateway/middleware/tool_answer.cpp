#include "gateway/middleware/tool_answer.hpp"

#include <fairlead/json/writer.hpp>

namespace fairlead::gateway {
namespace {

session::Reply answered(std::string_view text, std::string_view structured, bool failed) {
  std::string body = R"({"content":[{"type":"text","text":)";
  json::write_string(body, text);
  body += "}]";
  if (!structured.empty()) body += R"(,"structuredContent":)" + std::string(structured);
  body += failed ? R"(,"isError":true})" : R"(,"isError":false})";
  return {.body = json::Payload::trusted(std::move(body))};
}

}  // namespace

session::Reply tool_answer(std::string_view text, std::string_view structured) {
  return answered(text, structured, false);
}

session::Reply tool_failure_answer(std::string_view why) {
  return answered(why, {}, true);
}

}  // namespace fairlead::gateway
