// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/trace/perfetto_reader.h"

#include <fmt/format.h>

#include <protozero/pbf_reader.hpp>
#include <stdexcept>

namespace vnpu::test {

namespace {

using protozero::pbf_reader;

/// Reader of one packet sequence; holds its interned names.
class Reader {
  public:
    PerfettoTrace trace;

    void readPacket(pbf_reader packet) {
        ++trace.packets;
        std::uint64_t timeNs = 0;
        std::uint64_t sequence = 0;
        std::uint64_t flags = 0;
        pbf_reader event;
        bool hasEvent = false;
        while (packet.next()) {
            switch (packet.tag()) {
                case 8:
                    timeNs = packet.get_uint64();
                    break;
                case 10:
                    sequence = packet.get_uint32();
                    break;
                case 11:
                    event = packet.get_message();
                    hasEvent = true;
                    break;
                case 12:
                    readInterned(packet.get_message());
                    break;
                case 13:
                    flags = packet.get_uint32();
                    break;
                case 60:
                    readDescriptor(packet.get_message());
                    break;
                default:
                    throw std::runtime_error(
                            fmt::format("unexpected field {} of a packet", packet.tag()));
            }
        }
        if (sequence == 0) {
            throw std::runtime_error("a packet without sequence");
        }
        if (trace.packets == 1) {
            trace.startsCleared = (flags & 1U) != 0;
        }
        if (hasEvent) {
            if ((flags & 2U) == 0) {
                throw std::runtime_error(
                        "an event that does not say it needs the incremental state");
            }
            readEvent(timeNs, event);
        }
    }

  private:
    static std::pair<std::uint64_t, std::string> readName(pbf_reader entry) {
        std::pair<std::uint64_t, std::string> name;
        while (entry.next()) {
            if (entry.tag() == 1) {
                name.first = entry.get_uint64();
            } else if (entry.tag() == 2) {
                name.second = entry.get_string();
            } else {
                entry.skip();
            }
        }
        return name;
    }

    void readInterned(pbf_reader data) {
        while (data.next()) {
            const std::uint32_t kind = data.tag();
            const auto name = readName(data.get_message());
            if (!names_[kind].emplace(name).second) {
                throw std::runtime_error(fmt::format("name number {} given twice", name.first));
            }
        }
    }

    void readDescriptor(pbf_reader descriptor) {
        std::uint64_t uuid = 0;
        PerfettoTrack track;
        while (descriptor.next()) {
            switch (descriptor.tag()) {
                case 1:
                    uuid = descriptor.get_uint64();
                    break;
                case 2:
                    track.name = descriptor.get_string();
                    break;
                case 3: {
                    pbf_reader process = descriptor.get_message();
                    while (process.next()) {
                        if (process.tag() == 1) {
                            track.processId = process.get_int32();
                        } else if (process.tag() == 6) {
                            track.name = process.get_string();
                        } else {
                            process.skip();
                        }
                    }
                    break;
                }
                case 5:
                    track.parent = descriptor.get_uint64();
                    break;
                case 8: {
                    track.isCounter = true;
                    pbf_reader counter = descriptor.get_message();
                    while (counter.next()) {
                        if (counter.tag() == 6) {
                            track.unit = counter.get_string();
                        } else {
                            counter.skip();
                        }
                    }
                    break;
                }
                default:
                    descriptor.skip();
            }
        }
        if (!trace.tracks.emplace(uuid, track).second) {
            throw std::runtime_error(fmt::format("track {} described twice", uuid));
        }
    }

    const std::string& nameOf(std::uint32_t kind, std::uint64_t number) {
        const auto found = names_[kind].find(number);
        if (found == names_[kind].end()) {
            throw std::runtime_error(fmt::format("unknown name {} of kind {}", number, kind));
        }
        return found->second;
    }

