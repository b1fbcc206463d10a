// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <vnpu/hal/burst_packets.h>

#include <cstring>
#include <optional>
#include <utility>

#include "hal/src/failure.h"
#include "hal/src/try.h"

namespace vnpu::hal {
namespace {

namespace nn = android::hardware::neuralnetworks;
using android::hardware::hidl_vec;
using nn::V1_0::ErrorStatus;
using nn::V1_0::RequestArgument;
using nn::V1_2::FmqRequestDatum;
using nn::V1_2::FmqResultDatum;
using nn::V1_2::MeasureTiming;
using nn::V1_2::OutputShape;

template <typename T>
using Result = tl::expected<T, std::string>;

// of each packet: its information, and the measure or timing datum
constexpr size_t kFrameData = 2;

/// A bool from shared memory may be any byte, and reading such a byte as a bool is undefined.
std::optional<bool> toBool(const bool& foreign) {
    uint8_t byte = 0;
    std::memcpy(&byte, &foreign, sizeof(byte));
    return byte > 1 ? std::nullopt : std::optional<bool>(byte == 1);
}

/// Iterates over the data of a packet.
template <typename Datum>
class Reader {
  public:
    using Kind = typename Datum::hidl_discriminator;

    explicit Reader(const std::vector<Datum>& packet) : packet_(packet) {}

    /// Returns the next datum if it is of that kind.
    Result<const Datum*> next(Kind kind) {
        if (at_ == packet_.size()) {
            return failure("the packet ends after {} data, expected {}", at_, nameOf(kind));
        }
        const Datum& datum = packet_[at_];
        if (datum.getDiscriminator() != kind) {
            return failure("datum {} has kind {}, expected {} ({})", at_,
                           static_cast<unsigned>(datum.memberIndex()), static_cast<unsigned>(kind),
                           nameOf(kind));
        }
        ++at_;
        return &datum;
    }

    /// Reads dimensions from data of that kind by `read`.
    template <typename Read>
    Result<hidl_vec<uint32_t>> dimensions(uint32_t count, Kind kind, Read&& read) {
        if (count > left()) {
            return failure("{} dimensions before the {} last data", count, left());
        }
        hidl_vec<uint32_t> values(count);
        for (uint32_t& value : values) {
            VNPU_TRY_ASSIGN(const auto datum, next(kind));
            value = read(*datum);
        }
        return values;
    }

    size_t left() const { return packet_.size() - at_; }

  private:
    static std::string nameOf(Kind kind) {
        return android::hardware::details::nameAt(Datum::kMemberNames, static_cast<size_t>(kind));
    }

