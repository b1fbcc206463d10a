// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/parcel.h"

#include <fmt/format.h>
#include <vnpu/hal/duplicate_handle.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "hal/rpc/interface_list.h"

namespace vnpu::hal::rpc {

using android::sp;
using android::hidl::base::V1_0::IBase;

void ParcelWriter::writeBytes(const void* data, size_t sizeBytes) {
    const auto* const begin = static_cast<const std::byte*>(data);
    parcel_.bytes.insert(parcel_.bytes.end(), begin, begin + sizeBytes);
}

void ParcelWriter::writeLength(size_t length) {
    if (length > std::numeric_limits<uint32_t>::max()) {
        fail(fmt::format("{} elements, expected less than 2^32", length));
    }
    writeNumber(static_cast<uint32_t>(length));
}

void ParcelWriter::writeHandle(const native_handle_t* handle) {
    writeNumber<uint8_t>(handle == nullptr ? 0 : 1);
    if (handle == nullptr) {
        return;
    }
    const auto copy = duplicateHandle(handle);
    if (!copy) {
        fail(copy.error());
        return;
    }
    const int* const ints = &(*copy)->data[(*copy)->numFds];
    writeLength(static_cast<size_t>((*copy)->numFds));
    writeLength(static_cast<size_t>((*copy)->numInts));
    writeBytes(ints, sizeof(int) * static_cast<size_t>((*copy)->numInts));
    for (int i = 0; i < (*copy)->numFds; ++i) {
        parcel_.descriptors.emplace_back((*copy)->data[i]);
    }
    native_handle_delete(*copy);
}

void ParcelWriter::writeObject(const sp<IBase>& object) {
    writeNumber<uint8_t>(object == nullptr ? 0 : 1);
    if (object != nullptr) {
        parcel_.objects.push_back({object, interfaceOf(*object)});
    }
}

void ParcelWriter::fail(const std::string& reason) {
    if (failure_.empty()) {
        failure_ = reason;
    }
}

tl::expected<Parcel, std::string> ParcelWriter::finish() {
    if (!failure_.empty()) {
        return tl::unexpected(failure_);
    }
    return std::move(parcel_);
}

void ParcelReader::readBytes(void* data, size_t sizeBytes) {
    if (sizeBytes == 0) {
        return;
    }
    if (isGood() && sizeBytes > bytesLeft()) {
        fail(fmt::format("{} bytes at {}, expected {}", bytesLeft(), position_, sizeBytes));
    }
    if (!isGood()) {
        std::memset(data, 0, sizeBytes);
        return;
    }
    std::memcpy(data, parcel_.bytes.data() + position_, sizeBytes);
    position_ += sizeBytes;
}

size_t ParcelReader::readLength(size_t elementBytes) {
    const size_t length = readNumber<uint32_t>();
    if (length > bytesLeft() / std::max<size_t>(elementBytes, 1)) {
        fail(fmt::format("{} elements in {} bytes at {}", length, bytesLeft(), position_));
    }
    return isGood() ? length : 0;
}

native_handle_t* ParcelReader::readHandle() {
    const auto isPresent = readNumber<uint8_t>();
    if (isPresent == 0) {
        return nullptr;
    }
    const auto descriptors = readNumber<uint32_t>();
    const size_t ints = readLength(sizeof(int));
    const size_t left = parcel_.descriptors.size() - nextDescriptor_;
    if (isPresent != 1 || descriptors > left) {
        fail(fmt::format("a handle ({}) of {} descriptors at {}, expected at most {}", isPresent,
                         descriptors, position_, left));
    }
    native_handle_t* const handle =
            isGood() ? native_handle_create(static_cast<int>(descriptors), static_cast<int>(ints))
                     : nullptr;
    if (handle == nullptr) {
        fail(fmt::format("a handle of {} descriptors and {} ints cannot be created", descriptors,
                         ints));
        return nullptr;
    }
    for (size_t i = 0; i < descriptors; ++i) {
        handle->data[i] = parcel_.descriptors[nextDescriptor_++].release();
    }
    readBytes(&handle->data[descriptors], sizeof(int) * ints);
    return handle;
}

sp<IBase> ParcelReader::readObject() {
    const auto isPresent = readNumber<uint8_t>();
    if (isPresent == 0) {
        return nullptr;
    }
    if (isPresent != 1 || nextObject_ == parcel_.objects.size()) {
        fail(fmt::format("an object ({}) at {}, and {} in all", isPresent, position_,
                         parcel_.objects.size()));
        return nullptr;
    }
    return std::move(parcel_.objects[nextObject_++].object);
}

void ParcelReader::fail(const std::string& reason) {
    if (failure_.empty()) {
        failure_ = reason;
    }
}

tl::expected<void, std::string> ParcelReader::finish() {
    const size_t objects = parcel_.objects.size() - nextObject_;
    const size_t descriptors = parcel_.descriptors.size() - nextDescriptor_;
    if (bytesLeft() + objects + descriptors > 0) {
        fail(fmt::format("{} bytes, {} objects and {} descriptors too many", bytesLeft(), objects,
                         descriptors));
    }
    if (!isGood()) {
        return tl::unexpected(failure_);
    }
    return {};
}

}  // namespace vnpu::hal::rpc
