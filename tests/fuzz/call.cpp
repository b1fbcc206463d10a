// SPDX-License-Identifier: Apache-2.0
// Calls every method of every interface with arguments and results from the fuzzer, through both
// encodings. Each side must receive exactly what the other side sent.
#include <fcntl.h>

#include <memory>
#include <utility>
#include <vector>

#include "hal/rpc/interfaces.h"
#include "tests/fuzz/byte_source.h"
#include "tests/fuzz/target.h"
#include "tests/hal/rpc/sample.h"

namespace vnpu::fuzz {

namespace {

using namespace hal::rpc;
using android::sp;
using android::hardware::Status;

/// A call to an object of another process, and its answer.
struct Script {
    Parcel arguments;
    bool isCalled = false;
    Reply reply;
};

class ScriptedReference : public RemoteReference {
  public:
    explicit ScriptedReference(Script& script) : script_(script) {}

    Reply call(MethodId /*method*/, Parcel arguments) override {
        script_.isCalled = true;
        script_.arguments = std::move(arguments);
        return std::move(script_.reply);
    }
    Status send(MethodId method, Parcel arguments) override {
        return call(method, std::move(arguments)).status;
    }
    bool linkToDeath(const sp<android::hardware::hidl_death_recipient>& /*recipient*/,
                     uint64_t /*cookie*/, const android::wp<base::IBase>& /*who*/) override {
        return false;
    }
    bool unlinkToDeath(const sp<android::hardware::hidl_death_recipient>& /*recipient*/) override {
        return false;
    }

  private:
    Script& script_;
};

struct MethodCase {
    MethodId id;
    bool isWaitedFor = true;
    Parcel arguments;  // valid ones
    Parcel results;
};

const std::vector<MethodCase>& methodCases() {
    static const auto cases = [] {
        std::vector<MethodCase> all;
        test::Sampler sampler;
        test::forEachMethod([&]<typename M>(M*) {
            all.push_back({idOf<M::kPointer>(), M::kIsWaitedFor,
                           test::encode(sampler.make<typename M::Arguments>()),
                           test::encode(sampler.make<typename M::Results>())});
        });
        return all;
    }();
    return cases;
}

/// A valid parcel with some bytes changed, or arbitrary bytes.
Parcel anyParcel(const Parcel& good, ByteSource& source) {
    std::vector<std::byte> bytes = good.bytes;
    if (source.below(4) == 0) {
        const auto raw = std::as_bytes(source.take(source.below(512)));
        bytes.assign(raw.begin(), raw.end());
    } else {
        source.disturb(bytes);
    }
    Parcel parcel = test::withBytes(good, std::move(bytes));
    if (source.below(4) == 0) {
        parcel.descriptors.resize(source.below(4));  // sometimes none
    }
    if (source.below(4) == 0) {
        parcel.objects.resize(source.below(3));
        for (Parcel::Object& object : parcel.objects) {
            object.object = new Proxy<v12::IBurstContext>(nullptr);
        }
    }
    return parcel;
}

void runCall(std::span<const uint8_t> input) {
    ByteSource source(input);
    const auto& cases = methodCases();
    const MethodCase& chosen = cases[source.below(cases.size())];
    MethodId id = chosen.id;
    if (source.below(32) == 0) {
        id = {source.number<uint16_t>(), source.number<uint16_t>()};
    }
    Script script;
    script.reply.results = anyParcel(chosen.results, source);
    const std::vector<std::byte> results = script.reply.results.bytes;
    const auto object = makeProxy(chosen.id.interface, std::make_unique<ScriptedReference>(script));
    require(object != nullptr, "an interface without proxies");
    Parcel arguments = anyParcel(chosen.arguments, source);
    const std::vector<std::byte> sent = arguments.bytes;
    const Reply reply = dispatch(*object, id, std::move(arguments));
    require(!script.isCalled || script.arguments.bytes == sent,
            "the object gets other arguments than were sent");
    require(!reply.status.isOk() || !chosen.isWaitedFor || reply.results.bytes == results,
            "the caller gets other results than the object gave");
}

}  // namespace

const Target kCall{"call", runCall};

}  // namespace vnpu::fuzz
