// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "hw_model/regs/register_map.h"
#include "sim/cli/command_options.h"

namespace vnpu::sim {

namespace {

std::string_view accessName(hw::regs::Access access) {
    constexpr std::string_view kNames[] = {"read-only", "read-write", "write-only",
                                           "write-one-to-clear"};
    return kNames[static_cast<std::size_t>(access)];
}

nlohmann::ordered_json registersJson() {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const hw::regs::RegisterSpec* spec : hw::regs::registerMap()) {
        nlohmann::ordered_json fields = nlohmann::ordered_json::array();
        for (const hw::regs::FieldSpec& field : spec->fields) {
            fields.push_back({{"name", field.name},
                              {"lsb", field.lsb},
                              {"width", field.width},
                              {"meaning", field.meaning}});
        }
        list.push_back({{"name", spec->name},
                        {"offset", spec->offset},
                        {"access", accessName(spec->access)},
                        {"reset", spec->reset},
                        {"count", spec->count},
                        {"stride_bytes", spec->strideBytes},
                        {"controller_only", spec->offset >= hw::regs::kControllerOnlyBase},
                        {"meaning", spec->meaning},
                        {"fields", fields}});
    }
    return list;
}

ExitCode printRegisters(const bool& isJson) {
    std::string text;
    if (isJson) {
        text = registersJson().dump(2) + "\n";
    } else {
        hw::regs::printRegisterMap(text);
    }
    fmt::print("{}", text);
    return ExitCode::kDone;
}

}  // namespace

void addRegsCommand(CLI::App& app, Action& action) {
    const auto isJson = std::make_shared<bool>(false);
    CLI::App& command = addCommand(app, action, "regs", "Print the registers of the device", isJson,
                                   printRegisters);
    addJson(command, *isJson, "Print a JSON array");
}

}  // namespace vnpu::sim
