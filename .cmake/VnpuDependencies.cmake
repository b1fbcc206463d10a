# SPDX-License-Identifier: Apache-2.0
# Third-party libraries, all from Debian 12 (.ci/packages.txt lists the packages).

find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(pugixml REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
set(FOUND_LIBATOMIC ON)  # what CapnProto's package file would find out by compiling C
find_package(CapnProto REQUIRED)
# Boost.Beast and Boost.Asio: headers only
find_path(VNPU_BOOST_INCLUDE boost/beast/http.hpp REQUIRED)
pkg_check_modules(eigen3 REQUIRED IMPORTED_TARGET eigen3)

find_program(VNPU_FLATC flatc REQUIRED)
find_path(VNPU_FLATBUFFERS_INCLUDE flatbuffers/flatbuffers.h REQUIRED)
find_library(VNPU_FLATBUFFERS_LIBRARY flatbuffers REQUIRED)
add_library(vnpu_flatbuffers INTERFACE)
target_include_directories(vnpu_flatbuffers SYSTEM INTERFACE "${VNPU_FLATBUFFERS_INCLUDE}")
target_link_libraries(vnpu_flatbuffers INTERFACE "${VNPU_FLATBUFFERS_LIBRARY}")

# tl::expected is header only and has no package file.
find_path(VNPU_EXPECTED_INCLUDE tl/expected.hpp REQUIRED)

# Debian's SystemC is a C++17 build: its headers choose an ABI tag by SC_CPLUSPLUS.
find_library(VNPU_SYSTEMC_LIBRARY systemc REQUIRED)
find_path(VNPU_SYSTEMC_INCLUDE systemc REQUIRED)
add_library(vnpu_systemc INTERFACE)
target_include_directories(vnpu_systemc SYSTEM INTERFACE "${VNPU_SYSTEMC_INCLUDE}")
target_compile_definitions(vnpu_systemc INTERFACE SC_CPLUSPLUS=201703L)
target_link_libraries(vnpu_systemc INTERFACE "${VNPU_SYSTEMC_LIBRARY}" Threads::Threads)

# FarmHash has no package file either.
find_library(VNPU_FARMHASH_LIBRARY farmhash REQUIRED)
find_path(VNPU_FARMHASH_INCLUDE farmhash.h REQUIRED)
add_library(vnpu_farmhash INTERFACE)
target_include_directories(vnpu_farmhash SYSTEM INTERFACE "${VNPU_FARMHASH_INCLUDE}")
target_link_libraries(vnpu_farmhash INTERFACE "${VNPU_FARMHASH_LIBRARY}")

# libutils, libcutils, libbase and liblog of the android-*-dev packages live in folders of their own.
find_path(VNPU_ANDROID_INCLUDE utils/RefBase.h PATH_SUFFIXES android REQUIRED)
add_library(vnpu_android INTERFACE)
target_include_directories(vnpu_android SYSTEM INTERFACE "${VNPU_ANDROID_INCLUDE}")
foreach(lib utils cutils base log)
    find_library(VNPU_ANDROID_${lib} ${lib} PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/android android
                 PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/android REQUIRED NO_DEFAULT_PATH)
    target_link_libraries(vnpu_android INTERFACE "${VNPU_ANDROID_${lib}}")
    get_filename_component(VNPU_ANDROID_LIBDIR "${VNPU_ANDROID_${lib}}" DIRECTORY)
endforeach()
target_link_options(vnpu_android INTERFACE "-Wl,-rpath,${VNPU_ANDROID_LIBDIR}")
