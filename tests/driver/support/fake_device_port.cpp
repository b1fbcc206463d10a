// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/support/fake_device_port.h"

#include <cstring>
#include <utility>

#include "firmware/api/log.h"
#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::driver::test {

namespace regs = hw::regs;

class FakeDevicePort::Event : public HostEvent {
  public:
    explicit Event(FakeDevicePort& port) : port_(port) {}

    void set() override {
        const std::lock_guard guard(port_.mutex_);
        isSet_ = true;
        port_.changed_.notify_all();
    }
    void reset() override {
        const std::lock_guard guard(port_.mutex_);
        isSet_ = false;
    }
    void wait() override {
        std::unique_lock lock(port_.mutex_);
        ++port_.waiters_;
        port_.changed_.notify_all();
        port_.changed_.wait(lock, [&] { return isSet_; });
        --port_.waiters_;
    }
    bool waitFor(std::chrono::nanoseconds timeout) override {
        std::unique_lock lock(port_.mutex_);
        ++port_.timedWaiters_;
        port_.changed_.notify_all();
        port_.changed_.wait(lock, [&] { return isSet_ || port_.isIdle(); });
        --port_.timedWaiters_;
        if (!isSet_) {
            port_.now_ += timeout;
        }
        return isSet_;
    }

  private:
    FakeDevicePort& port_;
    bool isSet_ = false;
};

FakeDevicePort::FakeDevicePort() {
    registers_ = {
            {regs::Id::kSpec.offset, regs::kDeviceId},
            {regs::ArchVersion::kSpec.offset, regs::ArchVersion::kSpec.reset},
            {regs::CommandStreamVersion::kSpec.offset, hw::kCommandStreamVersion},
            {regs::Platform::kSpec.offset, 1},
            {regs::ConfigMac::kSpec.offset, 16 | 8 << 12 | 1 << 24 | 1 << 26 | 1 << 28},
            {regs::ConfigMacRates::kSpec.offset, 4 | 32 << 8},
            {regs::ConfigAccumulator::kSpec.offset, 64},
            {regs::ConfigSram::kSpec.offset, 512 | 8 << 16 | 5 << 24},
            {regs::ConfigSramPort::kSpec.offset, 32 | 1 << 16 | 1 << 17},
            {regs::ConfigVector::kSpec.offset, 64 | 16 << 12},
            {regs::ConfigDsp::kSpec.offset, 16 | 4 << 12},
            {regs::ConfigDspMacs::kSpec.offset, 32 | 2 << 12},
            {regs::ConfigDspPort::kSpec.offset, 8},
            {regs::ConfigDma::kSpec.offset, 4 | 16 << 8},
            {regs::ConfigDramBandwidth::kSpec.offset, 4096 + 512},
            {regs::ConfigDramLatency::kSpec.offset, 120},
            {regs::ConfigClock::kSpec.offset, kClockKhz},
            {regs::ConfigMemory::kSpec.offset, static_cast<std::uint32_t>(kMemoryBytes / 1024)},
            {regs::ConfigQueues::kSpec.offset, 4 | 3 << 8 | 8 << 16},
            {regs::Control::kSpec.offset, 1}};
    ready_.type = fw::MessageType::kReady;
    ready_.versions[0] = fw::kBootApiVersion;
    ready_.versions[1] = fw::kMailboxApiVersion;
    ready_.versions[2] = fw::kRingApiVersion;
    ready_.versions[3] = hw::kCommandStreamVersion;
    firmware_ = std::thread([this] { runFirmware(); });
    interrupts_ = std::thread([this] { runInterrupts(); });
}

FakeDevicePort::~FakeDevicePort() {
    joinPosted();
    {
        const std::lock_guard guard(mutex_);
        isEnding_ = true;
        changed_.notify_all();
    }
    firmware_.join();
    interrupts_.join();
}

// ---- the port

std::uint32_t FakeDevicePort::read32(std::uint32_t offset) {
    const std::lock_guard guard(mutex_);
    if (offset == regs::Heartbeat::kSpec.offset && !isHung_) {
        ++registers_[offset];
    }
    return registers_[offset];
}

