// SPDX-License-Identifier: Apache-2.0
// Writes the C header of the registers (vnpu/registers.h) to standard output. Run by the build.
#include <fmt/format.h>

#include <string>

#include "hw_model/regs/register_map.h"

namespace {

namespace regs = vnpu::hw::regs;

std::string_view accessText(regs::Access access) {
    constexpr std::string_view kTexts[] = {"read-only", "read-write", "write-only",
                                           "write one to clear"};
    return kTexts[static_cast<std::size_t>(access)];
}

void printRegister(const regs::RegisterSpec& spec) {
    fmt::print("\n/* {} ({}) */\n#define VNPU_REG_{} 0x{:04X}u\n", spec.meaning,
               accessText(spec.access), spec.name, spec.offset);
    if (spec.count > 1) {
        fmt::print("#define VNPU_REG_{}_COUNT {}u\n#define VNPU_REG_{}_STRIDE {}u\n", spec.name,
                   spec.count, spec.name, spec.strideBytes);
    }
    for (const regs::FieldSpec& field : spec.fields) {
        fmt::print("/* {} */\n#define VNPU_{}_{}_SHIFT {}\n#define VNPU_{}_{}_MASK 0x{:08X}u\n",
                   field.meaning, spec.name, field.name, field.lsb, spec.name, field.name,
                   field.mask());
    }
}

}  // namespace

int main() {
    fmt::print(
            "/* SPDX-License-Identifier: Apache-2.0 */\n"
            "/*\n"
            " * The registers of the virtual NPU: offsets in bytes, fields of a value. Element i "
            "of an\n"
            " * array is VNPU_REG_<NAME> + i * VNPU_REG_<NAME>_STRIDE. Generated from the "
            "register\n"
            " * map of this version; do not edit.\n"
            " */\n"
            "#ifndef VNPU_REGISTERS_H\n#define VNPU_REGISTERS_H\n\n"
            "/* Value of register ID. */\n#define VNPU_DEVICE_ID 0x{:08X}u\n"
            "#define VNPU_REGISTER_BYTES 0x{:X}u\n"
            "/* Registers from here on are the controller's own: a host has no access. */\n"
            "#define VNPU_CONTROLLER_REGISTERS 0x{:X}u\n"
            "/* Bus address of the resident memory (CONFIG_RESIDENT has its size). */\n"
            "#define VNPU_RESIDENT_BASE 0x{:X}u\n",
            regs::kDeviceId, regs::kWindowBytes, regs::kControllerOnlyBase, regs::kResidentBase);
    for (const regs::RegisterSpec* const spec : regs::registerMap()) {
        printRegister(*spec);
    }
    fmt::print("\n#endif\n");
    return 0;
}
