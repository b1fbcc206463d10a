# SPDX-License-Identifier: Apache-2.0
# Readers and writers of .tflite files, generated from the schema.
set(VNPU_TFLITE_DIR "${CMAKE_CURRENT_BINARY_DIR}/generated")
add_custom_command(
    OUTPUT "${VNPU_TFLITE_DIR}/tflite_generated.h"
    COMMAND "${VNPU_FLATC}" --cpp --scoped-enums -o "${VNPU_TFLITE_DIR}"
            "${CMAKE_CURRENT_LIST_DIR}/tflite.fbs"
    DEPENDS "${CMAKE_CURRENT_LIST_DIR}/tflite.fbs"
    VERBATIM)
add_library(vnpu_tflite_schema INTERFACE)
target_include_directories(vnpu_tflite_schema SYSTEM INTERFACE "${VNPU_TFLITE_DIR}")
target_link_libraries(vnpu_tflite_schema INTERFACE vnpu_flatbuffers)
target_sources(vnpu_sim PRIVATE "${VNPU_TFLITE_DIR}/tflite_generated.h")
target_link_libraries(vnpu_sim PUBLIC vnpu_tflite_schema)
