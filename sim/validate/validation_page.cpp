// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/validation_page.h"

#include "sim/report/html/html_page.h"
#include "sim/validate/validation_report.h"

namespace vnpu::sim {

namespace {

using PageJson = nlohmann::ordered_json;

/// Numbers of JSON are finite, so an infinite one is null.
PageJson boundJson(const Bound& bound) {
    return {{"figure", bound.figure}, {"measured", bound.measured}, {"expected", bound.expected},
            {"ratio", bound.ratio()}, {"low", bound.low},           {"high", bound.high},
            {"holds", bound.holds()}};
}

PageJson gapJson(const Gap& gap) {
    PageJson parts = PageJson::array();
    for (const Part& part : gap.parts) {
        PageJson bounds = PageJson::array();
        for (const Bound& bound : part.bounds) {
            bounds.push_back(boundJson(bound));
        }
        parts.push_back({{"name", part.name},
                         {"cycles", part.cycles},
                         {"holds", part.holds()},
                         {"bounds", bounds}});
    }
    return {{"model", gap.model},         {"reference", gap.reference}, {"parts", parts},
            {"rest", gap.rest()},         {"sums", gap.sums()},         {"holds", gap.holds()},
            {"tolerance", gap.tolerance}, {"text", gap.text()}};
}

PageJson checkJson(const Check& check) {
    return {{"kind", checkKindName(check.kind)},
            {"rung", check.rung},
            {"subject", check.subject},
            {"quantity", check.quantity},
            {"model", check.model},
            {"reference", check.reference},
            {"ratio", check.ratio()},
            {"tolerance", check.tolerance},
            {"limit", limitName(check.limit)},
            {"is_broken", check.isBroken},
            {"verdict", verdictName(check.verdict())},
            {"class", check.deviceClass},
            {"note", check.note},
            {"gap", check.gap ? gapJson(*check.gap) : PageJson(nullptr)}};
}

PageJson curveJson(const Curve& curve) {
    PageJson points = PageJson::array();
    for (const Curve::Point& point : curve.points) {
        points.push_back({point.x, point.model, point.closedForm});
    }
    return {{"title", curve.title},    {"x_label", curve.xLabel},
            {"y_label", curve.yLabel}, {"points", points},
            {"knee", curve.knee},      {"measured_knee", curve.measuredKnee}};
}

}  // namespace

PageJson validationPageData(const RungResult& result) {
    PageJson data;
    data["kind"] = "validate";
    data["summary"] = checksSummary(result.checks);
    data["bands"] = errorBands(result.checks);
    data["checks"] = PageJson::array();
    for (const Check& check : result.checks) {
        data["checks"].push_back(checkJson(check));
    }
    data["curves"] = PageJson::array();
    for (const Curve& curve : result.curves) {
        data["curves"].push_back(curveJson(curve));
    }
    data["notes"] = result.notes;
    return data;
}

std::string validationPage(const RungResult& result) {
    return htmlPage("vnpu validate", validationPageData(result));
}

}  // namespace vnpu::sim
