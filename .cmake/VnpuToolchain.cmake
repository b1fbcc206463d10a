# SPDX-License-Identifier: Apache-2.0
# Language level, warnings and sanitizers, on one interface target that every target of the project links.

option(VNPU_BUILD_TESTS "Build vnpu_tests and vnpu_bench" ON)
option(VNPU_WERROR "Treat warnings as errors" ON)
set(VNPU_SANITIZE "" CACHE STRING "Sanitizers, comma separated (address,undefined or thread)")
option(VNPU_COVERAGE "Instrument for gcov" OFF)
option(VNPU_FUZZ "Instrument for Clang's libFuzzer, and build vnpu_fuzz" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(VNPU_CCACHE ccache)
if(VNPU_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${VNPU_CCACHE}")
endif()

add_library(vnpu_flags INTERFACE)
target_compile_options(vnpu_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion)
# Code for shared libraries may still be inlined within its file, because its functions are never interposed.
target_compile_options(vnpu_flags INTERFACE -fno-semantic-interposition)
if(CMAKE_UNITY_BUILD)
    # A class of a .cpp file may have members of types without linkage: in a unity build GCC treats the file as a header.
    target_compile_options(vnpu_flags INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
    # Clang compares the local names of a file with the names of the unit's other files.
    target_compile_options(vnpu_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
endif()
# A unit of a unity build allocates more than GCC expects; collecting garbage less often saves a twentieth of the compile time.
target_compile_options(vnpu_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=500000>)
if(VNPU_WERROR)
    target_compile_options(vnpu_flags INTERFACE -Werror)
endif()
if(VNPU_SANITIZE)
    target_compile_options(vnpu_flags INTERFACE -fsanitize=${VNPU_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all)
    target_link_options(vnpu_flags INTERFACE -fsanitize=${VNPU_SANITIZE})
    # With instrumentation GCC reports initialized values as uninitialized, as its manual says.
    target_compile_options(vnpu_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
if(VNPU_SANITIZE MATCHES "thread")
    target_sources(vnpu_flags INTERFACE
        "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${CMAKE_CURRENT_LIST_DIR}/thread_sanitizer.cpp>")
endif()
if(VNPU_FUZZ)
    target_compile_options(vnpu_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(VNPU_COVERAGE)
    target_compile_options(vnpu_flags INTERFACE --coverage)
    target_link_options(vnpu_flags INTERFACE --coverage)
endif()

# vnpu_add_library(NAME SOURCES... [LINK targets...]): a static library with the alias vnpu::NAME (less the
# vnpu_ prefix), or an interface library if there are no sources. Includes start at the repository root.
function(vnpu_add_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
    if(ARG_SOURCES)
        add_library(${name} STATIC ${ARG_SOURCES})
        target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}")
        target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE vnpu_flags ${ARG_PRIVATE_LINK})
    else()
        add_library(${name} INTERFACE)
        target_include_directories(${name} INTERFACE "${PROJECT_SOURCE_DIR}")
        target_link_libraries(${name} INTERFACE ${ARG_LINK})
    endif()
    string(REGEX REPLACE "^vnpu_" "" alias ${name})
    add_library(vnpu::${alias} ALIAS ${name})
endfunction()

# vnpu_compile_quickly(TARGET): less optimization for code in which no simulation spends its time.
function(vnpu_compile_quickly target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
