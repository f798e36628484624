# fairlead_layer(<name> [PROGRAM] [HOT] [COLD] [DEPENDS <layer>…] [LINK <library>…] [READS <header>…])
#
# Adds a layer: the static library of src/<name>/**.cpp, with the public headers include/fairlead/<name>/*.hpp.
# DEPENDS: layers to its left. LINK: external libraries that only its sources need.
# PROGRAM: part of the program only, not installed with the library.
# HOT: on the path of every call. COLD: not on the path of any call.
# READS: headers that many of its sources include; precompiled.
function(fairlead_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "PROGRAM;HOT;COLD" "" "DEPENDS;LINK;READS")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(fairlead_${name} STATIC ${sources})
  add_library(fairlead::${name} ALIAS fairlead_${name})
  set_target_properties(fairlead_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(fairlead_${name} PUBLIC cxx_std_23)
  target_include_directories(fairlead_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM layer_DEPENDS PREPEND fairlead_)
  target_link_libraries(fairlead_${name} PUBLIC ${layer_DEPENDS} PRIVATE ${layer_LINK})
  if(layer_READS)
    fairlead_read_once(fairlead_${name} ${std_headers} ${layer_READS})
  endif()
  if(layer_HOT AND CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC inlines less in large units; a unity build of small files must not count as one.
    target_compile_options(fairlead_${name} PRIVATE --param=large-unit-insns=200000)
  endif()
  if(layer_COLD)
    fairlead_compile_small(fairlead_${name})
  endif()
  if(NOT layer_PROGRAM)
    set_property(GLOBAL APPEND PROPERTY FAIRLEAD_LAYERS fairlead_${name})
  endif()
endfunction()

# fairlead_tests(<layer> [PLAIN] [LINK <library>…] [READS <header>…]): builds tests/<layer>/*.cpp as one program, with one
# ctest case per test. PLAIN: the layer starts no threads; the thread sanitizer runs only the tests that do.
function(fairlead_tests layer)
  cmake_parse_arguments(PARSE_ARGV 1 tests "PLAIN" "" "LINK;READS")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${layer}/*.cpp)
  if(tests_PLAIN AND FAIRLEAD_SANITIZE STREQUAL "thread")
    fairlead_keep_threaded(sources)
    if(NOT sources)
      return()
    endif()
  endif()
  add_executable(${layer}_tests ${sources})
  target_include_directories(${layer}_tests PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${layer}_tests PRIVATE test_support fairlead_${layer} ${tests_LINK} GTest::gmock GTest::gtest_main)
  fairlead_compile_tests_quickly(${layer}_tests ${tests_READS})
  fairlead_discover_tests(${layer}_tests)
endfunction()

function(fairlead_keep_threaded list)
  foreach(source IN LISTS ${list})
    file(STRINGS ${source} threads REGEX "std::j?thread|std::async" LIMIT_COUNT 1)
    if(threads)
      list(APPEND threaded ${source})
    endif()
  endforeach()
  set(${list} ${threaded} PARENT_SCOPE)
endfunction()

# fairlead_discover_tests(<program>): adds one ctest case per test; with FAIRLEAD_TESTS_TOGETHER a few cases for all tests,
# because with a sanitizer a process takes longer to start than most tests take to run.
function(fairlead_discover_tests program)
  if(NOT FAIRLEAD_TESTS_TOGETHER)
    # Pretty values contain addresses, which change from run to run.
    gtest_discover_tests(${program} NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 120)
    return()
  endif()
  get_target_property(sources ${program} SOURCES)
  list(LENGTH sources count)
  math(EXPR shares "${count} / 8 + 1")
  foreach(share RANGE 1 ${shares})
    math(EXPR index "${share} - 1")
    add_test(NAME ${program}.${share}_of_${shares} COMMAND ${program} --gtest_brief=1)
    set_tests_properties(${program}.${share}_of_${shares} PROPERTIES TIMEOUT 600 COST 10
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${shares};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# Compiles tests without optimisation: optimising them would double their build time. The tested code is optimised.
function(fairlead_compile_quickly target)
  target_compile_options(${target} PRIVATE -O0)
endfunction()

# As above, with precompiled headers, for a program with many tests.
function(fairlead_compile_tests_quickly target)
  fairlead_compile_quickly(${target})
  fairlead_read_once(${target} ${std_headers} <gmock/gmock.h> <gtest/gtest.h> ${asio_headers} ${ARGN})
endfunction()

# For code that runs once per start, not once per call.
function(fairlead_compile_small target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

set(std_headers <algorithm> <array> <chrono> <cstdint> <expected> <functional> <map> <memory> <optional> <string>
  <string_view> <utility> <variant> <vector>)
set(asio_headers <boost/asio/as_tuple.hpp> <boost/asio/io_context.hpp> <boost/asio/post.hpp>
  <boost/asio/steady_timer.hpp> <fairlead/base/asio_task.hpp>)

# Includes headers in all sources of a target. Precompiles them unless the target has only one or two units, which compile
# faster without.
function(fairlead_read_once target)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  if(CMAKE_UNITY_BUILD)
    math(EXPR few "2 * ${CMAKE_UNITY_BUILD_BATCH_SIZE}")
  endif()
  if(CMAKE_UNITY_BUILD AND count LESS_EQUAL few)
    list(TRANSFORM ARGN PREPEND "#include " OUTPUT_VARIABLE lines)
    list(JOIN lines "\n" text)
    set(header ${CMAKE_CURRENT_BINARY_DIR}/${target}_reads.hpp)
    file(CONFIGURE OUTPUT ${header} CONTENT "#pragma once\n${text}\n")
    target_compile_options(${target} PRIVATE "SHELL:-include \"${header}\"")
  else()
    fairlead_precompile(${target} ${ARGN})
  endif()
endfunction()

function(fairlead_precompile target)
  # A timestamp inside the precompiled header would cause a ccache miss each time.
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  target_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()
