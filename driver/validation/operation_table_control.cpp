// SPDX-License-Identifier: Apache-2.0
// Control flow. What the operands have to be is said by the subgraphs that they enter.
#include "driver/validation/control_flow_relations.h"
#include "driver/validation/operation_types.h"

namespace vnpu::driver {

namespace {

using enum HalVersion;

// A condition without value is for the execution to refuse: NNAPI's suites want such a model valid.
constexpr SignatureForm kIfForms[] = {{"k1?MMX?*", "X+"}};
constexpr SignatureForm kWhileForms[] = {{"MMX?+", "X+"}};

constexpr OperandRelation kIfRelations[] = {conditionIsOneTruth, branchesFit};
constexpr OperandRelation kWhileRelations[] = {loopConditionFits, loopBodyFits};

constexpr OperationSignature kControlSignatures[] = {
        {OperationType::IF, k13, {}, {}, kIfForms, kIfRelations},
        {OperationType::WHILE, k13, {}, {}, kWhileForms, kWhileRelations},
};

}  // namespace

std::span<const OperationSignature> controlSignatures() {
    return kControlSignatures;
}

}  // namespace vnpu::driver
