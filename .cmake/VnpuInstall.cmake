# SPDX-License-Identifier: Apache-2.0
# `cmake --install` and `cpack -G DEB`: the program; the libraries that give HAL programs a device, and bursts under AOSP's names; the
# delegate for interpreters of TensorFlow Lite; NNAPI's C interface; the device for drivers in C and for SystemC; headers, a pkg-config
# file for each C or C++ library, the CMake package, examples, manual and completion for shells. sim/python installs the Python package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The path from the pkg-config files to the prefix, so that the installed tree can be moved.
file(RELATIVE_PATH VNPU_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
set(VNPU_INSTALL_HEADERS "${CMAKE_INSTALL_INCLUDEDIR}/vnpu")
set(VNPU_INSTALL_DOC "${CMAKE_INSTALL_DATADIR}/doc/vnpu")

function(vnpu_install_pc template name)
    configure_file(.cmake/${template} ${name} @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${name}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

install(TARGETS vnpu RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY hal/include/ DESTINATION "${VNPU_INSTALL_HEADERS}" FILES_MATCHING
        PATTERN "*.h" PATTERN "*.def")

foreach(library client passthrough)
    set_target_properties(vnpu_${library} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                                                     INSTALL_RPATH "${VNPU_ANDROID_LIBDIR}")
    install(TARGETS vnpu_${library} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    set(VNPU_PC_LIBRARY ${library})
    vnpu_install_pc(vnpu.pc.in vnpu-${library}.pc)
endforeach()
install(TARGETS vnpu_neuralnetworks_common ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
vnpu_install_pc(neuralnetworks_common.pc.in vnpu-neuralnetworks_common.pc)
# Loaded by interpreters under its plain name.
set_target_properties(vnpu_tflite_delegate PROPERTIES INSTALL_RPATH "$ORIGIN;${VNPU_ANDROID_LIBDIR}")
install(TARGETS vnpu_tflite_delegate LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
# NNAPI's C interface. Programs load it by its plain name, which must also be its soname, so that it can be loaded before them.
set_target_properties(vnpu_neuralnetworks PROPERTIES INSTALL_RPATH "$ORIGIN;${VNPU_ANDROID_LIBDIR}")
target_include_directories(vnpu_neuralnetworks INTERFACE $<INSTALL_INTERFACE:${VNPU_INSTALL_HEADERS}>)
install(TARGETS vnpu_neuralnetworks LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY sim/ndk/include/ DESTINATION "${VNPU_INSTALL_HEADERS}" FILES_MATCHING PATTERN "*.h")
vnpu_install_pc(neuralnetworks.pc.in vnpu-neuralnetworks.pc)
set_target_properties(vnpu PROPERTIES INSTALL_RPATH "${VNPU_ANDROID_LIBDIR}")

# The device: vnpu::device_c with the version of vnpu_device.h, and vnpu::device with that of the project (its interface is C++).
set_target_properties(vnpu_device PROPERTIES VERSION 1.0 SOVERSION 1 EXPORT_NAME device_c)
set_target_properties(vnpu_device_module PROPERTIES VERSION ${PROJECT_VERSION} EXPORT_NAME device
                                                    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(vnpu_sc_main PROPERTIES EXPORT_NAME sc_main)
foreach(target vnpu_device vnpu_device_module)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
    target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
install(TARGETS vnpu_device vnpu_device_module vnpu_sc_main EXPORT vnpuTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(FILES sim/device/vnpu_device.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${PROJECT_BINARY_DIR}/sim/device/include/vnpu/registers.h" DESTINATION "${VNPU_INSTALL_HEADERS}")
install(DIRECTORY driver/minimal/include/vnpu/ DESTINATION "${VNPU_INSTALL_HEADERS}" FILES_MATCHING PATTERN "*.h")
install(FILES sim/device/systemc/device.h DESTINATION "${VNPU_INSTALL_HEADERS}/systemc")
vnpu_install_pc(vnpu_device.pc.in vnpu_device.pc)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/vnpu")
install(EXPORT vnpuTargets NAMESPACE vnpu:: DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/vnpuConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES .cmake/vnpuConfig.cmake "${PROJECT_BINARY_DIR}/vnpuConfigVersion.cmake" DESTINATION "${package}")

# Documents.
find_program(VNPU_GZIP gzip REQUIRED)
# A page for the program and one for each command, made from its options.
set(VNPU_MANUAL "${PROJECT_BINARY_DIR}/manual")
add_custom_command(
    OUTPUT "${VNPU_MANUAL}/vnpu.1.gz"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${VNPU_MANUAL}"
    COMMAND vnpu manual "${VNPU_MANUAL}"
    COMMAND "${VNPU_GZIP}" -9nr "${VNPU_MANUAL}"
    DEPENDS vnpu
    VERBATIM)
add_custom_target(vnpu_manual ALL DEPENDS "${VNPU_MANUAL}/vnpu.1.gz")
install(DIRECTORY "${VNPU_MANUAL}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" FILES_MATCHING PATTERN "*.1.gz")
# Completion for shells, where each looks for it.
function(vnpu_install_completion shell file folder)
    add_custom_command(
        OUTPUT "${PROJECT_BINARY_DIR}/completion/${file}"
        COMMAND vnpu completion ${shell} > "${PROJECT_BINARY_DIR}/completion/${file}"
        DEPENDS vnpu
        VERBATIM)
    add_custom_target(vnpu_completion_${shell} ALL DEPENDS "${PROJECT_BINARY_DIR}/completion/${file}")
    install(FILES "${PROJECT_BINARY_DIR}/completion/${file}" DESTINATION "${CMAKE_INSTALL_DATADIR}/${folder}")
endfunction()
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/completion")
vnpu_install_completion(bash vnpu bash-completion/completions)
vnpu_install_completion(zsh _vnpu zsh/vendor-completions)
vnpu_install_completion(fish vnpu.fish fish/vendor_completions.d)
install(FILES README.md DESTINATION "${VNPU_INSTALL_DOC}")
install(FILES LICENSE DESTINATION "${VNPU_INSTALL_DOC}" RENAME copyright)
install(DIRECTORY sim/device/examples/ DESTINATION "${VNPU_INSTALL_DOC}/examples")
install(DIRECTORY sim/ndk/examples/ DESTINATION "${VNPU_INSTALL_DOC}/examples/nnapi")
# The sources of the kernel module, where DKMS looks for them.
install(DIRECTORY driver/linux/ DESTINATION "src/vnpu-${PROJECT_VERSION}" OPTIONAL FILES_MATCHING PATTERN "*.c" PATTERN "*.h"
        PATTERN "Makefile" PATTERN "README.md" PATTERN "LICENSE" PATTERN "dkms.conf" PATTERN "*.mod.c" EXCLUDE)
install(DIRECTORY driver/minimal DESTINATION "${VNPU_INSTALL_DOC}/examples" PATTERN include EXCLUDE PATTERN CMakeLists.txt EXCLUDE)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "vnpu maintainers <maintainers@vnpu.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/sim/device" "${VNPU_ANDROID_LIBDIR}")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libsystemc-dev, pkg-config, python3-numpy, python3-pandas, qemu-system-x86")
include(CPack)