    void readAnnotation(pbf_reader annotation, PerfettoEvent& event) {
        std::string name;
        std::uint64_t value = 0;
        while (annotation.next()) {
            switch (annotation.tag()) {
                case 1:
                    name = nameOf(3, annotation.get_uint64());
                    break;
                case 3:
                    value = annotation.get_uint64();
                    break;
                case 6:
                    event.text = annotation.get_string();
                    break;
                default:
                    annotation.skip();
            }
        }
        if (!name.empty()) {
            event.arguments[name] = value;
        }
    }

    void readEvent(std::uint64_t timeNs, pbf_reader message) {
        PerfettoEvent event;
        event.timeNs = timeNs;
        while (message.next()) {
            switch (message.tag()) {
                case 3:
                    event.category = nameOf(1, message.get_uint64());
                    break;
                case 4:
                    readAnnotation(message.get_message(), event);
                    break;
                case 9:
                    event.type = message.get_enum();
                    break;
                case 10:
                    event.name = nameOf(2, message.get_uint64());
                    break;
                case 11:
                    event.track = message.get_uint64();
                    break;
                case 23:
                    event.name = message.get_string();
                    break;
                case 44:
                    event.value = message.get_double();
                    break;
                case 47:
                    event.flows.push_back(message.get_fixed64());
                    break;
                case 48:
                    event.terminatingFlows.push_back(message.get_fixed64());
                    break;
                default:
                    throw std::runtime_error(
                            fmt::format("unexpected field {} of an event", message.tag()));
            }
        }
        if (trace.tracks.count(event.track) == 0) {
            throw std::runtime_error(fmt::format("event on the unknown track {}", event.track));
        }
        trace.events.push_back(std::move(event));
    }

    std::map<std::uint32_t, std::map<std::uint64_t, std::string>>
            names_;  // by field of InternedData
};

}  // namespace

std::vector<PerfettoEvent> PerfettoTrace::on(const std::string& track) const {
    std::vector<PerfettoEvent> result;
    for (const PerfettoEvent& event : events) {
        if (tracks.at(event.track).name == track) {
            result.push_back(event);
        }
    }
    return result;
}

std::string PerfettoTrace::pathOf(std::uint64_t track) const {
    const PerfettoTrack& about = tracks.at(track);
    return about.parent == 0 ? about.name : pathOf(about.parent) + "/" + about.name;
}

PerfettoTrace readPerfetto(const std::string& bytes) {
    Reader reader;
    pbf_reader file(bytes);
    while (file.next()) {
        if (file.tag() != 1) {
            throw std::runtime_error("a trace holds packets only");
        }
        reader.readPacket(file.get_message());
    }
    return std::move(reader.trace);
}

std::string findPerfettoError(const PerfettoTrace& trace) {
    std::map<std::uint64_t, std::uint64_t> lastNs;
    std::map<std::uint64_t, int> depth;
    for (const PerfettoEvent& event : trace.events) {
        const std::string path = trace.pathOf(event.track);
        if (event.timeNs < lastNs[event.track]) {
            return fmt::format("{}: time falls from {} to {}", path, lastNs[event.track],
                               event.timeNs);
        }
        lastNs[event.track] = event.timeNs;
        if (trace.tracks.at(event.track).isCounter != (event.type == 4)) {
            return fmt::format("{}: event of type {} at {}", path, event.type, event.timeNs);
        }
        depth[event.track] += event.type == 1 ? 1 : event.type == 2 ? -1 : 0;
        if (depth[event.track] < 0) {
            return fmt::format("{}: end without begin at {}", path, event.timeNs);
        }
        if ((event.type == 1 || event.type == 3) && event.name.empty()) {
            return fmt::format("{}: slice without name at {}", path, event.timeNs);
        }
    }
    for (const auto& [track, open] : depth) {
        if (open != 0) {
            return fmt::format("{}: {} slices stay open", trace.pathOf(track), open);
        }
    }
    return "";
}

}  // namespace vnpu::test
