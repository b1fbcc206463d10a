// SPDX-License-Identifier: Apache-2.0
// A service, and peers that send what the fuzzer decides: raw bytes, and Cap'n Proto messages in
// any order, with descriptors. Each peer must get an answer or lose its connection, honest clients
// must keep working, and nothing may leak.
#include <android-base/unique_fd.h>
#include <capnp/capability.h>
#include <capnp/message.h>
#include <capnp/rpc.capnp.h>
#include <capnp/serialize.h>
#include <fcntl.h>
#include <hal/rpc/wire.capnp.h>
#include <kj/debug.h>
#include <kj/exception.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <vnpu/hal/rpc_client.h>
#include <vnpu/hal/rpc_server.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/fuzz/byte_source.h"
#include "tests/fuzz/target.h"
#include "tests/hal/rpc/recording_device.h"
#include "tests/hal/rpc/test_objects.h"

namespace vnpu::fuzz {

namespace {

namespace fs = std::filesystem;
namespace nn = android::hardware::neuralnetworks;
namespace wire = hal::rpc::wire;
using android::sp;
using android::base::unique_fd;
using capnp::rpc::CapDescriptor;
using capnp::rpc::Message;
using capnp::rpc::MessageTarget;
using capnp::rpc::Payload;
using hal::rpc::test::RecordingDevice;
using hal::rpc::test::WatchedBuffer;

constexpr const char* kName = "vnpu-test";
constexpr std::chrono::seconds kPatience{30};  // chosen: only a service that hangs takes as long
constexpr int kRunsBetweenChecks = 64;

/// A device that calls its clients back.
sp<RecordingDevice> makeDevice() {
    const sp<RecordingDevice> device(new RecordingDevice);
    device->onPrepare = [](const auto& /*model*/, const auto& /*cache*/, const auto& /*token*/,
                           const auto& callback) {
        if (callback != nullptr) {
            callback->notify_1_3(nn::V1_3::ErrorStatus::GENERAL_FAILURE, nullptr);
        }
        return nn::V1_3::ErrorStatus::NONE;
    };
    device->onAllocate = [](const auto& /*models*/, const auto& callback) {
        callback(nn::V1_3::ErrorStatus::NONE, new WatchedBuffer, 1);
    };
    return device;
}

/// The service under test; it lives until the process ends.
class Service {
  public:
    static Service& instance() {
        static Service service;
        return service;
    }

    const std::string& path() const { return path_; }

    /// Whether a client is served and its connection is the only one.
    void check() {
        const auto client = hal::RpcClient::connect(path_);
        require(client.has_value(), "an honest client cannot connect");
        const auto found = (*client)->find(nn::V1_3::IDevice::descriptor, kName);
        require(found.has_value() && *found != nullptr, "an honest client finds nothing");
        const sp<nn::V1_3::IDevice> device = nn::V1_3::IDevice::castFrom(*found);
        require(device != nullptr && device->getStatus().isOk(), "an honest client is not served");
        const auto end = std::chrono::steady_clock::now() + kPatience;
        while (!isAlone()) {
            require(std::chrono::steady_clock::now() < end,
                    "something of a peer that has gone is still there");
            std::this_thread::yield();
        }
    }

  private:
    Service() {
        std::string pattern = (fs::temp_directory_path() / "vnpu_fuzz_XXXXXX").string();
        require(mkdtemp(pattern.data()) != nullptr, "no folder");
        path_ = pattern + "/vnpu.sock";
        hal::RpcLimits limits;
        limits.messageBytes = size_t{1} << 20;
        auto created = hal::RpcServer::create(
                {.socketPath = path_, .limits = limits, .services = {{kName, makeDevice()}}});
        require(created.has_value(), "no service");
        server_ = std::move(*created);
    }
    bool isAlone() const {
        const auto usage = server_->usage();
        return usage.size() == 1 && usage[0].connections == 1 && usage[0].calls == 0 &&
               usage[0].references == 0;
    }
    ~Service() {
        server_ = nullptr;
        std::error_code ignored;
        fs::remove_all(fs::path(path_).parent_path(), ignored);
    }

