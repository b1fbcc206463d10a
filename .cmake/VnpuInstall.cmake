# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: the program, the two libraries that give HAL programs a device, bursts under AOSP's names, the HAL's headers,
# and a pkg-config file for each library.
include(GNUInstallDirs)

# The path from the pkg-config files to the prefix, so that the installed tree can be moved.
file(RELATIVE_PATH VNPU_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
set(VNPU_INSTALL_HEADERS "${CMAKE_INSTALL_INCLUDEDIR}/vnpu")

install(TARGETS vnpu RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY hal/include/ DESTINATION "${VNPU_INSTALL_HEADERS}" FILES_MATCHING
        PATTERN "*.h" PATTERN "*.def")

foreach(library client passthrough)
    set_target_properties(vnpu_${library} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                                                     INSTALL_RPATH "${VNPU_ANDROID_LIBDIR}")
    install(TARGETS vnpu_${library} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    set(VNPU_PC_LIBRARY ${library})
    configure_file(.cmake/vnpu.pc.in vnpu-${library}.pc @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/vnpu-${library}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
install(TARGETS vnpu_neuralnetworks_common ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
configure_file(.cmake/neuralnetworks_common.pc.in vnpu-neuralnetworks_common.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/vnpu-neuralnetworks_common.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
set_target_properties(vnpu PROPERTIES INSTALL_RPATH "${VNPU_ANDROID_LIBDIR}")
