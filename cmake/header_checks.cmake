# fairlead_header_checks(): adds a test that compiles every public header alone, as the only include of a file. ctest starts
# it first, because it takes long.
function(fairlead_header_checks)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/*.hpp)
  foreach(header IN LISTS headers)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/header_checks/${header}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include <${header}>\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(header_checks OBJECT EXCLUDE_FROM_ALL ${sources})
  set_target_properties(header_checks PROPERTIES UNITY_BUILD OFF)
  get_property(layers GLOBAL PROPERTY FAIRLEAD_LAYERS)
  target_link_libraries(header_checks PRIVATE ${layers})
  fairlead_compile_quickly(header_checks)
  add_test(NAME Headers.CompileAlone
    COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target header_checks --parallel 1)
  set_tests_properties(Headers.CompileAlone PROPERTIES TIMEOUT 5400 COST 1000)
endfunction()
