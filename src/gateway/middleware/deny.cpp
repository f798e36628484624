#include "gateway/middleware/entries.hpp"
#include "gateway/middleware/filter.hpp"
#include "gateway/middleware/glob.hpp"

namespace fairlead::gateway {
namespace {

bool names_anything(const Selection& selection) {
  return !selection.tools.empty() || !selection.prompts.empty() || !selection.resources.empty();
}

Verdict is_denied(const Selection& denied, const Sought& sought) {
  if (!denied.methods.empty() && !any_matches(denied.methods, sought.method)) return Verdict::pass;
  const bool about_something = names_anything(denied) || !denied.servers.empty();
  if (!sought.kind) return about_something ? Verdict::pass : Verdict::hold;
  if (names_anything(denied) && !any_matches(patterns_for(denied, *sought.kind), sought.name)) return Verdict::pass;
  if (denied.servers.empty()) return Verdict::hold;
  switch (is_of_server(denied, sought)) {
    case Verdict::pass: return Verdict::hold;
    case Verdict::hold: return Verdict::pass;
    case Verdict::undecided: break;
  }
  return Verdict::undecided;
}

}  // namespace

std::unique_ptr<Middleware> deny(Selection selection) {
  return filtering("deny",
                   [selection = std::move(selection)](const Sought& sought) { return is_denied(selection, sought); });
}

Registry::Entry deny_entry() {
  return {.usage = "deny(delete_*, server=git)",
          .summary = "Refuses and hides what matches, by tool, prompt, resource, server and method.",
          .make = [](Arguments& arguments, Loop) -> Result<std::unique_ptr<Middleware>> {
            return deny(read_selection(arguments));
          }};
}

}  // namespace fairlead::gateway
