# By default only the library and the program are built; the presets enable the rest.
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
# A layer needs only the headers of its dependencies, so layers compile in parallel.
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

# Smaller code is faster here: the path of a call is long and often not in the cache (docs/decisions/0013).
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
# Removes unreachable functions and data.
add_compile_options($<$<CONFIG:Release>:-ffunction-sections> $<$<CONFIG:Release>:-fdata-sections>)
add_link_options($<$<CONFIG:Release>:LINKER:--gc-sections>)
# Packed relocations take a tenth of the space; all of them are read at every start. Not every linker supports them.
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
    # False positives of GCC 12; the clang builds find real cases. It reports an overlap in `"text" + std::string`
    # (GCC bug 105329) and reads of an empty std::optional (80635). With precompiled headers it does not recognise system
    # headers, and warns about std::string. It inlines only one of Asio's matching new and delete.
    add_compile_options(-Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-stringop-overread
      -Wno-array-bounds -Wno-mismatched-new-delete)
    # In a unity build GCC treats the sources as headers, where anonymous namespaces would be an error.
    if(CMAKE_UNITY_BUILD)
      add_compile_options(-Wno-subobject-linkage)
    endif()
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # std::stable_sort of libstdc++ 12 uses a deprecated function. The GCC build finds real cases.
    add_compile_options(-Wno-deprecated-declarations)
  endif()
endif()
if(FAIRLEAD_SANITIZE)
  add_compile_options(-fsanitize=${FAIRLEAD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FAIRLEAD_SANITIZE})
endif()
