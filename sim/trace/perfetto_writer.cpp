// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/perfetto_writer.h"

#include <protozero/pbf_writer.hpp>

namespace vnpu::sim {

namespace {

// Field numbers of the messages that are used; source: Perfetto's published protocol buffers
// (protos/perfetto/trace).
namespace trace {
constexpr protozero::pbf_tag_type kPacket = 1;
}
namespace packet {
constexpr protozero::pbf_tag_type kTimestamp = 8;
constexpr protozero::pbf_tag_type kSequenceId = 10;
constexpr protozero::pbf_tag_type kTrackEvent = 11;
constexpr protozero::pbf_tag_type kInternedData = 12;
constexpr protozero::pbf_tag_type kSequenceFlags = 13;
constexpr protozero::pbf_tag_type kTrackDescriptor = 60;
constexpr std::uint32_t kIncrementalStateCleared = 1;
constexpr std::uint32_t kNeedsIncrementalState = 2;
}  // namespace packet
namespace descriptor {
constexpr protozero::pbf_tag_type kUuid = 1;
constexpr protozero::pbf_tag_type kName = 2;
constexpr protozero::pbf_tag_type kProcess = 3;
constexpr protozero::pbf_tag_type kParentUuid = 5;
constexpr protozero::pbf_tag_type kCounter = 8;
constexpr protozero::pbf_tag_type kChildOrdering = 11;
constexpr protozero::pbf_tag_type kSiblingOrderRank = 12;
constexpr protozero::pbf_tag_type kProcessOrdering = 19;
constexpr int kExplicitOrder = 3;  // of children
constexpr int kExplicitProcessOrder = 1;
}  // namespace descriptor
namespace process {
constexpr protozero::pbf_tag_type kPid = 1;
constexpr protozero::pbf_tag_type kName = 6;
}  // namespace process
namespace counter {
constexpr protozero::pbf_tag_type kUnitName = 6;
}
namespace event {
constexpr protozero::pbf_tag_type kCategoryIids = 3;
constexpr protozero::pbf_tag_type kAnnotations = 4;
constexpr protozero::pbf_tag_type kType = 9;
constexpr protozero::pbf_tag_type kNameIid = 10;
constexpr protozero::pbf_tag_type kTrackUuid = 11;
constexpr protozero::pbf_tag_type kName = 23;
constexpr protozero::pbf_tag_type kDoubleCounterValue = 44;
constexpr protozero::pbf_tag_type kFlowIds = 47;
constexpr protozero::pbf_tag_type kTerminatingFlowIds = 48;
constexpr int kSliceBegin = 1;
constexpr int kSliceEnd = 2;
constexpr int kInstant = 3;
constexpr int kCounter = 4;
}  // namespace event
namespace annotation {
constexpr protozero::pbf_tag_type kNameIid = 1;
constexpr protozero::pbf_tag_type kUintValue = 3;
constexpr protozero::pbf_tag_type kStringValue = 6;
constexpr protozero::pbf_tag_type kName = 10;
}  // namespace annotation
namespace interned {
constexpr protozero::pbf_tag_type kCategories = 1;
constexpr protozero::pbf_tag_type kEventNames = 2;
constexpr protozero::pbf_tag_type kArgumentNames = 3;
constexpr protozero::pbf_tag_type kIid = 1;
constexpr protozero::pbf_tag_type kName = 2;
}  // namespace interned

constexpr std::uint32_t kSequence = 1;                        // one producer, so any number but 0
constexpr std::size_t kFlushBytes = std::size_t{256} * 1024;  // chosen: few writes, little memory

void putString(protozero::pbf_writer& writer, protozero::pbf_tag_type tag, std::string_view text) {
    writer.add_string(tag, text.data(), text.size());
}

}  // namespace

void PerfettoWriter::flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
    out_.flush();
}

void PerfettoWriter::addPacket(const std::string& packet) {
    protozero::pbf_writer writer(buffer_);
    writer.add_message(trace::kPacket, packet);
    if (buffer_.size() >= kFlushBytes) {
        flush();
    }
}

template <typename Fill>
void PerfettoWriter::describe(std::uint64_t track, const Fill& fill) {
    std::string description, text;
    protozero::pbf_writer fields(description);
    fields.add_uint64(descriptor::kUuid, track);
    fill(fields);
    protozero::pbf_writer writer(text);
    writer.add_uint32(packet::kSequenceId, kSequence);
    writer.add_message(packet::kTrackDescriptor, description);
    if (isFirst_) {
        writer.add_uint32(packet::kSequenceFlags, packet::kIncrementalStateCleared);
        isFirst_ = false;
    }
    addPacket(text);
}

void PerfettoWriter::orderProcesses() {
    describe(0, [](protozero::pbf_writer& fields) {
        fields.add_enum(descriptor::kProcessOrdering, descriptor::kExplicitProcessOrder);
    });
}