    std::string path_;
    std::unique_ptr<hal::RpcServer> server_;
};

/// The peer's end of a connection to the service.
class Peer {
  public:
    Peer() : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        Service::instance().path().copy(address.sun_path, sizeof(address.sun_path) - 1);
        const timeval patience{kPatience.count(), 0};
        setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
        setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
        require(connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address),
                        sizeof(address)) == 0,
                "a peer cannot connect");
    }
    ~Peer() {
        shutdown(socket_.get(), SHUT_WR);
        char ignored[4096];
        ssize_t count = 0;
        do {
            count = ::read(socket_.get(), ignored, sizeof(ignored));
        } while (count > 0);
        require(count == 0 || errno == ECONNRESET,
                "the service keeps the connection of one that left");
    }
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    int socket() const { return socket_.get(); }

    /// Whether the service has closed the connection.
    bool isOver() const {
        char next = 0;
        const ssize_t count = recv(socket_.get(), &next, sizeof(next), MSG_PEEK | MSG_DONTWAIT);
        return count == 0 || (count < 0 && errno == ECONNRESET);
    }

    /// Does nothing if the service has closed the connection.
    void say(std::span<const uint8_t> bytes, size_t descriptors) {
        std::array<int, 4> sent{};
        descriptors = std::min(descriptors, sent.size());
        alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(sent))> control{};
        iovec vector{const_cast<uint8_t*>(bytes.data()), bytes.size()};
        msghdr header{};
        header.msg_iov = &vector;
        header.msg_iovlen = 1;
        const unique_fd file(open("/dev/null", O_RDWR | O_CLOEXEC));
        sent.fill(file.get());
        if (descriptors > 0 && !bytes.empty()) {
            header.msg_control = control.data();
            header.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors);
            cmsghdr* const rights = CMSG_FIRSTHDR(&header);
            rights->cmsg_level = SOL_SOCKET;
            rights->cmsg_type = SCM_RIGHTS;
            rights->cmsg_len = CMSG_LEN(sizeof(int) * descriptors);
            std::memcpy(CMSG_DATA(rights), sent.data(), sizeof(int) * descriptors);
        }
        sendmsg(socket_.get(), &header, MSG_NOSIGNAL);
    }

  private:
    const unique_fd socket_;
};

/// Generates messages of a peer in Cap'n Proto's protocol.
class Conversation {
  public:
    Conversation(Peer& peer, ByteSource& source) : peer_(peer), source_(source) {}

    void say() {
        capnp::MallocMessageBuilder message;
        fill(message.initRoot<Message>());
        const auto words = capnp::messageToFlatArray(message);
        std::vector<uint8_t> bytes(words.asBytes().begin(), words.asBytes().end());
        if (source_.below(8) == 0) {
            source_.disturb(std::as_writable_bytes(std::span(bytes)));
            isInStep_ = false;  // the service may wait for the rest of the message
        }
        peer_.say(bytes, source_.below(8) == 0 ? source_.below(5) : 0);
    }

    /// Sends a question that has an answer and waits for it; returns false if the connection has
    /// ended.
    bool isAnswered() {
        if (!isInStep_) {
            return true;
        }
        constexpr uint32_t kQuestion = 1000;  // used by no other question
        capnp::MallocMessageBuilder message;
        message.initRoot<Message>().initBootstrap().setQuestionId(kQuestion + ++asked_);
        const auto words = capnp::messageToFlatArray(message);
        peer_.say({words.asBytes().begin(), words.asBytes().size()}, 0);
        try {
            for (;;) {
                capnp::StreamFdMessageReader reader(peer_.socket());
                const auto answer = reader.getRoot<Message>();
                if (answer.isReturn() && answer.getReturn().getAnswerId() == kQuestion + asked_) {
                    return true;
                }
            }
        } catch (const kj::Exception& end) {
            require(peer_.isOver(), end.getDescription().cStr());
            return false;
        }
    }

