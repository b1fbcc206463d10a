# SPDX-License-Identifier: Apache-2.0
# Embeds the shipped files in the program, so that it runs in any folder.
function(vnpu_embed folder function output)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.toml)
    list(SORT files)
    list(JOIN files "|" joined)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} "-DFILES=${joined}" -DFUNCTION=${function} -DOUTPUT=${output}
                -P ${CMAKE_CURRENT_SOURCE_DIR}/config/embed_files.cmake
        DEPENDS ${files} ${CMAKE_CURRENT_SOURCE_DIR}/config/embed_files.cmake
        COMMENT "Embedding sim/${folder}"
        VERBATIM)
endfunction()

foreach(part configs:embeddedConfigs:vnpu_config scenarios:embeddedScenarios:vnpu_sim)
    string(REPLACE ":" ";" part ${part})
    list(GET part 0 folder)
    list(GET part 1 function)
    list(GET part 2 target)
    set(generated ${CMAKE_CURRENT_BINARY_DIR}/embedded_${folder}.cpp)
    vnpu_embed(${folder} ${function} ${generated})
    target_sources(${target} PRIVATE ${generated})
endforeach()
