// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/rung.h"

#include <iterator>
#include <map>
#include <utility>

namespace vnpu::sim {

namespace {

/// The distinct probes of all rows, by device and preparation in order of their first use.
class ProbeSet {
  public:
    struct Place {
        std::size_t request = 0, model = 0;
    };

    explicit ProbeSet(const Mutant* mutant) : mutant_(mutant) {}

    Place add(const Probe& probe) {
        MeasureRequest request{probe.config,
                               {},
                               std::string(mutant_ != nullptr ? mutant_->name : ""),
                               probe.hasCheckpoints};
        const auto [number, isNewRequest] =
                requestOf_.try_emplace(toJson(request), requests_.size());
        if (isNewRequest) {
            requests_.push_back(request);
        }
        request.models.push_back(probe.model);
        MeasureRequest& to = requests_[number->second];
        const auto [place, isNew] =
                places_.try_emplace(toJson(request), Place{number->second, to.models.size()});
        if (isNew) {
            to.models.push_back(probe.model);
        }
        return place->second;
    }
    const std::vector<MeasureRequest>& requests() const { return requests_; }

  private:
    const Mutant* mutant_;
    std::vector<MeasureRequest> requests_;
    std::map<std::string, std::size_t> requestOf_;  // by a request without models
    std::map<std::string, Place> places_;
};

}  // namespace

void RungResult::append(RungResult other) {
    const auto move = [](auto& from, auto& to) {
        to.insert(to.end(), std::make_move_iterator(from.begin()),
                  std::make_move_iterator(from.end()));
    };
    move(other.checks, checks);
    move(other.curves, curves);
    move(other.notes, notes);
}

double References::figure(std::string_view network, double published) const {
    return mutant != nullptr && mutant->falsifiedNetwork == network
                   ? published * mutant->referenceFactor
                   : published;
}

RungResult runRows(const RowList& list, const RungContext& context) {
    ProbeSet probes(context.references.mutant);
    std::vector<const Row*> rows;
    std::vector<std::vector<ProbeSet::Place>> places;
    for (const Row& row : list.rows) {
        if (!context.selects(row.subject)) {
            continue;
        }
        rows.push_back(&row);
        places.emplace_back();
        for (const Probe& probe : row.probes) {
            places.back().push_back(probes.add(probe));
        }
    }
    const auto results = measureAll(probes.requests(), context.pool, context.onProgress);
    RungResult result;
    result.notes = list.notes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<Measurement> runs;
        for (const ProbeSet::Place& place : places[i]) {
            runs.push_back(results[place.request][place.model]);
        }
        rows[i]->evaluate(runs, result);
    }
    return result;
}

Row rowOf(const Check& check) {
    return {check.subject, {}, [check](const std::vector<Measurement>&, RungResult& result) {
                result.checks.push_back(check);
            }};
}

RungResult runRung(const Rung& rung, const RungContext& context) {
    return rung.rows == nullptr ? runMutants(context)
                                : runRows(rung.rows(context.references), context);
}

}  // namespace vnpu::sim