void FakeDevicePort::write32(std::uint32_t offset, std::uint32_t value) {
    const std::lock_guard guard(mutex_);
    if (offset == regs::IrqStatus::kSpec.offset) {
        registers_[offset] &= ~value;
        return;
    }
    registers_[offset] = value;
    if (offset == regs::Control::kSpec.offset && value == regs::Control::kReset.put(1)) {
        reset();
    }
    if (offset == regs::Control::kSpec.offset && value == regs::Control::kBoot.put(1)) {
        work_.emplace_back([this](auto&) { boot(); });
    } else if (offset == regs::MailboxInControl::kSpec.offset && value != 0) {
        fw::Message message{};
        std::uint32_t words[regs::kMailboxWords];
        for (std::uint32_t i = 0; i < regs::kMailboxWords; ++i) {
            words[i] = registers_[regs::MailboxIn::kSpec.at(i)];
        }
        std::memcpy(&message, words, sizeof(message));
        bool isRepeated = false;
        if (!fw::unseal(message, isRepeated)) {
            return;
        }
        work_.emplace_back([this, message](auto&) { answer(message); });
    } else if (offset >= regs::Doorbell::kSpec.offset &&
               offset < regs::Doorbell::kSpec.at(regs::kRingCount)) {
        const std::uint32_t ring = (offset - regs::Doorbell::kSpec.offset) / 4;
        work_.emplace_back([this, ring, value](auto& lock) { runJobs(ring, value, lock); });
    }
    changed_.notify_all();
}

Result<DmaBuffer> FakeDevicePort::allocateDma(std::uint64_t sizeBytes) {
    const std::lock_guard guard(mutex_);
    return memory_.allocate(sizeBytes);
}

void FakeDevicePort::freeDma(const DmaBuffer& buffer) {
    const std::lock_guard guard(mutex_);
    memory_.free(buffer);
}

Result<std::uint64_t> FakeDevicePort::mapDma(void* pages, std::uint64_t sizeBytes) {
    const std::lock_guard guard(mutex_);
    return memory_.map(static_cast<std::byte*>(pages), sizeBytes);
}

void FakeDevicePort::unmapDma(std::uint64_t busAddress, std::uint64_t sizeBytes) {
    const std::lock_guard guard(mutex_);
    memory_.unmap(busAddress, sizeBytes);
}

std::byte* FakeDevicePort::mapWindow(std::uint64_t busAddress, std::uint64_t sizeBytes) {
    const std::lock_guard guard(mutex_);
    return memory_.atBus(busAddress, sizeBytes);
}

void FakeDevicePort::setInterruptHandler(std::function<void()> handler) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !isHandlerBusy_; });
    handler_ = std::move(handler);
    changed_.notify_all();
}

std::unique_ptr<HostEvent> FakeDevicePort::createEvent() {
    return std::make_unique<Event>(*this);
}

Result<void> FakeDevicePort::post(std::function<void()> work) {
    const std::lock_guard guard(mutex_);
    if (deniesThreads_) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT, "no thread for the work");
    }
    now_ += postDelay_;
    posted_.emplace_back(std::move(work));
    return {};
}

std::chrono::nanoseconds FakeDevicePort::now() {
    const std::lock_guard guard(mutex_);
    return now_;
}

void FakeDevicePort::chargeHost(HostWork work) {
    const std::lock_guard guard(mutex_);
    now_ += work == HostWork::kSubmit ? std::chrono::microseconds(5) : std::chrono::microseconds(3);
}

// ---- the script

void FakeDevicePort::setRegister(std::uint32_t offset, std::uint32_t value) {
    const std::lock_guard guard(mutex_);
    registers_[offset] = value;
}

void FakeDevicePort::addResidentMemory(std::uint32_t kib) {
    const std::lock_guard guard(mutex_);
    registers_[regs::ConfigResident::kSpec.offset] =
            regs::ConfigResident::kKib.put(kib) |
            regs::ConfigResident::kBaseMib.put(
                    static_cast<std::uint32_t>(FakeMemory::kResidentBase >> 20));
    memory_.addResident(std::uint64_t{kib} * 1024);
}

void FakeDevicePort::setJobFunction(JobFunction function) {
    const std::lock_guard guard(mutex_);
    jobFunction_ = std::move(function);
}

void FakeDevicePort::refuse(fw::MessageType type, fw::MessageStatus status) {
    const std::lock_guard guard(mutex_);
    refusals_[type] = status;
}

void FakeDevicePort::setReadyMessage(const fw::Message& message) {
    const std::lock_guard guard(mutex_);
    ready_ = message;
}

void FakeDevicePort::hang() {
    const std::lock_guard guard(mutex_);
    isHung_ = true;
    changed_.notify_all();
}

void FakeDevicePort::hangUntilReset() {
    const std::lock_guard guard(mutex_);
    isHung_ = isCuredByReset_ = true;
    changed_.notify_all();
}

void FakeDevicePort::hangInNextJob() {
    const std::lock_guard guard(mutex_);
    hangsInJob_ = isCuredByReset_ = true;
}

void FakeDevicePort::spoilMessages(int count) {
    const std::lock_guard guard(mutex_);
    spoiledMessages_ = count;
}

