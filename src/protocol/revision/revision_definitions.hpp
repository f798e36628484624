#pragma once

#include <fairlead/protocol/revision.hpp>

/// One function per revision. Each starts from the previous revision and applies its changes.
///
/// To add a revision, add its file, and its line here and in revision_table.cpp.
namespace fairlead::protocol::revision_definitions {

Revision r2024_11_05();
Revision r2025_03_26();
Revision r2025_06_18();
Revision r2025_11_25();
Revision r2026_07_28();

}  // namespace fairlead::protocol::revision_definitions
