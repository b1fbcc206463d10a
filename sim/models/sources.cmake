# SPDX-License-Identifier: Apache-2.0
list(APPEND VNPU_SIM_SOURCES
    models/expose.cpp
    models/layer_builder.cpp
    models/layer_builder_recurrent.cpp
    models/mac_count.cpp
    models/model_builder.cpp
    models/operand_types.cpp
    models/source.cpp
    models/tflite_convolutions.cpp
    models/tflite_file.cpp
    models/tflite_importer.cpp
    models/tflite_names.cpp
    models/tflite_operator_context.cpp
    models/tflite_operators.cpp
    models/tflite_tensors.cpp
    models/zoo.cpp
    models/zoo_classic.cpp
    models/zoo_mobile.cpp
    models/zoo_recurrent.cpp
    models/zoo_residual.cpp)

# Readers and writers of .tflite files, generated from the schema.
set(VNPU_TFLITE_DIR "${CMAKE_CURRENT_BINARY_DIR}/generated")
add_custom_command(
    OUTPUT "${VNPU_TFLITE_DIR}/tflite_generated.h"
    COMMAND "${VNPU_FLATC}" --cpp --scoped-enums -o "${VNPU_TFLITE_DIR}"
            "${CMAKE_CURRENT_LIST_DIR}/tflite.fbs"
    DEPENDS "${CMAKE_CURRENT_LIST_DIR}/tflite.fbs"
    VERBATIM)
add_library(vnpu_tflite_schema INTERFACE)
target_include_directories(vnpu_tflite_schema SYSTEM INTERFACE "${VNPU_TFLITE_DIR}" "${VNPU_FLATBUFFERS_INCLUDE}")
# vnpu_sim is made after all parts have listed their sources.
cmake_language(DEFER CALL target_sources vnpu_sim PRIVATE "${VNPU_TFLITE_DIR}/tflite_generated.h")
cmake_language(DEFER CALL target_link_libraries vnpu_sim PUBLIC vnpu_tflite_schema)
