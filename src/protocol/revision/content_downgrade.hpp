#pragma once

#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/protocol/revision.hpp>

namespace fairlead::protocol {

/// Rewrites a result for an older revision: content of a newer type becomes text; structured content and output schemas
/// of a newer form are removed, because the text content repeats them.
void downgrade_content(json::ObjectEdit& result, std::string_view method, const Revision& revision);

/// True if `downgrade_content` would not change this member of a result; `value` is then advanced past the member, so
/// that a long text is read once.
bool needs_no_downgrade(std::string_view member, json::Reader& value, std::string_view method,
                        const Revision& revision);

}  // namespace fairlead::protocol
