# Users get the library and the program; the presets switch on the rest.
option(FAIRLEAD_TESTS "Build the tests" OFF)
option(FAIRLEAD_EXAMPLES "Build the examples" OFF)
option(FAIRLEAD_BENCH "Build the benchmarks" OFF)
option(FAIRLEAD_FUZZ "Build the fuzzers (clang only)" OFF)
option(FAIRLEAD_TESTS_TOGETHER "Tests of a program share a few processes" OFF)
option(FAIRLEAD_WARNINGS "Treat a long list of warnings as errors" OFF)
set(FAIRLEAD_SANITIZE "" CACHE STRING "Sanitizers for every target, as -fsanitize= takes them")

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# No layer waits for those before it: their headers are all it needs.
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

# What a call runs through is large and met cold: smaller is quicker (docs/decisions/0013).
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
# A program carries only what it can reach.
add_compile_options($<$<CONFIG:Release>:-ffunction-sections> $<$<CONFIG:Release>:-fdata-sections>)
add_link_options($<$<CONFIG:Release>:LINKER:--gc-sections>)
# Relocations in a tenth of their room, where the linker can: all of them are read at every start.
include(CheckLinkerFlag)
check_linker_flag(CXX "LINKER:-z,pack-relative-relocs" FAIRLEAD_PACKS_RELOCATIONS)
if(FAIRLEAD_PACKS_RELOCATIONS)
  add_link_options($<$<CONFIG:Release>:LINKER:-z,pack-relative-relocs>)
endif()

find_program(FAIRLEAD_CCACHE ccache)
if(FAIRLEAD_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${FAIRLEAD_CCACHE})
endif()

if(FAIRLEAD_WARNINGS)
  add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees an overlap inside its own `"text" + std::string` that cannot happen (GCC bug 105329), and takes the
    # inside of an empty std::optional for something read (80635). Clang's builds look for the real cases.
    # Of precompiled headers it forgets which are the system's, and finds in std::string what it cannot prove.
    # Of Asio's own new and delete it inlines one half, and misses the other.
    add_compile_options(-Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-stringop-overread
      -Wno-array-bounds -Wno-mismatched-new-delete)
    # Where several files make one unit, it takes all of them for headers, in which nameless namespaces would be wrong.
    if(CMAKE_UNITY_BUILD)
      add_compile_options(-Wno-subobject-linkage)
    endif()
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # The stable_sort of GCC 12's library calls what that library deprecates; real cases the GCC build still finds.
    add_compile_options(-Wno-deprecated-declarations)
  endif()
endif()
if(FAIRLEAD_SANITIZE)
  add_compile_options(-fsanitize=${FAIRLEAD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FAIRLEAD_SANITIZE})
endif()