void FakeDevicePort::spoilNextRecord(std::function<void(fw::CompletionRecord&)> how) {
    const std::lock_guard guard(mutex_);
    spoil_ = std::move(how);
}

void FakeDevicePort::pulseInterrupt() {
    std::function<void()> handler;
    {
        const std::lock_guard guard(mutex_);
        handler = handler_;
    }
    handler();
}

std::uint32_t FakeDevicePort::boots() const {
    const std::lock_guard guard(mutex_);
    return boots_;
}

void FakeDevicePort::pause() {
    const std::lock_guard guard(mutex_);
    isPaused_ = true;
}

void FakeDevicePort::resume() {
    const std::lock_guard guard(mutex_);
    isPaused_ = false;
    changed_.notify_all();
}

void FakeDevicePort::loseJobInterrupts() {
    const std::lock_guard guard(mutex_);
    losesJobInterrupts_ = true;
}

void FakeDevicePort::raiseFatal() {
    const std::lock_guard guard(mutex_);
    raise(regs::IrqStatus::kFatal.mask());
}

void FakeDevicePort::raiseMmuFault(std::uint32_t info, std::uint64_t address) {
    const std::lock_guard guard(mutex_);
    registers_[regs::MmuFaultInfo::kSpec.offset] = info;
    registers_[regs::MmuFaultAddressLo::kSpec.offset] = static_cast<std::uint32_t>(address);
    registers_[regs::MmuFaultAddressHi::kSpec.offset] = static_cast<std::uint32_t>(address >> 32);
    raise(regs::IrqStatus::kFault.mask());
}

void FakeDevicePort::advance(std::chrono::nanoseconds time) {
    const std::lock_guard guard(mutex_);
    now_ += time;
}

void FakeDevicePort::denyThreads(bool isDenied) {
    const std::lock_guard guard(mutex_);
    deniesThreads_ = isDenied;
}

void FakeDevicePort::delayPosted(std::chrono::nanoseconds time) {
    const std::lock_guard guard(mutex_);
    postDelay_ = time;
}

std::vector<ObservedJob> FakeDevicePort::jobs() const {
    const std::lock_guard guard(mutex_);
    return jobs_;
}

std::vector<fw::Message> FakeDevicePort::messages() const {
    const std::lock_guard guard(mutex_);
    return messages_;
}

fw::BootParameters FakeDevicePort::bootParameters() const {
    const std::lock_guard guard(mutex_);
    return bootParameters_;
}

bool FakeDevicePort::isInReset() const {
    const std::lock_guard guard(mutex_);
    return registers_.at(regs::Control::kSpec.offset) == regs::Control::kReset.put(1);
}

void FakeDevicePort::joinPosted() {
    std::vector<std::thread> threads;
    {
        const std::lock_guard guard(mutex_);
        threads.swap(posted_);
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

// ---- the device

void FakeDevicePort::awaitWaiters(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiters_ == count; });
}

void FakeDevicePort::awaitTimedWaiters(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return timedWaiters_ >= count; });
}

std::optional<fw::SchedulingParameters> FakeDevicePort::scheduling() const {
    const std::lock_guard guard(mutex_);
    return scheduling_;
}

bool FakeDevicePort::isIdle() const {
    const bool hasWork = !work_.empty() && !isHung_;
    const auto status = registers_.find(regs::IrqStatus::kSpec.offset);
    const auto mask = registers_.find(regs::IrqMask::kSpec.offset);
    const bool isRaised = status != registers_.end() && mask != registers_.end() &&
                          (status->second & mask->second) != 0 && handler_ != nullptr;
    return !hasWork && !isFirmwareBusy_ && !isHandlerBusy_ && !isRaised;
}

void FakeDevicePort::runFirmware() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return isEnding_ || !work_.empty(); });
        if (isEnding_) {
            return;
        }
        auto next = std::move(work_.front());
        work_.pop_front();
        if (isHung_) {
            continue;
        }
        isFirmwareBusy_ = true;
        next(lock);
        isFirmwareBusy_ = false;
        changed_.notify_all();
    }
}

void FakeDevicePort::runInterrupts() {
    std::unique_lock lock(mutex_);
    const auto isRaised = [&] {
        return handler_ != nullptr && (registers_[regs::IrqStatus::kSpec.offset] &
                                       registers_[regs::IrqMask::kSpec.offset]) != 0;
    };
    for (;;) {
        changed_.wait(lock, [&] { return isEnding_ || isRaised(); });
        if (isEnding_) {
            return;
        }
        isHandlerBusy_ = true;
        const auto handler = handler_;
        lock.unlock();
        handler();
        lock.lock();
        isHandlerBusy_ = false;
        changed_.notify_all();
    }
}

