# Installs the libraries, the headers, the program, the CMake package and fairlead.pc.
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY FAIRLEAD_LAYERS)
add_library(fairlead_all INTERFACE)
add_library(fairlead::fairlead ALIAS fairlead_all)
set_target_properties(fairlead_all PROPERTIES EXPORT_NAME fairlead)
target_link_libraries(fairlead_all INTERFACE ${layers})

install(TARGETS ${layers} fairlead_all EXPORT fairlead-targets)
install(TARGETS fairlead)
install(DIRECTORY include/fairlead DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fairlead)
install(EXPORT fairlead-targets NAMESPACE fairlead:: DESTINATION ${package_dir})
configure_package_config_file(cmake/fairlead-config.cmake.in fairlead-config.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may be incompatible: docs/versioning.md.
write_basic_package_version_file(fairlead-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fairlead-config.cmake ${PROJECT_BINARY_DIR}/fairlead-config-version.cmake
  DESTINATION ${package_dir})

# A static library must be listed before those it uses, so the order of layers is reversed.
set(pkgconfig_libraries ${layers})
list(REVERSE pkgconfig_libraries)
list(TRANSFORM pkgconfig_libraries PREPEND "-l")
list(JOIN pkgconfig_libraries " " pkgconfig_libraries)
foreach(layer IN LISTS layers)
  get_target_property(definitions ${layer} INTERFACE_COMPILE_DEFINITIONS)
  if(definitions)
    list(TRANSFORM definitions PREPEND "-D")
    list(APPEND pkgconfig_definitions ${definitions})
  endif()
endforeach()
list(JOIN pkgconfig_definitions " " pkgconfig_definitions)
# Relative, so that the installed tree can be moved.
file(RELATIVE_PATH pkgconfig_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pkgconfig_prefix "${pkgconfig_prefix}")
configure_file(cmake/fairlead.pc.in fairlead.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/fairlead.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
