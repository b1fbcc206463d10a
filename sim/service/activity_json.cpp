// SPDX-License-Identifier: Apache-2.0
#include "sim/service/activity_json.h"

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

#include "hw_model/blocks/base/fault_kind.h"
#include "hw_model/regs/engines.h"

namespace vnpu::sim {

using Json = nlohmann::ordered_json;

namespace {

Json timeJson(const std::optional<std::chrono::nanoseconds>& time) {
    return time ? Json(time->count()) : Json(nullptr);
}

const char* priorityName(std::uint32_t halPriority) {
    constexpr std::array kNames{"low", "medium", "high"};
    return halPriority < kNames.size() ? kNames[halPriority] : "unknown";
}

Json jobJson(const driver::JobActivity& job) {
    Json json{{"id", job.id},
              {"uid", job.uid},
              {"model", job.model ? Json(*job.model) : Json(nullptr)},
              {"priority", priorityName(job.halPriority)},
              {"arrival_ns", job.arrival.count()},
              {"submitted_ns", timeJson(job.submitted)},
              {"deadline_ns", timeJson(job.deadline)},
              {"estimate_ns", job.estimate.count()}};
    if (job.ended) {
        json["ended_ns"] = job.ended->count();
        json["status"] = android::hardware::neuralnetworks::V1_3::toString(job.status);
        json["on_device_ns"] = job.onDevice.count();
        json["preemptions"] = job.preemptions;
    }
    return json;
}

Json faultJson(const driver::FaultActivity& fault) {
    const driver::FaultReport& report = fault.report;
    return {{"at_ns", fault.at.count()},
            {"cause", driver::nameOf(report.cause)},
            {"remedy", driver::nameOf(report.remedy)},
            {"job", report.jobId == 0 ? Json(nullptr) : Json(report.jobId)},
            {"engine", report.engine < hw::kEngineCount
                               ? Json(hw::engineName(static_cast<hw::Engine>(report.engine)))
                               : Json(nullptr)},
            {"survivors", report.survivors},
            {"recovery_ns", report.recoveryTime.count()},
            {"what", report.what}};
}

}  // namespace

Json activityJson(const driver::DriverActivity& activity) {
    Json json;
    json["current"] = Json::array();
    for (const driver::JobActivity& job : activity.current) {
        json["current"].push_back(jobJson(job));
    }
    json["ended"] = Json::array();
    for (const driver::JobActivity& job : activity.ended) {
        json["ended"].push_back(jobJson(job));
    }
    json["faults"] = Json::array();
    for (const driver::FaultActivity& fault : activity.faults) {
        json["faults"].push_back(faultJson(fault));
    }
    json["fault_count"] = activity.faultCount;
    json["resets"] = activity.resets;
    json["is_given_up"] = activity.isGivenUp;
    return json;
}

Json injectedJson(const LiveDevice::Injected& injected, const EventStream& events) {
    Json json = Json::array();
    for (const hw::InjectedFault& fault : injected.latest) {
        json.push_back(
                {{"kind", hw::faultKindName(fault.kind)},
                 {"at_ns", events.timeOf(fault.cycle)},
                 {"engine", hw::isEngineFault(fault.kind) ? Json(hw::engineName(fault.engine))
                                                          : Json(nullptr)},
                 {"job", fault.jobId == 0 ? Json(nullptr) : Json(fault.jobId)}});
    }
    return json;
}

}  // namespace vnpu::sim
