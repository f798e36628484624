#include "gateway/middleware/entries.hpp"
#include "gateway/middleware/filter.hpp"
#include "gateway/middleware/glob.hpp"

namespace fairlead::gateway {
namespace {

Verdict is_allowed(const Selection& allowed, const Sought& sought) {
  if (!allowed.methods.empty() && !any_matches(allowed.methods, sought.method)) return Verdict::hold;
  if (!sought.kind) return Verdict::pass;
  const auto& names = patterns_for(allowed, *sought.kind);
  if (!names.empty() && !any_matches(names, sought.name)) return Verdict::hold;
  return allowed.servers.empty() ? Verdict::pass : is_of_server(allowed, sought);
}

}  // namespace

std::unique_ptr<Middleware> allow(Selection selection) {
  return filtering("allow",
                   [selection = std::move(selection)](const Sought& sought) { return is_allowed(selection, sought); });
}

Registry::Entry allow_entry() {
  return {.usage = "allow(read_*, method=tools/*)",
          .summary = "Lets through what matches, by tool, prompt, resource, server and method; hides the rest.",
          .make = [](Arguments& arguments, Loop) -> Result<std::unique_ptr<Middleware>> {
            return allow(read_selection(arguments));
          }};
}

}  // namespace fairlead::gateway