  private:
    uint32_t number() {
        return source_.below(8) == 0 ? source_.number<uint32_t>()
                                     : static_cast<uint32_t>(source_.below(4));
    }

    void fill(Message::Builder message) {
        switch (source_.below(16)) {
            case 0:
                message.initBootstrap().setQuestionId(number());
                break;
            case 1:
                fill(message.initReturn());
                break;
            case 2: {
                auto finish = message.initFinish();
                finish.setQuestionId(number());
                finish.setReleaseResultCaps(source_.flip());
                break;
            }
            case 3: {
                auto resolve = message.initResolve();
                resolve.setPromiseId(number());
                source_.flip() ? fill(resolve.initCap()) : fill(resolve.initException());
                break;
            }
            case 4: {
                auto release = message.initRelease();
                release.setId(number());
                release.setReferenceCount(number());
                break;
            }
            case 5:
                fill(message.initDisembargo());
                break;
            case 6:
                fillSeldom(message);
                break;
            default:
                fill(message.initCall());
        }
    }

    void fillSeldom(Message::Builder message) {
        switch (source_.below(6)) {
            case 0:
                message.initUnimplemented().initBootstrap().setQuestionId(number());
                break;
            case 1:
                fill(message.initAbort());
                break;
            case 2: {
                auto provide = message.initProvide();
                provide.setQuestionId(number());
                fill(provide.initTarget());
                break;
            }
            case 3:
                message.initAccept().setQuestionId(number());
                break;
            case 4: {
                auto join = message.initJoin();
                join.setQuestionId(number());
                fill(join.initTarget());
                break;
            }
            default:
                fill(message.initUnimplemented().initCall());
        }
    }

    void fill(capnp::rpc::Call::Builder call) {
        call.setQuestionId(number());
        fill(call.initTarget());
        call.setAllowThirdPartyTailCall(source_.below(16) == 0);
        if (source_.below(16) == 0) {
            call.getSendResultsTo().setYourself();
        }
        auto payload = call.initParams();
        if (source_.below(3) == 0) {
            fillQuestion(call, payload);
        } else {
            fillObjectCall(call, payload);
        }
        if (source_.below(16) == 0) {
            call.setInterfaceId(source_.number<uint64_t>());
            call.setMethodId(source_.number<uint16_t>());
        }
    }

    void fillQuestion(capnp::rpc::Call::Builder call, Payload::Builder payload) {
        call.setInterfaceId(capnp::typeId<wire::Registry>());
        call.setMethodId(static_cast<uint16_t>(source_.below(3)));
        auto params = payload.getContent().initAs<wire::Registry::FindParams>();
        params.setVersion(source_.below(8) == 0 ? number() : wire::VERSION);
        params.setDescriptor(source_.below(8) == 0 ? "" : nn::V1_3::IDevice::descriptor);
        params.setName(source_.below(8) == 0 ? "nobody" : kName);
    }

    void fillObjectCall(capnp::rpc::Call::Builder call, Payload::Builder payload) {
        call.setInterfaceId(capnp::typeId<wire::Object>());
        capnp::BuilderCapabilityTable capabilities;
        auto params = capabilities.imbue(payload.getContent()).initAs<wire::Object::CallParams>();
        params.setInterface(static_cast<uint16_t>(source_.below(24)));
        params.setMethod(static_cast<uint16_t>(source_.below(10)));
        auto parcel = params.initArguments();
        const auto bytes = source_.take(source_.below(64));
        parcel.setBytes({bytes.data(), bytes.size()});
        // Each of these is the next entry of the table, which may exist.
        for (auto object : parcel.initObjects(static_cast<unsigned>(source_.below(3)))) {
            object.setInterface(static_cast<uint16_t>(source_.below(24)));
            object.setObject(entry<wire::Object>());
        }
        auto descriptors = parcel.initDescriptors(static_cast<unsigned>(source_.below(3)));
        for (unsigned i = 0; i < descriptors.size(); ++i) {
            descriptors.set(i, entry<wire::Descriptor>());
        }
        for (auto described : payload.initCapTable(static_cast<unsigned>(source_.below(5)))) {
            fill(described);
        }
    }

