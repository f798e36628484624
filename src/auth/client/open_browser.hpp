#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fairlead::auth {

/// The command that opens a URL: the words of `browser`, with the URL in place of `%s` or at the end; without
/// `browser`, xdg-open on a desktop. Empty if there is none. No shell is involved.
std::vector<std::string> browser_command(std::string_view browser, bool on_desktop, const std::string& url);

/// True if there is a command that opens a URL.
bool can_open_browser();

/// Starts the user's browser ($BROWSER, or xdg-open). False if there is none. The URL must be http or https.
bool open_browser(const std::string& url);

}  // namespace fairlead::auth
