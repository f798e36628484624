#pragma once

#include <fairlead/protocol/model/content.hpp>
#include <fairlead/protocol/model/lifecycle.hpp>
#include <string_view>
#include <utility>

/// Text for people, made from what a server sent.
namespace fairlead::cli {

/// Escapes control characters of untrusted text, so that it cannot control a terminal. Keeps newlines and tabs.
std::string escape_for_terminal(std::string_view text);

/// Ends with a newline. Binary content is described.
std::string to_text(const protocol::ContentBlock& block);
std::string to_text(const protocol::ResourceContents& contents);

/// `1 tool`, `2 tools`.
std::string pluralize(std::size_t count, std::string_view thing);

/// Two aligned columns.
std::string format_table(const std::vector<std::pair<std::string, std::string>>& rows);

/// `info demo: started`, and `[3/10] half way`.
std::string to_text(const protocol::LoggingMessageParams& message);
std::string to_text(const protocol::ProgressParams& progress);

}  // namespace fairlead::cli
