// SPDX-License-Identifier: Apache-2.0
// Wrong models on a few rows of the other rungs, of which at least one must fail, while all pass
// for the true model.
#include <fmt/format.h>

#include <algorithm>

#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

/// The chosen rows of a mutant, in the order of its list.
RowList rowsOf(const Mutant& mutant, const References& references) {
    RowList chosen;
    for (const RowName& name : mutant.rows) {
        for (const Rung& rung : rungs()) {
            if (rung.rows == nullptr || rung.name != name.rung) {
                continue;
            }
            for (Row& row : rung.rows(references).rows) {
                if (row.subject.starts_with(name.subject)) {
                    chosen.rows.push_back(std::move(row));
                }
            }
        }
    }
    return chosen;
}

std::vector<Check> failuresOf(const std::vector<Check>& checks) {
    std::vector<Check> failures;
    std::copy_if(checks.begin(), checks.end(), std::back_inserter(failures),
                 [](const Check& check) { return check.verdict() == Verdict::kFail; });
    return failures;
}

/// A mutant counts as caught if the chosen rows pass for the true model and one fails for it.
Check mutantCheck(const Mutant& mutant, const std::vector<Check>& ofTrueModel,
                  const std::vector<Check>& ofMutant) {
    Check check{.kind = CheckKind::kInternal,
                .rung = "mutants",
                .subject = fmt::format("{}: {}", mutant.name, mutant.description),
                .quantity = "caught",
                .reference = 1.0};
    if (ofTrueModel.empty()) {
        return check.broken("no row of that name");
    }
    if (const auto failures = failuresOf(ofTrueModel); !failures.empty()) {
        return check.broken(fmt::format("the true model fails: {}, {}", failures.front().subject,
                                        failures.front().quantity));
    }
    const auto failures = failuresOf(ofMutant);
    check.model = failures.empty() ? 0.0 : 1.0;
    check.note = failures.empty()
                         ? fmt::format("{} rows pass, expected one that fails", ofMutant.size())
                         : fmt::format("{} of {} checks fail; {}, {}: {}", failures.size(),
                                       ofMutant.size(), failures.front().subject,
                                       failures.front().quantity, failures.front().explanation());
    return check;
}

}  // namespace

RungResult runMutants(const RungContext& context) {
    RungResult result;
    std::size_t done = 0;
    RungContext quiet = context;
    quiet.onProgress = [](std::size_t, std::size_t) {};
    for (const Mutant& mutant : mutants()) {
        quiet.references.mutant = nullptr;
        const RungResult ofTrueModel = runRows(rowsOf(mutant, quiet.references), quiet);
        quiet.references.mutant = &mutant;
        const RungResult ofMutant = runRows(rowsOf(mutant, quiet.references), quiet);
        result.checks.push_back(mutantCheck(mutant, ofTrueModel.checks, ofMutant.checks));
        context.onProgress(++done, mutants().size());
    }
    return result;
}

}  // namespace vnpu::sim
