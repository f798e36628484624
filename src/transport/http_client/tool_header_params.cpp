#include "transport/http_client/tool_header_params.hpp"

#include <boost/json.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/dom.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fmt/format.h>

namespace fairlead::transport {
namespace {

constexpr std::string_view header_keyword = "x-mcp-header";

std::string name_of(const boost::json::object& tool) {
  const auto* name = tool.if_contains("name");
  return name && name->is_string() ? std::string(name->get_string()) : std::string();
}

std::size_t size_of(const std::string& tool, const std::vector<protocol::HeaderParam>& params) {
  std::size_t size = tool.size();
  for (const auto& param : params) {
    size += sizeof(param) + param.header.size();
    for (const auto& member : param.path) size += sizeof(member) + member.size();
  }
  return size;
}

}  // namespace

void ToolHeaderParams::learn(json::Payload& result, LogSink& log) {
  const auto* whole = result.value().if_object();
  const auto* tools = whole ? whole->if_contains("tools") : nullptr;
  if (!tools || !tools->is_array()) return;
  const bool has_header_params = result.text().find(header_keyword) != std::string_view::npos;
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < tools->get_array().size(); ++i) {
    const auto* tool = tools->get_array()[i].if_object();
    const auto* schema = tool ? tool->if_contains("inputSchema") : nullptr;
    if (!schema) continue;
    auto params = has_header_params ? protocol::collect_header_params(*schema) : std::vector<protocol::HeaderParam>();
    if (params) {
      remember(name_of(*tool), std::move(*params));
      continue;
    }
    remember(name_of(*tool), {});
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

void ToolHeaderParams::remember(std::string tool, std::vector<protocol::HeaderParam> params) {
  known_.take(tool);
  if (params.empty()) return;
  const auto size = size_of(tool, params);
  known_.put(std::move(tool), std::move(params), size);
}

bool ToolHeaderParams::has_header_params(std::string_view tool) const {
  const auto name = json::decode<std::string>(tool);
  return name && known_.peek(*name);
}

Result<std::vector<protocol::Header>> ToolHeaderParams::headers(std::string_view tool, std::string_view params) const {
  const auto* known = known_.peek(tool);
  if (!known) return std::vector<protocol::Header>();
  const auto arguments = json::member_of(params, "arguments");
  const auto values = json::parse_dom(arguments.empty() ? "{}" : arguments);
  return protocol::param_headers(*known, values);
}

}  // namespace fairlead::transport
