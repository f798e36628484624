#pragma once

#include <cstdint>
#include <fairlead/gateway/arguments.hpp>
#include <fairlead/gateway/filter.hpp>
#include <functional>
#include <optional>
#include <string>

#include "gateway/middleware/subject.hpp"

namespace fairlead::gateway {

/// What becomes of a request; `undecided` where that depends on a server which is not known yet.
enum class Verdict : std::uint8_t { pass, hold, undecided };

/// A request, as a rule sees it.
struct Sought {
  std::string_view method;
  std::optional<ListKind> kind = {};  ///< Of what it is about, if it is about something.
  std::string_view name = {};
  const session::Service* next = nullptr;  ///< Who knows the server.
};

using Rule = std::function<Verdict(const Sought&)>;

/// Enforces a rule on calls, and shows in lists what could be called. `step` stands in errors.
std::unique_ptr<Middleware> filtering(std::string step, Rule rule);

const std::vector<std::string>& patterns_for(const Selection& selection, ListKind kind);

/// Whether it is of one of the servers.
Verdict is_of_server(const Selection& selection, const Sought& sought);

/// `usage(read_*, prompt=p, resource=r, server=s, method=m)`.
Selection read_selection(Arguments& arguments);

}  // namespace fairlead::gateway
