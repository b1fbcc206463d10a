// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/register_map.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "hw_model/regs/command_stream.h"

namespace vnpu::hw::regs {

TEST_SUITE_BEGIN("hw_model/regs/register_map");

TEST_CASE("registers are in ascending order, aligned, inside the window [E-1]") {
    std::uint32_t last = 0;
    bool isFirst = true;
    for (const RegisterSpec* spec : registerMap()) {
        CHECK_MESSAGE((isFirst || spec->offset > last), std::string(spec->name));
        CHECK(spec->offset % 4 == 0);
        CHECK(spec->strideBytes % 4 == 0);
        CHECK(spec->count >= 1);
        CHECK(spec->at(spec->count - 1) + 4 <= kWindowBytes);
        last = spec->offset;
        isFirst = false;
    }
}

TEST_CASE("no two registers share a word [E-1]") {
    std::map<std::uint32_t, std::string> owners;
    for (const RegisterSpec* spec : registerMap()) {
        for (std::uint32_t i = 0; i < spec->count; ++i) {
            const auto owner = owners.emplace(spec->at(i), spec->name);
            CHECK_MESSAGE(owner.second, std::string(spec->name), " and ", owner.first->second);
        }
    }
}

TEST_CASE("names are unique") {
    std::set<std::string_view> names;
    for (const RegisterSpec* spec : registerMap()) {
        CHECK_MESSAGE(names.insert(spec->name).second, std::string(spec->name));
    }
}

TEST_CASE("host registers lie below the border, controller registers above it") {
    for (const RegisterSpec* spec : registerMap()) {
        const bool startsBelow = spec->offset < kControllerOnlyBase;
        const bool endsBelow = spec->at(spec->count - 1) < kControllerOnlyBase;
        CHECK(startsBelow == endsBelow);
    }
}

TEST_CASE("fields lie within 32 bits and do not overlap") {
    for (const RegisterSpec* spec : registerMap()) {
        std::uint32_t seen = 0;
        for (const FieldSpec& field : spec->fields) {
            CHECK(field.width >= 1);
            CHECK(field.lsb + field.width <= 32);
            CHECK_MESSAGE((seen & field.mask()) == 0, std::string(spec->name), ".",
                          std::string(field.name));
            seen |= field.mask();
            CHECK_FALSE(field.meaning.empty());
        }
        CHECK_FALSE(spec->meaning.empty());
    }
}

TEST_CASE("a field is extracted from and inserted into its word") {
    CHECK(ConfigMac::kColumns.get(0x02123456) == 0x123);
    CHECK(ConfigMac::kColumns.put(0x123) == 0x00123000);
    CHECK(ConfigMac::kColumns.put(0xFFFF) == 0x00FFF000);
    CHECK(FieldSpec{"WHOLE", 0, 32, ""}.mask() == 0xFFFFFFFF);
}

TEST_CASE("every register is found at its own offset [E-1]") {
    for (const RegisterSpec* spec : registerMap()) {
        for (std::uint32_t i = 0; i < spec->count; ++i) {
            const RegisterHit hit = findRegister(spec->at(i));
            CHECK(hit.spec == spec);
            CHECK(hit.index == i);
        }
    }
}

TEST_CASE("interleaved low and high words are distinguished") {
    CHECK(findRegister(0x0400).spec->name == "PERF_COUNTER");
    CHECK(findRegister(0x0404).spec->name == "PERF_COUNTER_HI");
    CHECK(findRegister(0x8108).spec->name == "CONTEXT_ROOT_LO");
    CHECK(findRegister(0x8108).index == 1);
    CHECK(findRegister(0x82FC).spec->name == "CONTEXT_ROOT_HI");
    CHECK(findRegister(0x82FC).index == 63);
}

TEST_CASE("no register is found at a gap, a misaligned offset or beyond the window") {
    CHECK(findRegister(0x005C).spec == nullptr);
    CHECK(findRegister(0x0002).spec == nullptr);
    CHECK(findRegister(0x0141).spec == nullptr);
    CHECK(findRegister(kWindowBytes).spec == nullptr);
    CHECK(findRegister(0xFFFFFFFC).spec == nullptr);
}

TEST_CASE("the configuration registers lie before CONTROL, later additions elsewhere [E-1]") {
    for (const RegisterSpec* spec : registerMap()) {
        const bool isNamed = spec->name.substr(0, 7) == "CONFIG_";
        CHECK((!isNamed || isConfiguration(spec->offset)));
        if (isConfiguration(spec->offset)) {
            CHECK(spec->access == Access::kReadOnly);
        }
    }
    CHECK(isConfiguration(0x0140));
    CHECK_FALSE(isConfiguration(0x0040));
    CHECK(isConfiguration(0x014C));
    CHECK_FALSE(isConfiguration(0x013C));
    CHECK(isConfiguration(0x0150));
    CHECK(isConfiguration(0x0174));
    CHECK_FALSE(isConfiguration(0x0178));
    CHECK(kResidentBase % (1U << 20) == 0);
    CHECK((kResidentBase >> 20) <= ConfigResident::kBaseMib.get(~0U));
}

TEST_CASE("the identity registers read as the contract specifies") {
    CHECK(Id::kSpec.reset == 0x55504E56);
    CHECK(Id::kSpec.offset == 0);
    CHECK(CommandStreamVersion::kSpec.reset == kCommandStreamVersion);
    CHECK(Control::kSpec.reset == 1);
    CHECK(ArchVersion::kSpec.reset == 0x00010009);
}

TEST_CASE("the printed map has a row for every register and field") {
    std::string text;
    printRegisterMap(text);
    std::size_t rows = 2;  // head and rule
    for (const RegisterSpec* spec : registerMap()) {
        rows += 1 + spec->fields.size();
    }
    CHECK(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) == rows);
    CHECK(text.find("| 0x0000 | ID | | RO | 0x55504E56 | Identifies the device |\n") !=
          std::string::npos);
    CHECK(text.find("| 0x0400 + 8n | PERF_COUNTER[0..44] |") != std::string::npos);
    CHECK(text.find("| | MAJOR | 31:16 | | 0x1 | Incompatible changes |\n") != std::string::npos);
}

TEST_SUITE_END();

}  // namespace vnpu::hw::regs
