// SPDX-License-Identifier: Apache-2.0
// vnpu._native: the C interface of the device library for Python. vnpu/_device.py completes it.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "hw_model/regs/register_map.h"
#include "sim/device/vnpu_device.h"

namespace py = pybind11;

namespace {

/// Simulated time between two looks for the signal of Ctrl-C. chosen: 20 us, which take
/// milliseconds to simulate
constexpr std::uint64_t kSlicePs = 20'000'000;

struct DeviceError : std::runtime_error {
    explicit DeviceError(vnpu_status code) : std::runtime_error(vnpu_last_error()), status(code) {}
    vnpu_status status;
};

void must(vnpu_status status) {
    if (status != VNPU_OK) {
        throw DeviceError(status);
    }
}

/// The host's side of all devices: used with the library's thread only.
std::exception_ptr callbackError;  // the first one since the advance began
std::uint64_t risenLines = 0;

/// What a device calls. Outlives a device that cannot be destroyed.
struct Host {
    py::object memory;  // a NumPy array, which `bytes` points into
    unsigned char* bytes = nullptr;
    std::uint64_t size = 0;
    std::uint64_t address = 0;
    py::object onInterrupt, onLog;  // callables or None
    std::uint64_t interrupts = 0;

    /// The host's bytes at a bus address; null unless all of them are memory.
    unsigned char* find(std::uint64_t at, std::uint64_t count) const {
        const std::uint64_t offset = at - address;
        return at >= address && offset < size && count <= size - offset ? bytes + offset : nullptr;
    }
};

Host& hostOf(void* user) {
    return *static_cast<Host*>(user);
}

/// Calls a callable of the user from within the library, which exceptions must not pass through.
template <typename Argument>
void callUser(const py::object& callable, const Argument& argument) {
    const py::gil_scoped_acquire gil;
    try {
        if (!callable.is_none()) {
            callable(argument);
        }
    } catch (...) {
        callbackError = callbackError ? callbackError : std::current_exception();
    }
}

int dmaRead(void* user, std::uint64_t address, void* data, std::uint64_t size) {
    const unsigned char* const from = hostOf(user).find(address, size);
    if (from != nullptr) {
        std::memcpy(data, from, size);
    }
    return from == nullptr ? 1 : 0;
}

int dmaWrite(void* user, std::uint64_t address, const void* data, std::uint64_t size) {
    unsigned char* const to = hostOf(user).find(address, size);
    if (to != nullptr) {
        std::memcpy(to, data, size);
    }
    return to == nullptr ? 1 : 0;
}

void* dmaMap(void* user, std::uint64_t address, std::uint64_t* size) {
    const Host& host = hostOf(user);
    unsigned char* const at = host.find(address, 1);
    *size = at == nullptr ? 0 : host.size - (address - host.address);
    return at;
}

void onIrq(void* user, int level) {
    Host& host = hostOf(user);
    if (level != 0) {
        ++host.interrupts;
        ++risenLines;
    }
    callUser(host.onInterrupt, level != 0);
}

void onLine(void* user, const char* line) {
    callUser(hostOf(user).onLog, line);
}

void rethrowCallbackError() {
    if (callbackError) {
        std::rethrow_exception(std::exchange(callbackError, nullptr));
    }
}

/// Lets simulated time pass in slices, between which Ctrl-C ends it. Returns whether a line rose,
/// if that is to end it.
bool advanceBy(std::uint64_t picoseconds, bool endsAtInterrupt) {
    const std::uint64_t lines = risenLines;
    do {
        const std::uint64_t quiet = vnpu_next_event();
        const std::uint64_t slice = std::min(picoseconds, std::max(kSlicePs, quiet));
        vnpu_status status = VNPU_OK;
        {
            const py::gil_scoped_release free;
            status = endsAtInterrupt ? vnpu_advance_to_interrupt(slice) : vnpu_advance(slice);
        }
        must(status);
        rethrowCallbackError();
        if (PyErr_CheckSignals() != 0) {
            throw py::error_already_set();
        }
        picoseconds -= slice;
    } while (picoseconds != 0 && !(endsAtInterrupt && risenLines != lines));
    return risenLines != lines;
}

/// A device with memory of its own at the host's side of the bus.
class Device {
  public:
    Device(const std::string& config, std::uint64_t memoryBytes, std::uint64_t memoryAddress,
           bool timingOnly, bool lint, const std::optional<std::string>& settings,
           const std::optional<std::string>& record, py::object onInterrupt, py::object onLog)
        : host_(std::make_unique<Host>()) {
        if (memoryBytes == 0 || memoryAddress + memoryBytes < memoryAddress) {
            throw py::value_error("memory_bytes is " + std::to_string(memoryBytes) +
                                  ", expected at least 1 and an end below 2^64");
        }
        host_->memory = py::module_::import("numpy").attr("zeros")(memoryBytes, "uint8");
        host_->bytes = static_cast<unsigned char*>(py::array(host_->memory).mutable_data());
        host_->size = memoryBytes;
        host_->address = memoryAddress;
        host_->onInterrupt = std::move(onInterrupt);
        host_->onLog = std::move(onLog);
        vnpu_options options{};
        options.struct_size = sizeof(options);
        options.config = config.c_str();
        options.flags = timingOnly ? static_cast<std::uint32_t>(VNPU_TIMING_ONLY) : 0;
        options.flags |= lint ? static_cast<std::uint32_t>(VNPU_LINT) : 0;
        options.host = {host_.get(), dmaRead, dmaWrite, onIrq, dmaMap, onLine};
        options.settings = settings ? settings->c_str() : nullptr;
        options.record = record ? record->c_str() : nullptr;
        must(vnpu_device_create(&options, &device_));
    }

