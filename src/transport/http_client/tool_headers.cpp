#include "transport/http_client/tool_headers.hpp"

#include <boost/json.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/dom.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fmt/format.h>

namespace fairlead::transport {
namespace {

constexpr std::string_view mark = "x-mcp-header";

std::string name_of(const boost::json::object& tool) {
  const auto* name = tool.if_contains("name");
  return name && name->is_string() ? std::string(name->get_string()) : std::string();
}

}  // namespace

void ToolHeaders::learn(json::Payload& result, LogSink& log) {
  const auto* whole = result.value().if_object();
  const auto* tools = whole ? whole->if_contains("tools") : nullptr;
  if (!tools || !tools->is_array()) return;
  const bool has_marks = result.text().find(mark) != std::string_view::npos;
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < tools->get_array().size(); ++i) {
    const auto* tool = tools->get_array()[i].if_object();
    const auto* schema = tool ? tool->if_contains("inputSchema") : nullptr;
    if (!schema) continue;
    auto& known = params_[name_of(*tool)];
    known.clear();
    if (!has_marks) continue;
    auto params = protocol::collect_header_params(*schema);
    if (params) {
      known = std::move(*params);
      continue;
    }
    fairlead::log(log, LogLevel::warning, "http client",
                  [&] { return fmt::format("the tool '{}' is left out: {}", name_of(*tool), params.error().message); });
    wrong.push_back(i);
  }
  if (wrong.empty()) return;
  result.edit([&](boost::json::value& value) {
    auto& all = value.as_object().at("tools").as_array();
    for (auto at = wrong.rbegin(); at != wrong.rend(); ++at) all.erase(all.begin() + static_cast<std::ptrdiff_t>(*at));
  });
}

bool ToolHeaders::has_marks(std::string_view tool) const {
  const auto name = json::decode<std::string>(tool);
  const auto found = name ? params_.find(*name) : params_.end();
  return found != params_.end() && !found->second.empty();
}

Result<std::vector<protocol::Header>> ToolHeaders::headers(std::string_view tool, std::string_view params) const {
  const auto found = params_.find(tool);
  if (found == params_.end() || found->second.empty()) return std::vector<protocol::Header>();
  const auto arguments = json::member_of(params, "arguments");
  const auto values = json::parse_dom(arguments.empty() ? "{}" : arguments);
  return protocol::param_headers(found->second, values);
}

}  // namespace fairlead::transport