void PerfettoWriter::addProcess(std::uint64_t track, std::int32_t processId, std::string_view name,
                                std::int32_t rank) {
    describe(track, [&](protozero::pbf_writer& fields) {
        {
            protozero::pbf_writer about(fields, descriptor::kProcess);
            about.add_int32(process::kPid, processId);
            putString(about, process::kName, name);
        }
        fields.add_enum(descriptor::kChildOrdering, descriptor::kExplicitOrder);
        fields.add_int32(descriptor::kSiblingOrderRank, rank);
    });
}

void PerfettoWriter::addTrack(std::uint64_t track, std::uint64_t parent, std::string_view name,
                              std::int32_t rank) {
    addCounter(track, parent, name, "", rank);
}

void PerfettoWriter::addCounter(std::uint64_t track, std::uint64_t parent, std::string_view name,
                                std::string_view unit, std::int32_t rank) {
    describe(track, [&](protozero::pbf_writer& fields) {
        putString(fields, descriptor::kName, name);
        fields.add_uint64(descriptor::kParentUuid, parent);
        if (!unit.empty()) {
            protozero::pbf_writer about(fields, descriptor::kCounter);
            putString(about, counter::kUnitName, unit);
        }
        fields.add_int32(descriptor::kSiblingOrderRank, rank);
    });
}

std::uint64_t PerfettoWriter::numberOf(Names& names, std::string_view name, int internedField,
                                       std::string& data) {
    if (const auto found = names.find(name); found != names.end()) {
        return found->second;
    }
    if (names.size() >= kMaxNames) {
        return 0;
    }
    const std::uint64_t number = names.size() + 1;
    names.emplace(name, number);
    protozero::pbf_writer writer(data);
    protozero::pbf_writer entry(writer, static_cast<protozero::pbf_tag_type>(internedField));
    entry.add_uint64(interned::kIid, number);
    putString(entry, interned::kName, name);
    return number;
}

void PerfettoWriter::addEvent(std::uint64_t track, std::uint64_t timeNs, int type,
                              const Slice* slice, const double* value) {
    std::string data;  // names that are new
    std::string text;
    protozero::pbf_writer writer(text);
    writer.add_enum(event::kType, type);
    writer.add_uint64(event::kTrackUuid, track);
    if (slice != nullptr) {
        if (const std::uint64_t name =
                    numberOf(eventNames_, slice->name, interned::kEventNames, data);
            name != 0) {
            writer.add_uint64(event::kNameIid, name);
        } else {
            putString(writer, event::kName, slice->name);
        }
        if (const std::uint64_t category =
                    numberOf(categories_, slice->category, interned::kCategories, data);
            category != 0) {
            writer.add_uint64(event::kCategoryIids, category);
        }
        for (const std::uint64_t flow : slice->flows) {
            writer.add_fixed64(event::kFlowIds, flow);
        }
        for (const std::uint64_t flow : slice->terminatingFlows) {
            writer.add_fixed64(event::kTerminatingFlowIds, flow);
        }
        for (const TraceArgument& argument : slice->arguments) {
            const std::uint64_t name =
                    numberOf(argumentNames_, argument.name, interned::kArgumentNames, data);
            protozero::pbf_writer about(writer, event::kAnnotations);
            about.add_uint64(annotation::kNameIid, name);
            about.add_uint64(annotation::kUintValue, argument.value);
        }
        if (!slice->text.empty()) {
            protozero::pbf_writer about(writer, event::kAnnotations);
            putString(about, annotation::kName, "text");
            putString(about, annotation::kStringValue, slice->text);
        }
    }
    if (value != nullptr) {
        writer.add_double(event::kDoubleCounterValue, *value);
    }
    std::string whole;
    protozero::pbf_writer out(whole);
    out.add_uint64(packet::kTimestamp, timeNs);
    out.add_uint32(packet::kSequenceId, kSequence);
    out.add_uint32(packet::kSequenceFlags, packet::kNeedsIncrementalState);
    if (!data.empty()) {
        out.add_message(packet::kInternedData, data);
    }
    out.add_message(packet::kTrackEvent, text);
    addPacket(whole);
}

void PerfettoWriter::beginSlice(std::uint64_t track, std::uint64_t timeNs, const Slice& slice) {
    addEvent(track, timeNs, event::kSliceBegin, &slice);
}

void PerfettoWriter::endSlice(std::uint64_t track, std::uint64_t timeNs) {
    addEvent(track, timeNs, event::kSliceEnd, nullptr);
}

void PerfettoWriter::addInstant(std::uint64_t track, std::uint64_t timeNs, const Slice& slice) {
    addEvent(track, timeNs, event::kInstant, &slice);
}

void PerfettoWriter::setCounter(std::uint64_t track, std::uint64_t timeNs, double value) {
    addEvent(track, timeNs, event::kCounter, nullptr, &value);
}

}  // namespace vnpu::sim
