#include <cstdio>
#include <fairlead/protocol/revision.hpp>
#include <string>
#include <string_view>

#include "cli/version.hpp"

namespace {

constexpr std::string_view help = R"(usage: fairlead [option]

Fairlead carries the Model Context Protocol between any two ends. This is an
early release: the library serves tools over stdin and stdout; the commands
that call, bridge and inspect come with the next ones.

Options
  -h, --help   show this page
  --version    show the version, and the revisions of MCP that it knows

Examples and documents: README.md and docs/ in the source tree.
)";

std::string version_text() {
  std::string text = "fairlead " + std::string(fairlead::cli::version) + "\nMCP revisions:";
  for (const auto& revision : fairlead::protocol::revisions()) text.append(" ").append(revision.name);
  return text + "\n";
}

/// The exit code: output that nobody received, on a full disk or a closed pipe, is a failure.
int print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return written && std::fflush(stdout) == 0 ? 0 : 1;
}

int refuse(std::string_view argument) {
  const auto text = "fairlead: unknown argument '" + std::string(argument) + "'; see fairlead --help\n";
  std::fputs(text.c_str(), stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) return refuse(argv[2]);
  const std::string_view option = argc == 2 ? argv[1] : "--help";
  if (option == "--help" || option == "-h") return print(help);
  if (option == "--version") return print(version_text());
  return refuse(option);
}
