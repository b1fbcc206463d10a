// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hidl/Status.h>

#include <memory>
#include <utility>
#include <vector>

#include "hal/rpc/parcel.h"
#include "hal/rpc/release_queue.h"

namespace vnpu::hal::rpc {

/// A parcel owned by the loop. If it is dropped, its objects are released elsewhere, because that
/// may take long.
class HeldParcel {
  public:
    explicit HeldParcel(std::shared_ptr<ReleaseQueue> releases, Parcel content = {})
        : parcel(std::move(content)), releases_(std::move(releases)) {}
    HeldParcel(HeldParcel&& other) noexcept = default;
    HeldParcel& operator=(HeldParcel&& other) = delete;
    ~HeldParcel() {
        std::vector<android::sp<android::hidl::base::V1_0::IBase>> objects;
        for (Parcel::Object& each : parcel.objects) {
            objects.push_back(std::move(each.object));
        }
        if (!objects.empty()) {
            releases_->add(std::move(objects));
        }
    }

    Parcel take() { return std::exchange(parcel, {}); }

    Parcel parcel;

  private:
    std::shared_ptr<ReleaseQueue> releases_;
};

/// A Reply owned by the loop.
struct HeldReply {
    android::hardware::Status status;
    HeldParcel results;
};

}  // namespace vnpu::hal::rpc
