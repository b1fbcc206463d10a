# SPDX-License-Identifier: Apache-2.0
# Embeds the shipped files in the program, so that it runs in any folder.
function(vnpu_embed folder function output)
    list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/ OUTPUT_VARIABLE patterns)
    file(GLOB files CONFIGURE_DEPENDS ${patterns})
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
    vnpu_embed(${folder} ${function} ${generated} *.toml)
    target_sources(${target} PRIVATE ${generated})
endforeach()

# The parts of the pages of results; report/html/html_page.cpp puts them together.
set(generated ${CMAKE_CURRENT_BINARY_DIR}/embedded_page.cpp)
vnpu_embed(report/page embeddedPageFiles ${generated} *.html *.css *.js)
target_sources(vnpu_sim PRIVATE ${generated})
