# SPDX-License-Identifier: Apache-2.0
# Writes to OUTPUT a header with one SHA-256 over all SOURCES.
set(digests "")
foreach(source ${SOURCES})
    file(SHA256 "${source}" digest)
    string(APPEND digests "${digest}\n")
endforeach()
string(SHA256 digest "${digests}")
file(WRITE "${OUTPUT}"
     "#pragma once\n"
     "namespace vnpu::driver {\n"
     "inline constexpr char kCompilerDigest[] = \"${digest}\";\n"
     "}\n")
