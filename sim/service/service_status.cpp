// SPDX-License-Identifier: Apache-2.0
#include "sim/service/service_status.h"

#include <android-base/file.h>
#include <android-base/unique_fd.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "sim/base/json_text.h"

namespace vnpu::sim {

namespace fs = std::filesystem;
using android::base::unique_fd;
using android::hardware::hidl_handle;
using android::hardware::Status;
using Json = nlohmann::ordered_json;

namespace {

struct CounterField {
    const char* name;
    std::uint64_t driver::DriverCounters::*value;
};
constexpr CounterField kCounterFields[] = {
        {"host_copied_bytes", &driver::DriverCounters::hostCopiedBytes},
        {"pool_mappings", &driver::DriverCounters::livePoolMappings},
        {"contexts", &driver::DriverCounters::liveContexts},
        {"rings", &driver::DriverCounters::liveRings},
        {"prepared_models", &driver::DriverCounters::livePreparedModels},
        {"power_holds", &driver::DriverCounters::livePowerHolds},
        {"device_bytes", &driver::DriverCounters::dmaBytes},
        {"on_chip_bytes", &driver::DriverCounters::onChipBytes},
        {"on_chip_constant_bytes", &driver::DriverCounters::onChipConstantBytes},
        {"jobs_submitted", &driver::DriverCounters::jobsSubmitted},
        {"jobs_completed", &driver::DriverCounters::jobsCompleted},
        {"preemptions", &driver::DriverCounters::preemptions},
        {"restarts", &driver::DriverCounters::restarts},
        {"deadlines_refused_transient", &driver::DriverCounters::deadlinesRefusedTransient},
        {"deadlines_refused_persistent", &driver::DriverCounters::deadlinesRefusedPersistent},
        {"deadlines_aborted", &driver::DriverCounters::deadlinesAborted},
        {"deadlines_met", &driver::DriverCounters::deadlinesMet},
        {"deadlines_late", &driver::DriverCounters::deadlinesLate}};

struct UsageField {
    const char* name;
    std::size_t hal::RpcServer::Usage::*value;
};
constexpr UsageField kUsageFields[] = {{"connections", &hal::RpcServer::Usage::connections},
                                       {"calls", &hal::RpcServer::Usage::calls},
                                       {"objects", &hal::RpcServer::Usage::objects},
                                       {"callbacks", &hal::RpcServer::Usage::references}};

std::uint64_t entriesOf(const char* folder) {
    return static_cast<std::uint64_t>(
            std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::string engineKey(std::size_t index) {
    return std::string(hw::engineName(static_cast<hw::Engine>(index)));
}

}  // namespace

std::string statusJson(const ServiceStatus& status) {
    Json json;
    json["devices"] = Json::array();
    for (const DeviceStatus& device : status.devices) {
        Json entry{{"name", device.name},
                   {"pace", device.pace},
                   {"scheduling", device.inForce.scheduling},
                   {"memory_settings", device.inForce.memory},
                   {"power_settings", device.inForce.power},
                   {"faults", device.inForce.faults},
                   {"injected_faults", device.injectedFaults},
                   {"simulation_ns", device.simulationNs},
                   {"device_ns", device.deviceNs},
                   {"power", device.load.power},
                   {"job", device.load.job},
                   {"activity", device.activity},
                   {"injected", device.injected}};
        for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
            entry["busy_ns"][engineKey(i)] = device.load.busy.at(i).count();
        }
        for (const CounterField& field : kCounterFields) {
            entry["driver"][field.name] = device.driver.*field.value;
        }
        entry["users"] = Json::array();
        for (const auto& [uid, time] : device.userTimes) {
            entry["users"].push_back({{"uid", uid}, {"device_ns", time.count()}});
        }
        json["devices"].push_back(std::move(entry));
    }
    json["descriptors"] = status.descriptors;
    json["threads"] = status.threads;
    json["resident_bytes"] = status.residentBytes;
    json["users"] = Json::array();
    for (const hal::RpcServer::Usage& usage : status.users) {
        Json user{{"uid", usage.uid}};
        for (const UsageField& field : kUsageFields) {
            user[field.name] = usage.*field.value;
        }
        user["processes"] = usage.processes;
        json["users"].push_back(std::move(user));
    }
    return jsonText(json);
}

namespace {

ServiceStatus fromJson(const std::string& text) {
    ServiceStatus status;
    const Json json = Json::parse(text);
    for (const Json& entry : json.at("devices")) {
        DeviceStatus& device = status.devices.emplace_back();
        entry.at("name").get_to(device.name);
        entry.at("pace").get_to(device.pace);
        entry.at("scheduling").get_to(device.inForce.scheduling);
        entry.at("memory_settings").get_to(device.inForce.memory);
        entry.at("power_settings").get_to(device.inForce.power);
        entry.at("faults").get_to(device.inForce.faults);
        entry.at("injected_faults").get_to(device.injectedFaults);
        entry.at("simulation_ns").get_to(device.simulationNs);
        entry.at("device_ns").get_to(device.deviceNs);
        entry.at("power").get_to(device.load.power);
        entry.at("job").get_to(device.load.job);
        device.activity = entry.at("activity");
        device.injected = entry.at("injected");
        for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
            const auto busy = entry.at("busy_ns").at(engineKey(i)).get<std::int64_t>();
            device.load.busy.at(i) = std::chrono::nanoseconds(busy);
        }
        for (const CounterField& field : kCounterFields) {
            entry.at("driver").at(field.name).get_to(device.driver.*field.value);
        }
        for (const Json& user : entry.at("users")) {
            device.userTimes[user.at("uid").get<std::uint32_t>()] =
                    std::chrono::nanoseconds(user.at("device_ns").get<std::int64_t>());
        }
    }
    json.at("descriptors").get_to(status.descriptors);
    json.at("threads").get_to(status.threads);
    json.at("resident_bytes").get_to(status.residentBytes);
    for (const Json& user : json.at("users")) {
        hal::RpcServer::Usage& usage = status.users.emplace_back();
        user.at("uid").get_to(usage.uid);
        for (const UsageField& field : kUsageFields) {
            user.at(field.name).get_to(usage.*field.value);
        }
        user.at("processes").get_to(usage.processes);
    }
    return status;
}

}  // namespace

ServiceStatus statusOfProcess() {
    ServiceStatus status;
    status.descriptors = entriesOf("/proc/self/fd") - 1;  // without the folder itself
    status.threads = entriesOf("/proc/self/task");
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> pages;  // the second number
    status.residentBytes = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return status;
}

android::hardware::Return<void> StatusReporter::debug(
        const hidl_handle& handle,
        const android::hardware::hidl_vec<android::hardware::hidl_string>& /*options*/) {
    struct stat file {};
    if (handle.getNativeHandle() == nullptr || handle->numFds < 1 ||
        fstat(handle->data[0], &file) != 0 || !S_ISREG(file.st_mode)) {
        return Status::fromExceptionCode(Status::EX_ILLEGAL_ARGUMENT, "expected a plain file");
    }
    if (!android::base::WriteStringToFd(statusJson(ask_()), handle->data[0])) {
        return Status::fromExceptionCode(Status::EX_ILLEGAL_STATE, "the file cannot be written");
    }
    return android::hardware::Void();
}

ServiceStatus readStatus(hal::RpcClient& client) {
    const auto reporter = client.find(android::hidl::base::V1_0::IBase::descriptor, kStatusService);
    if (!reporter || *reporter == nullptr) {
        throw std::runtime_error(reporter ? "the service reports no status" : reporter.error());
    }
    const unique_fd file(memfd_create("vnpu status", MFD_CLOEXEC));
    hidl_handle handle;
    native_handle_t* const raw = native_handle_create(1, 0);
    raw->data[0] = dup(file.get());
    handle.setTo(raw, true);
    if (const auto told = (*reporter)->debug(handle, {}); !told.isOk()) {
        throw std::runtime_error("the service's status: " + told.description());
    }
    std::string text;
    if (lseek(file.get(), 0, SEEK_SET) != 0 || !android::base::ReadFdToString(file, &text)) {
        throw std::runtime_error("the service's status cannot be read");
    }
    try {
        return fromJson(text);
    } catch (const Json::exception& error) {
        throw std::runtime_error(fmt::format("the service's status: {}", error.what()));
    }
}

}  // namespace vnpu::sim
