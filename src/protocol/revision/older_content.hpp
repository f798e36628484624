#pragma once

#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/protocol/revision.hpp>
#include <string_view>

namespace fairlead::protocol {

/// Rewrites what a result says in ways that its revision does not know: content of a newer kind becomes text,
/// structured content and output schemas of a newer shape are left out. The text beside them says the same.
void make_older(json::ObjectEdit& result, std::string_view method, const Revision& revision);

/// Whether `make_older` would surely leave this member of a result as it is. The reader stands before its value, and if
/// so behind it afterwards: a long text is passed over once.
bool is_old_enough(std::string_view member, json::Reader& value, std::string_view method, const Revision& revision);

}  // namespace fairlead::protocol