    const std::vector<Datum>& packet_;
    size_t at_ = 0;
};

using RequestKind = FmqRequestDatum::hidl_discriminator;
using ResultKind = FmqResultDatum::hidl_discriminator;

/// The announced number of data, in 64 bits because each count may be any value.
Result<void> checkSize(uint64_t packetSize, uint64_t announced, size_t received) {
    if (packetSize != received) {
        return failure("packetSize is {}, but {} data were received", packetSize, received);
    }
    if (announced > received) {
        return failure("the packet announces at least {} data, but {} were received", announced,
                       received);
    }
    return {};
}

/// The differences between inputs and outputs.
struct ArgumentKinds {
    RequestKind information, dimension;
    const FmqRequestDatum::OperandInformation& (FmqRequestDatum::*readInformation)() const;
    uint32_t (FmqRequestDatum::*readDimension)() const;
};
constexpr ArgumentKinds kInput{
        RequestKind::inputOperandInformation, RequestKind::inputOperandDimensionValue,
        &FmqRequestDatum::inputOperandInformation, &FmqRequestDatum::inputOperandDimensionValue};
constexpr ArgumentKinds kOutput{
        RequestKind::outputOperandInformation, RequestKind::outputOperandDimensionValue,
        &FmqRequestDatum::outputOperandInformation, &FmqRequestDatum::outputOperandDimensionValue};

Result<RequestArgument> readArgument(Reader<FmqRequestDatum>& reader, const ArgumentKinds& kinds) {
    VNPU_TRY_ASSIGN(const auto datum, reader.next(kinds.information));
    const auto& information = (datum->*kinds.readInformation)();
    const auto hasNoValue = toBool(information.hasNoValue);
    if (!hasNoValue) {
        return failure("an argument's hasNoValue is neither true nor false");
    }
    auto dimensions =
            reader.dimensions(information.numberOfDimensions, kinds.dimension,
                              [&](const FmqRequestDatum& d) { return (d.*kinds.readDimension)(); });
    if (!dimensions) {
        return tl::unexpected(dimensions.error());
    }
    return RequestArgument{*hasNoValue, information.location, std::move(*dimensions)};
}

Result<hidl_vec<RequestArgument>> readArguments(Reader<FmqRequestDatum>& reader, uint32_t count,
                                                const ArgumentKinds& kinds) {
    hidl_vec<RequestArgument> arguments(count);
    for (RequestArgument& argument : arguments) {
        VNPU_TRY_ASSIGN(auto read, readArgument(reader, kinds));
        argument = std::move(read);
    }
    return arguments;
}

Result<OutputShape> readShape(Reader<FmqResultDatum>& reader) {
    VNPU_TRY_ASSIGN(const auto datum, reader.next(ResultKind::operandInformation));
    const auto& information = datum->operandInformation();
    const auto isSufficient = toBool(information.isSufficient);
    if (!isSufficient) {
        return failure("an output's isSufficient is neither true nor false");
    }
    auto dimensions =
            reader.dimensions(information.numberOfDimensions, ResultKind::operandDimensionValue,
                              [](const FmqResultDatum& d) { return d.operandDimensionValue(); });
    if (!dimensions) {
        return tl::unexpected(dimensions.error());
    }
    return OutputShape{std::move(*dimensions), *isSufficient};
}

Result<std::vector<int32_t>> readSlots(Reader<FmqRequestDatum>& reader, uint32_t count) {
    std::vector<int32_t> slots(count);
    for (int32_t& slot : slots) {
        VNPU_TRY_ASSIGN(const auto datum, reader.next(RequestKind::poolIdentifier));
        slot = datum->poolIdentifier();
    }
    return slots;
}

void append(RequestPacket& packet, const RequestArgument& argument,
            void (FmqRequestDatum::*setInformation)(const FmqRequestDatum::OperandInformation&),
            void (FmqRequestDatum::*setDimension)(uint32_t)) {
    (packet.emplace_back().*setInformation)({argument.hasNoValue, argument.location,
                                             static_cast<uint32_t>(argument.dimensions.size())});
    for (const uint32_t dimension : argument.dimensions) {
        (packet.emplace_back().*setDimension)(dimension);
    }
}

/// Whether an execution with this status reports the shapes of its outputs.
bool hasShapes(ErrorStatus status) {
    return status == ErrorStatus::NONE || status == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
}

}  // namespace

RequestPacket serialize(const nn::V1_0::Request& request, MeasureTiming measure,
                        const std::vector<int32_t>& slots) {
    RequestPacket packet(1);  // the size is known last
    for (const RequestArgument& input : request.inputs) {
        append(packet, input, &FmqRequestDatum::inputOperandInformation,
               &FmqRequestDatum::inputOperandDimensionValue);
    }
    for (const RequestArgument& output : request.outputs) {
        append(packet, output, &FmqRequestDatum::outputOperandInformation,
               &FmqRequestDatum::outputOperandDimensionValue);
    }
    for (const int32_t slot : slots) {
        packet.emplace_back().poolIdentifier(slot);
    }
    packet.emplace_back().measureTiming(measure);
    packet[0].packetInformation(
            {static_cast<uint32_t>(packet.size()), static_cast<uint32_t>(request.inputs.size()),
             static_cast<uint32_t>(request.outputs.size()), static_cast<uint32_t>(slots.size())});
    return packet;
}

ResultPacket serialize(const BurstResult& result) {
    ResultPacket packet(1);
    for (const OutputShape& shape : result.outputShapes) {
        packet.emplace_back().operandInformation(
                {shape.isSufficient, static_cast<uint32_t>(shape.dimensions.size())});
        for (const uint32_t dimension : shape.dimensions) {
            packet.emplace_back().operandDimensionValue(dimension);
        }
    }
    packet.emplace_back().executionTiming(result.timing);
    packet[0].packetInformation({static_cast<uint32_t>(packet.size()), result.status,
                                 static_cast<uint32_t>(result.outputShapes.size())});
    return packet;
}

Result<BurstRequest> deserialize(const RequestPacket& packet) {
    Reader<FmqRequestDatum> reader(packet);
    VNPU_TRY_ASSIGN(const auto first, reader.next(RequestKind::packetInformation));
    const auto& counts = first->packetInformation();
    const uint64_t announced = kFrameData + uint64_t{counts.numberOfInputOperands} +
                               counts.numberOfOutputOperands + counts.numberOfPools;
    VNPU_TRY(checkSize(counts.packetSize, announced, packet.size()));
    VNPU_TRY_ASSIGN(auto inputs, readArguments(reader, counts.numberOfInputOperands, kInput));
    VNPU_TRY_ASSIGN(auto outputs, readArguments(reader, counts.numberOfOutputOperands, kOutput));
    VNPU_TRY_ASSIGN(auto slots, readSlots(reader, counts.numberOfPools));
    VNPU_TRY_ASSIGN(const auto last, reader.next(RequestKind::measureTiming));
    const MeasureTiming measure = last->measureTiming();
    if (measure != MeasureTiming::NO && measure != MeasureTiming::YES) {
        return failure("measureTiming is {}, expected 0 or 1", static_cast<int32_t>(measure));
    }
    if (reader.left() != 0) {
        return failure("{} data follow measureTiming", reader.left());
    }
    return BurstRequest{{std::move(inputs), std::move(outputs), {}}, std::move(slots), measure};
}

Result<BurstResult> deserialize(const ResultPacket& packet) {
    Reader<FmqResultDatum> reader(packet);
    VNPU_TRY_ASSIGN(const auto first, reader.next(ResultKind::packetInformation));
    const auto& information = first->packetInformation();
    const uint64_t announced = kFrameData + uint64_t{information.numberOfOperands};
    VNPU_TRY(checkSize(information.packetSize, announced, packet.size()));
    BurstResult result;
    result.status = information.errorStatus;
    if (result.status < ErrorStatus::NONE || result.status > ErrorStatus::INVALID_ARGUMENT) {
        return failure("the status is {}, expected 0 to 4", static_cast<int32_t>(result.status));
    }
    if (information.numberOfOperands != 0 && !hasShapes(result.status)) {
        return failure("status {} with {} output shapes, expected none",
                       static_cast<int32_t>(result.status), information.numberOfOperands);
    }
    for (uint32_t i = 0; i < information.numberOfOperands; ++i) {
        VNPU_TRY_ASSIGN(auto shape, readShape(reader));
        result.outputShapes.push_back(std::move(shape));
    }
    VNPU_TRY_ASSIGN(const auto last, reader.next(ResultKind::executionTiming));
    result.timing = last->executionTiming();
    if (reader.left() != 0) {
        return failure("{} data follow executionTiming", reader.left());
    }
    return result;
}

}  // namespace vnpu::hal
