#include "gateway/middleware/tool_result.hpp"

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

session::Reply text_result(std::string_view text, std::string_view structured) {
  return answered(text, structured, false);
}

session::Reply tool_error_result(std::string_view why) {
  return answered(why, {}, true);
}

}  // namespace fairlead::gateway
