#pragma once

#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/revision.hpp>
#include <string_view>

namespace fairlead::protocol {

/// Rewrites what a result says in ways that its revision does not know: content of a newer kind becomes text,
/// structured content and output schemas of a newer shape are left out. The text beside them says the same.
void make_older(json::ObjectEdit& result, std::string_view method, const Revision& revision);

}  // namespace fairlead::protocol
