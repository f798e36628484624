# All packages are those of Debian 12; docs/dependencies.md gives the reason for each.
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json url)
find_package(simdjson REQUIRED)
find_package(fmt REQUIRED)
find_package(OpenSSL 3 REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(CLI11 REQUIRED)
find_package(yaml-cpp REQUIRED)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
# Compiled as C++, so that its errors unwind the stack.
pkg_check_modules(lua REQUIRED IMPORTED_TARGET lua5.4-c++)
