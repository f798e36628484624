#pragma once

#include <fairlead/client.hpp>
#include <string>
#include <vector>

namespace fairlead::cli {

/// Options for answering server requests (elicitation, sampling, roots).
struct InteractiveOptions {
  std::vector<std::string> answers = {};  ///< `field=value` for forms.
  std::vector<std::string> roots = {};
  std::string sampled = {};  ///< Reply to sampling requests; empty for none.
};

/// Adds handlers for all server requests, which answer from the options or ask on the terminal. All capabilities are
/// declared, because some servers hide tools from clients without them.
void add_interactive_handlers(client::ClientOptions& options, const InteractiveOptions& user);

/// Declares the same capabilities, but declines all requests.
void add_declining_handlers(client::ClientOptions& options);

}  // namespace fairlead::cli
