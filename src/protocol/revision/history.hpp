#pragma once

#include <fairlead/protocol/revision.hpp>

/// One function per revision: the one before it, and what it changed.
///
/// To add a revision, add its file and its line here and in table.cpp.
namespace fairlead::protocol::history {

Revision r2024_11_05();
Revision r2025_03_26();
Revision r2025_06_18();
Revision r2025_11_25();
Revision r2026_07_28();

}  // namespace fairlead::protocol::history
