#pragma once

#include <fairlead/protocol/model/content.hpp>
#include <fairlead/protocol/model/lifecycle.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What people see of what a server sent.
namespace fairlead::cli {

/// Text from elsewhere, with everything made visible that could steer a terminal; lines and tabs stay.
std::string for_terminal(std::string_view text);

/// Ends with a newline. What is not text is described.
std::string show(const protocol::ContentBlock& block);
std::string show(const protocol::ResourceContents& contents);

/// `1 tool`, `2 tools`.
std::string counted(std::size_t count, std::string_view thing);

/// Two columns, the second behind the longest of the first.
std::string show_table(const std::vector<std::pair<std::string, std::string>>& rows);

/// `info demo: started`, and `[3/10] half way`.
std::string show(const protocol::LoggingMessageParams& message);
std::string show(const protocol::ProgressParams& progress);

}  // namespace fairlead::cli