void FakeDevicePort::raise(std::uint32_t bits) {
    registers_[regs::IrqStatus::kSpec.offset] |= bits;
    changed_.notify_all();
}

void FakeDevicePort::reset() {
    rings_.clear();
    work_.clear();
    registers_[regs::MailboxInControl::kSpec.offset] = 0;
    registers_[regs::MailboxOutControl::kSpec.offset] = 0;
    registers_[regs::IrqStatus::kSpec.offset] = 0;
    isHung_ = isHung_ && !isCuredByReset_;
}

void FakeDevicePort::boot() {
    ++boots_;
    const std::uint64_t address = registers_[regs::BootParametersLo::kSpec.offset] |
                                  std::uint64_t{registers_[regs::BootParametersHi::kSpec.offset]}
                                          << 32;
    if (const std::byte* at = memory_.atBus(address, sizeof(bootParameters_)); at != nullptr) {
        std::memcpy(&bootParameters_, at, sizeof(bootParameters_));
    }
    send(ready_);
}

void FakeDevicePort::send(const fw::Message& message) {
    std::uint32_t words[regs::kMailboxWords];
    const fw::Message sent = fw::sealed(message);
    std::memcpy(words, &sent, sizeof(sent));
    words[3] ^= spoiledMessages_ > 0 ? 1U : 0U;
    spoiledMessages_ -= spoiledMessages_ > 0 ? 1 : 0;
    for (std::uint32_t i = 0; i < regs::kMailboxWords; ++i) {
        registers_[regs::MailboxOut::kSpec.at(i)] = words[i];
    }
    registers_[regs::MailboxOutControl::kSpec.offset] = 1;
    raise(regs::IrqStatus::kMessage.mask());
}

void FakeDevicePort::answer(const fw::Message& message) {
    messages_.push_back(message);
    registers_[regs::MailboxInControl::kSpec.offset] = 0;
    now_ += std::chrono::nanoseconds(500);
    fw::Message reply{};
    reply.type = fw::MessageType::kReply;
    reply.requestId = message.requestId;
    const auto refusal = refusals_.find(message.type);
    reply.status = static_cast<std::uint32_t>(refusal != refusals_.end() ? refusal->second
                                                                         : serve(message));
    send(reply);
}

fw::MessageStatus FakeDevicePort::serve(const fw::Message& message) {
    const std::uint32_t context = message.target.context;
    switch (message.type) {
        case fw::MessageType::kCreateContext:
            if (memory_.atBus(message.target.address, 4096) == nullptr ||
                message.target.address % 4096 != 0) {
                return fw::MessageStatus::kBadAddress;
            }
            memory_.setRoot(context, message.target.address);
            return fw::MessageStatus::kOk;
        case fw::MessageType::kDestroyContext:
            for (const auto& [index, ring] : rings_) {
                if (ring.context == context) {
                    return fw::MessageStatus::kBusy;
                }
            }
            memory_.clearRoot(context);
            return fw::MessageStatus::kOk;
        case fw::MessageType::kCreateRing: {
            fw::RingHeader header{};
            const std::byte* at = memory_.atBus(message.target.address, sizeof(header));
            if (at == nullptr || rings_.contains(message.target.ring)) {
                return fw::MessageStatus::kBadRing;
            }
            std::memcpy(&header, at, sizeof(header));
            if (header.magic != fw::kRingMagic || header.version != fw::kRingApiVersion ||
                memory_.atBus(message.target.address,
                              fw::ringBytes(header.slotCount, header.completionCount)) == nullptr) {
                return fw::MessageStatus::kBadVersion;
            }
            rings_[message.target.ring] = {context, static_cast<fw::PriorityBand>(message.value),
                                           message.target.address};
            if (header.tail != header.head) {
                work_.emplace_back([this, ring = message.target.ring,
                                    tail = header.tail](auto& lock) { runJobs(ring, tail, lock); });
            }
            return fw::MessageStatus::kOk;
        }
        case fw::MessageType::kDestroyRing:
            return rings_.erase(message.target.ring) == 1 ? fw::MessageStatus::kOk
                                                          : fw::MessageStatus::kBadRing;
        case fw::MessageType::kSetScheduling: {
            const std::byte* at =
                    memory_.atBus(message.target.address, sizeof(fw::SchedulingParameters));
            if (at == nullptr) {
                return fw::MessageStatus::kBadAddress;
            }
            std::memcpy(&scheduling_.emplace(), at, sizeof(fw::SchedulingParameters));
            return fw::MessageStatus::kOk;
        }
        case fw::MessageType::kInvalidateTlb:
            memory_.invalidate(context);
            return fw::MessageStatus::kOk;
        case fw::MessageType::kSetPower:
            return fw::MessageStatus::kOk;
        default:
            return fw::MessageStatus::kUnknownType;
    }
}

