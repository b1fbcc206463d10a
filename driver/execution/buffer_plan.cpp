// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/buffer_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/control/dma_memory.h"
#include "driver/execution/hal_status.h"
#include "driver/validation/operand_types.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::hardware::hidl_vec;
using nn::V1_3::BufferRole;
using nn::V1_3::Operand;

namespace {

/// Collects the uses of an order and the common properties of their operands.
class Planner {
  public:
    explicit Planner(const BufferOrder& order) : order_(order) {}

    Result<void> addRoles(const hidl_vec<BufferRole>& roles, BufferDirection direction) {
        const char* what = direction == BufferDirection::kInput ? "input" : "output";
        for (std::size_t i = 0; i < roles.size(); ++i) {
            if (auto added = addRole(roles[i], direction); !added) {
                return failAt(fmt::format("{} role {}", what, i), added.error());
            }
        }
        return {};
    }

    Result<BufferPlan> finish() {
        if (first_ == nullptr) {
            return invalidArgument("buffer has no role");
        }
        const hidl_vec<std::uint32_t>& described = order_.description.dimensions;
        if (plan_.isScalar && described.size() != 0) {
            return invalidArgument(fmt::format(
                    "description has {} dimensions, the roles are scalars", described.size()));
        }
        auto combined = combineDimensions(plan_.dimensions, described);
        if (!combined) {
            return failAt("description", combined.error());
        }
        plan_.dimensions = std::move(*combined);
        return std::move(plan_);
    }

  private:
    Result<void> addRole(const BufferRole& role, BufferDirection direction) {
        if (role.modelIndex >= order_.models.size()) {
            return invalidArgument(
                    fmt::format("names model {} of {}", role.modelIndex, order_.models.size()));
        }
        if (!(role.frequency > 0.0F && role.frequency <= 1.0F)) {
            return invalidArgument(
                    fmt::format("has frequency {}, expected above 0 and up to 1", role.frequency));
        }
        const RoleModel& model = order_.models[role.modelIndex];
        const nn::V1_3::Subgraph& main = model.model.main;
        const auto& indexes =
                direction == BufferDirection::kInput ? main.inputIndexes : main.outputIndexes;
        if (role.ioIndex >= indexes.size()) {
            return invalidArgument(
                    fmt::format("has index {}, the model has {}", role.ioIndex, indexes.size()));
        }
        const BufferUse use{model.id, direction, role.ioIndex};
        if (plan_.allows(use)) {
            return invalidArgument("is named twice");
        }
        VNPU_TRY(addOperand(main.operands[indexes[role.ioIndex]]));
        plan_.uses.push_back(use);
        plan_.frequency = std::max(plan_.frequency, role.frequency);
        return {};
    }

    Result<void> addOperand(const Operand& operand) {
        if (first_ == nullptr) {
            const auto facts = factsOf(operand.type);
            if (!facts || facts->elementBytes == 0) {
                return fail(ErrorStatus::GENERAL_FAILURE,
                            fmt::format("is of type {}, which has no fixed size",
                                        toString(operand.type)));
            }
            first_ = &operand;
            plan_.type = operand.type;
            plan_.isScalar = facts->isScalar;
        }
        if (operand.type != first_->type || operand.scale != first_->scale ||
            operand.zeroPoint != first_->zeroPoint ||
            !(operand.extraParams == first_->extraParams)) {
            return invalidArgument(fmt::format(
                    "is {} with scale {} and zero point {}, the first role {} with {} and {}",
                    toString(operand.type), operand.scale, operand.zeroPoint,
                    toString(first_->type), first_->scale, first_->zeroPoint));
        }
        VNPU_TRY_ASSIGN(plan_.dimensions, combineDimensions(plan_.dimensions, operand.dimensions));
        return {};
    }

    const BufferOrder& order_;
    const Operand* first_ = nullptr;  // of the first role
    BufferPlan plan_;
};

Result<std::shared_ptr<Context>> commonContext(const std::vector<RoleModel>& models) {
    const std::shared_ptr<Context>& first = models.front().context;
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (models[i].context != first) {
            return invalidArgument(fmt::format("model {} is uid {}'s, model 0 uid {}'s", i,
                                               models[i].context->uid(), first->uid()));
        }
    }
    return first;
}

}  // namespace

bool BufferPlan::isShapeKnown() const {
    return isScalar || (!dimensions.empty() &&
                        std::find(dimensions.begin(), dimensions.end(), 0U) == dimensions.end());
}

bool BufferPlan::allows(const BufferUse& use) const {
    return std::find(uses.begin(), uses.end(), use) != uses.end();
}

bool BufferPlan::deservesOnChip(std::uint64_t sizeOfContents, std::uint64_t onChipBytes) const {
    const std::uint64_t taken = hw::roundUp(sizeOfContents, hw::kPageBytes);
    return static_cast<double>(taken) <=
           static_cast<double>(frequency) * static_cast<double>(onChipBytes);
}

Result<BufferPlan> planBuffer(const BufferOrder& order) {
    Planner planner(order);
    VNPU_TRY(planner.addRoles(order.inputRoles, BufferDirection::kInput));
    VNPU_TRY(planner.addRoles(order.outputRoles, BufferDirection::kOutput));
    VNPU_TRY_ASSIGN(auto plan, planner.finish());
    VNPU_TRY_ASSIGN(plan.context, commonContext(order.models));
    return plan;
}

}  // namespace vnpu::driver
