// SPDX-License-Identifier: Apache-2.0
#include "sim/results/store_options.h"

#include "sim/base/error.h"

namespace vnpu::sim {

void addStoreOptions(CLI::App& command, StoreOptions& options) {
    CLI::Option* file =
            command.add_option("--sqlite", options.file,
                               "Append the results to this SQLite database, which is made if it "
                               "does not exist")
                    ->type_name("FILE");
    command.add_option("--label", options.label,
                       "With --sqlite: a name of the run for later queries, such as a commit")
            ->type_name("TEXT")
            ->needs(file);
}

std::optional<ResultStore> openStore(const StoreOptions& options) {
    if (options.file.empty()) {
        return std::nullopt;
    }
    try {
        return std::optional<ResultStore>(std::in_place, options.file);
    } catch (const InputError& error) {
        throw InputError(std::string("--sqlite ") + error.what());
    }
}

}  // namespace vnpu::sim