void FakeDevicePort::runJobs(std::uint32_t ringIndex, std::uint32_t tail,
                             std::unique_lock<std::mutex>& lock) {
    changed_.wait(lock, [&] { return !isPaused_ || isEnding_; });
    const auto found = rings_.find(ringIndex);
    if (found == rings_.end() || isEnding_) {
        return;
    }
    const Ring& ring = found->second;
    auto* header = reinterpret_cast<fw::RingHeader*>(
            memory_.atBus(ring.busAddress, sizeof(fw::RingHeader)));
    std::byte* slots = reinterpret_cast<std::byte*>(header) + sizeof(fw::RingHeader);
    std::byte* records = slots + header->slotCount * sizeof(fw::JobSlot);
    while (header->head != tail) {
        ObservedJob job;
        job.ring = ringIndex;
        job.context = ring.context;
        job.band = ring.band;
        std::memcpy(&job.slot, slots + header->head % header->slotCount * sizeof(fw::JobSlot),
                    sizeof(fw::JobSlot));
        if (hangsInJob_) {
            hangsInJob_ = false;
            isHung_ = true;
            logStart(job);
            return;
        }
        ++header->head;
        fw::CompletionRecord record = runJob(job);
        record.failingEngine = UINT32_MAX;
        record.checksum = fw::checksumOf(record);
        if (spoil_) {
            std::exchange(spoil_, nullptr)(record);
        }
        jobs_.push_back(std::move(job));
        const std::uint32_t at = header->completionTail % header->completionCount;
        std::memcpy(records + at * sizeof(record), &record, sizeof(record));
        std::atomic_ref(header->completionTail).store(header->completionTail + 1);
        if (!losesJobInterrupts_) {
            raise(regs::IrqStatus::kJobDone.mask());
        }
    }
}

void FakeDevicePort::logStart(const ObservedJob& job) {
    fw::LogHeader header{};
    header.recordCount = 1;
    header.written = 1;
    fw::LogRecord record{};
    record.event = fw::LogEvent::kJobStart;
    record.a = job.ring;
    record.b = job.slot.jobId;
    std::byte* at = memory_.atBus(bootParameters_.logBusAddress, bootParameters_.logBytes);
    std::memcpy(at, &header, sizeof(header));
    std::memcpy(at + sizeof(header), &record, sizeof(record));
}

fw::CompletionRecord FakeDevicePort::runJob(ObservedJob& job) {
    fw::CompletionRecord record{};
    record.jobId = job.slot.jobId;
    record.fenceValue = job.slot.fenceValue;
    record.failingCommand = UINT32_MAX;
    record.queuedCycle = static_cast<std::uint64_t>(now_.count());
    record.startCycle = record.queuedCycle + 100;
    const auto commands = readVirtual(job.context, job.slot.commandAddress, job.slot.commandBytes);
    const auto table = readVirtual(job.context, job.slot.regionTableAddress,
                                   job.slot.regionCount * sizeof(fw::RegionEntry));
    if (!commands || !table) {
        record.status = hw::JobStatus::kBadJob;
        record.faultAddress = commands ? job.slot.regionTableAddress : job.slot.commandAddress;
    } else {
        job.commands = *commands;
        job.regions.resize(job.slot.regionCount);
        std::memcpy(job.regions.data(), table->data(), table->size());
        record.status = jobFunction_ ? jobFunction_(memory_, job) : hw::JobStatus::kOk;
        if (record.status == hw::JobStatus::kMmuFault) {
            record.faultAddress = 0xBAD000;
            record.failingCommand = 24;
        }
    }
    record.endCycle = record.startCycle + kJobCycles;
    now_ = std::chrono::nanoseconds(static_cast<std::int64_t>(record.endCycle));
    return record;
}

std::optional<std::vector<std::byte>> FakeDevicePort::readVirtual(std::uint32_t context,
                                                                  std::uint64_t address,
                                                                  std::uint64_t sizeBytes) {
    std::vector<std::byte> bytes(sizeBytes);
    for (std::uint64_t i = 0; i < sizeBytes; ++i) {
        const std::byte* at = memory_.translate(context, address + i, false);
        if (at == nullptr) {
            return std::nullopt;
        }
        bytes[i] = *at;
    }
    return bytes;
}

}  // namespace vnpu::driver::test