    template <typename Interface>
    static typename Interface::Client entry() {
        return KJ_EXCEPTION(FAILED, "stands for an entry of the table");
    }

    void fill(MessageTarget::Builder target) {
        if (source_.flip()) {
            target.setImportedCap(number());
        } else {
            fill(target.initPromisedAnswer());
        }
    }
    void fill(capnp::rpc::PromisedAnswer::Builder answer) {
        answer.setQuestionId(number());
        for (auto step : answer.initTransform(static_cast<unsigned>(source_.below(4)))) {
            if (source_.below(4) != 0) {
                step.setGetPointerField(static_cast<uint16_t>(source_.below(3)));
            }
        }
    }
    void fill(CapDescriptor::Builder descriptor) {
        switch (source_.below(6)) {
            case 0:
                descriptor.setSenderHosted(number());
                break;
            case 1:
                descriptor.setSenderPromise(number());
                break;
            case 2:
                descriptor.setReceiverHosted(number());
                break;
            case 3:
                fill(descriptor.initReceiverAnswer());
                break;
            case 4:
                descriptor.initThirdPartyHosted().setVineId(number());
                break;
            default:
                break;
        }
        if (source_.flip()) {
            descriptor.setAttachedFd(static_cast<uint8_t>(source_.below(5)));
        }
    }
    void fill(capnp::rpc::Return::Builder answer) {
        answer.setAnswerId(number());
        answer.setReleaseParamCaps(source_.flip());
        switch (source_.below(5)) {
            case 0:
                fill(answer.initException());
                break;
            case 1:
                answer.setCanceled();
                break;
            case 2:
                answer.setResultsSentElsewhere();
                break;
            case 3:
                answer.setTakeFromOtherQuestion(number());
                break;
            default: {
                auto payload = answer.initResults();
                auto results = payload.getContent().initAs<wire::Object::CallResults>();
                results.initStatus().setException(static_cast<int32_t>(source_.below(3)) - 1);
                for (auto entry : payload.initCapTable(static_cast<unsigned>(source_.below(3)))) {
                    fill(entry);
                }
            }
        }
    }
    void fill(capnp::rpc::Exception::Builder exception) {
        exception.setReason("fuzz");
        exception.setType(static_cast<capnp::rpc::Exception::Type>(source_.below(5)));
    }
    void fill(capnp::rpc::Disembargo::Builder disembargo) {
        fill(disembargo.initTarget());
        if (source_.flip()) {
            disembargo.getContext().setSenderLoopback(number());
        } else {
            disembargo.getContext().setReceiverLoopback(number());
        }
    }

    Peer& peer_;
    ByteSource& source_;
    uint32_t asked_ = 0;
    bool isInStep_ = true;
};

void converse(ByteSource& source) {
    Peer peer;
    Conversation conversation(peer, source);
    for (int messages = 0; messages < 16 && !source.isEmpty(); ++messages) {
        conversation.say();
        if (source.flip() && !conversation.isAnswered()) {
            return;
        }
    }
}

void runConnection(std::span<const uint8_t> input) {
    static int runs = 0;
    Service& service = Service::instance();
    ByteSource source(input);
    if (source.below(4) == 0) {
        Peer peer;
        peer.say(source.take(SIZE_MAX), 0);
    } else {
        converse(source);
    }
    if (++runs % kRunsBetweenChecks == 0) {
        service.check();
    }
}

}  // namespace

const Target kConnection{"connection", runConnection};

}  // namespace vnpu::fuzz
