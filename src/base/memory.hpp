#pragma once

namespace fairlead {

/// Gives the system what this process has freed and kept. Takes its time: for when a crowd has left.
void give_memory_back();

/// For a program that keeps freed blocks itself: what lets go of them, on the thread that gives back. Set before there
/// are threads.
extern void (*let_go_of_blocks)();

}  // namespace fairlead
