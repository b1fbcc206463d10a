# SPDX-License-Identifier: Apache-2.0
# Run as a script: writes OUTPUT, a .cpp that defines FUNCTION() as the table of FILES (separated by '|').
string(REPLACE "|" ";" files "${FILES}")
set(entries "")
foreach(file ${files})
    get_filename_component(stem "${file}" NAME)
    string(REGEX REPLACE "\\.toml$" "" stem "${stem}")
    file(READ "${file}" text)
    string(FIND "${text}" ")embed\"" clash)
    if(NOT clash EQUAL -1)
        message(FATAL_ERROR "${file} holds the raw string's end mark")
    endif()
    string(APPEND entries "    {\"${stem}\", R\"embed(${text})embed\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// SPDX-License-Identifier: Apache-2.0
#include \"sim/config/embedded_files.h\"

namespace vnpu::sim {

std::span<const EmbeddedFile> ${FUNCTION}() {
    static constexpr EmbeddedFile kFiles[] = {
${entries}    };
    return kFiles;
}

}  // namespace vnpu::sim
")
