// SPDX-License-Identifier: Apache-2.0
// Wrong models on a few rows of the other rungs, of which at least one must fail, while all pass
// for the true model.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

/// The rows of that name.
RowList rowsOf(const RowName& name, const References& references) {
    RowList chosen;
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
    return chosen;
}

/// Rows and their checks for the true model, each made once.
class TrueModel {
  public:
    explicit TrueModel(const RungContext& context) : context_(context) {}

    struct Answer {
        RowList rows;
        std::vector<Check> checks;
    };
    const Answer& of(const RowName& name) {
        const auto [answer, isNew] = answers_.try_emplace({name.rung, name.subject});
        if (isNew) {
            answer->second.rows = rowsOf(name, context_.references);
            answer->second.checks = runRows(answer->second.rows, context_).checks;
        }
        return answer->second;
    }

  private:
    const RungContext& context_;
    std::map<std::pair<std::string_view, std::string_view>, Answer> answers_;
};

std::vector<Check> failuresOf(const std::vector<Check>& checks) {
    std::vector<Check> failures;
    std::copy_if(checks.begin(), checks.end(), std::back_inserter(failures),
                 [](const Check& check) { return check.verdict() == Verdict::kFail; });
    return failures;
}

/// Why a check fails.
std::string reasonOf(const Check& check) {
    const std::string explanation = check.explanation();
    return explanation.empty() ? fmt::format("{:.3g} of the reference", check.ratio())
                               : explanation;
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
                                       failures.front().quantity, reasonOf(failures.front()));
    return check;
}

}  // namespace

RungResult runMutants(const RungContext& context) {
    RungResult result;
    std::size_t done = 0;
    RungContext quiet = context;
    quiet.onProgress = [](std::size_t, std::size_t) {};
    quiet.references.mutant = nullptr;
    quiet.cases = nullptr;
    TrueModel trueModel(quiet);
    for (const Mutant& mutant : mutants()) {
        if (!context.selects(std::string(mutant.name))) {
            continue;
        }
        RungContext wrong = quiet;
        wrong.references.mutant = &mutant;
        const TrueModel::Answer& answer = trueModel.of(mutant.rows);
        const RungResult ofMutant =
                runRows(mutant.falsifiedNetwork.empty() ? answer.rows
                                                        : rowsOf(mutant.rows, wrong.references),
                        wrong);
        result.checks.push_back(mutantCheck(mutant, answer.checks, ofMutant.checks));
        context.onProgress(++done, mutants().size());
    }
    return result;
}

}  // namespace vnpu::sim