    ~Device() {
        if (device_ == nullptr) {
            return;
        }
        if (std::this_thread::get_id() == thread_) {
            vnpu_device_destroy(device_);
            callbackError = nullptr;  // of the last lines of its log
        } else {
            // The library refuses other threads, so the device goes on to use it.
            static_cast<void>(host_.release());
        }
    }

    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    std::uint32_t read32(std::uint32_t offset) {
        std::uint32_t value = 0;
        must(vnpu_device_read32(device_, offset, &value));
        rethrowCallbackError();
        return value;
    }

    void write32(std::uint32_t offset, std::uint32_t value) {
        must(vnpu_device_write32(device_, offset, value));
        rethrowCallbackError();
    }

    py::bytes readResident(std::uint64_t offset, std::uint64_t size) {
        // In pieces, because the library checks the range, so that memory is allocated only for one
        // that exists.
        std::string data;
        do {
            std::string piece(static_cast<std::size_t>(std::min(size, kPieceBytes)), '\0');
            must(vnpu_device_read_resident(device_, offset, piece.data(), piece.size()));
            data += piece;
            offset += piece.size();
            size -= piece.size();
        } while (size != 0);
        return data;
    }

    void writeResident(std::uint64_t offset, const py::buffer& data) {
        const py::buffer_info info = data.request();
        if (PyBuffer_IsContiguous(info.view(), 'C') == 0) {
            throw py::value_error("data is not contiguous, expected bytes or a contiguous array");
        }
        must(vnpu_device_write_resident(device_, offset, info.ptr,
                                        static_cast<std::uint64_t>(info.size * info.itemsize)));
    }

    void reset() {
        must(vnpu_device_reset(device_));
        rethrowCallbackError();
    }

    std::string dump() {
        std::size_t needed = 0;
        must(vnpu_device_dump(device_, nullptr, 0, &needed));
        std::string text(needed, '\0');
        must(vnpu_device_dump(device_, text.data(), text.size(), nullptr));
        text.resize(needed - 1);  // without the terminating zero
        return text;
    }

    const py::object& memory() const { return host_->memory; }
    std::uint64_t memoryAddress() const { return host_->address; }
    bool irq() const { return vnpu_device_irq(device_) != 0; }
    std::uint64_t interrupts() const { return host_->interrupts; }
    std::uint64_t lintCount() const { return vnpu_device_lint_count(device_); }
    std::uint32_t registerBytes() const { return vnpu_device_register_bytes(device_); }

  private:
    static constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 20;

