# SPDX-License-Identifier: Apache-2.0
# Run as a script: writes OUTPUT, the manual page of PROGRAM, from its own help.
execute_process(COMMAND "${PROGRAM}" --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)

# roff(OUT TEXT): TEXT as preformatted lines of a manual page.
function(roff out text)
    string(REPLACE "\\" "\\e" text "${text}")
    string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\\\\\&\\2" text "${text}")
    string(REPLACE "-" "\\-" text "${text}")
    string(REGEX REPLACE "\n+$" "" text "${text}")
    set(${out} ".nf\n${text}\n.fi\n" PARENT_SCOPE)
endfunction()

string(REGEX REPLACE ".*\nSubcommands:\n(.*)\n\n(.*)" "\\1" list "${help}")
string(REGEX REPLACE ".*\nSubcommands:\n(.*)\n\n(.*)" "\\2" footer "${help}")
roff(commands "${list}")
roff(environment "${footer}")
set(details "")
string(REGEX MATCHALL "(^|\n)  [a-z]+" names "${list}")
foreach(name IN LISTS names)
    string(STRIP "${name}" name)
    execute_process(COMMAND "${PROGRAM}" ${name} --help OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    roff(text "${text}")
    string(APPEND details ".SS ${name}\n${text}")
endforeach()

file(WRITE "${OUTPUT}" ".TH VNPU 1 \"\" \"vnpu ${VERSION}\" \"User Commands\"
.SH NAME
vnpu \\- virtual NPU with firmware and an NNAPI HAL driver
.SH SYNOPSIS
.B vnpu
.I command
.RI [ option ]...
.SH DESCRIPTION
.B vnpu
simulates a neural processing unit, its firmware and its driver. The device is also a C library (vnpu_device.h, pkg\\-config package
vnpu_device) and a SystemC module (CMake package vnpu).
.SH COMMANDS
${commands}.SH OPTIONS
${details}.SH ENVIRONMENT
${environment}.SH EXIT STATUS
0: done. 1: something failed, or was not as expected. 2: the input is wrong.
.SH SEE ALSO
/usr/share/doc/vnpu
")
