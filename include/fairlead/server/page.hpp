#pragma once

#include <fairlead/json/payload.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// MCP Apps: HTML pages that a host shows beside the result of a tool.
namespace fairlead::server {

/// The MIME type of pages.
inline constexpr std::string_view page_mime_type = "text/html;profile=mcp-app";

/// What the host allows a page to do, and how it shows it. A page may use nothing that is not listed here.
struct PageOptions {
  std::string name = {};  ///< The URI by default.
  std::string description = {};
  std::optional<std::string> title = {};
  std::vector<std::string> connect = {};    ///< Origins for requests and WebSockets of the page.
  std::vector<std::string> resources = {};  ///< Origins of scripts, styles, images and fonts.
  std::vector<std::string> frames = {};     ///< Origins of nested frames.
  std::vector<std::string> base_uris = {};  ///< Origins that a `<base>` element may name.
  bool camera = false;
  bool microphone = false;
  bool geolocation = false;
  bool clipboard_write = false;
  std::optional<std::string> domain = {};  ///< Origin that the host gives to the page, if the host supports it.
  std::optional<bool> border = {};         ///< Whether the page wants a border. The host decides by default.
};

/// How a tool takes part in MCP Apps.
struct ToolUi {
  std::string page = {};  ///< URI of the page that shows the result; registered with Server::page.
  bool for_app = true;    ///< Pages of the server may call the tool.
  bool for_model = true;  ///< The model may call the tool.
};

/// `meta` with the members of the extension: `ui`, and the older `ui/resourceUri`.
std::optional<json::Payload> with_tool_ui(std::optional<json::Payload> meta, const ToolUi& ui);

}  // namespace fairlead::server