    std::unique_ptr<Host> host_;
    std::thread::id thread_ = std::this_thread::get_id();
    vnpu_device* device_ = nullptr;
};

/// The register map: by name, what vnpu/registers.h has for C.
py::dict registerMap() {
    namespace regs = vnpu::hw::regs;
    constexpr const char* kAccess[] = {"read-only", "read-write", "write-only",
                                       "write one to clear"};
    py::dict map;
    for (const regs::RegisterSpec* const spec : regs::registerMap()) {
        py::dict fields;
        for (const regs::FieldSpec& field : spec->fields) {
            fields[py::str(std::string(field.name))] =
                    py::make_tuple(static_cast<std::uint32_t>(field.lsb), field.mask(),
                                   std::string(field.meaning));
        }
        map[py::str(std::string(spec->name))] = py::dict(
                py::arg("offset") = spec->offset, py::arg("count") = spec->count,
                py::arg("stride") = spec->strideBytes,
                py::arg("access") = kAccess[static_cast<std::size_t>(spec->access)],
                py::arg("meaning") = std::string(spec->meaning), py::arg("fields") = fields);
    }
    return map;
}

void defineDevice(py::module_& module) {
    py::class_<Device>(module, "Device")
            .def(py::init<const std::string&, std::uint64_t, std::uint64_t, bool, bool,
                          const std::optional<std::string>&, const std::optional<std::string>&,
                          py::object, py::object>(),
                 py::arg("config"), py::kw_only(), py::arg("memory_bytes"),
                 py::arg("memory_address"), py::arg("timing_only"), py::arg("lint"),
                 py::arg("settings"), py::arg("record"), py::arg("on_interrupt"), py::arg("on_log"))
            .def("read32", &Device::read32, py::arg("offset"))
            .def("write32", &Device::write32, py::arg("offset"), py::arg("value"))
            .def("read_resident", &Device::readResident, py::arg("offset"), py::arg("size"),
                 "Bytes of the memory on the device that the host reaches (CONFIG_RESIDENT).")
            .def("write_resident", &Device::writeResident, py::arg("offset"), py::arg("data"),
                 "Writes the memory on the device that the host reaches.")
            .def("reset", &Device::reset,
                 "Power off and on; the host's memory and simulated time stay.")
            .def("dump", &Device::dump,
                 "The state as text: registers with their fields, engines, the interrupt line.")
            .def_property_readonly("memory", &Device::memory)
            .def_property_readonly("memory_address", &Device::memoryAddress)
            .def_property_readonly("irq", &Device::irq)
            .def_property_readonly("interrupts", &Device::interrupts)
            .def_property_readonly("lint_count", &Device::lintCount)
            .def_property_readonly("register_bytes", &Device::registerBytes);
}

}  // namespace

PYBIND11_MODULE(_native, module) {
    module.attr("__version__") = VNPU_VERSION;
    static py::exception<DeviceError> error(module, "DeviceError", PyExc_RuntimeError);
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            std::rethrow_exception(std::move(thrown));
        } catch (const DeviceError& one) {
            const py::object made = py::reinterpret_borrow<py::object>(error)(one.what());
            made.attr("status") = vnpu_status_name(one.status);
            PyErr_SetObject(error.ptr(), made.ptr());
        }
    });
    defineDevice(module);
    module.def(
            "advance", [](std::uint64_t time) { advanceBy(time, false); }, py::arg("picoseconds"),
            "Lets simulated time pass for all devices. Releases the GIL; Ctrl-C ends it early.");
    module.def(
            "advance_to_interrupt", [](std::uint64_t time) { return advanceBy(time, true); },
            py::arg("picoseconds"),
            "As advance(), but ends when an interrupt line rises. Returns whether one did.");
    module.def("now", &vnpu_now, "Simulated picoseconds since the first device was made.");
    module.def(
            "next_event",
            []() -> std::optional<std::uint64_t> {
                const std::uint64_t time = vnpu_next_event();
                return time == VNPU_NEVER ? std::nullopt : std::optional(time);
            },
            "Picoseconds until something happens; None if nothing does until the host acts.");
    module.attr("REGISTERS") = registerMap();
}
