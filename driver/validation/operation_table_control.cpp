// SPDX-License-Identifier: Apache-2.0
// Control flow. The subgraphs determine the types and shapes of the operands.
#include "driver/validation/control_flow_relations.h"
#include "driver/validation/operation_types.h"

namespace vnpu::driver {

namespace {

using enum HalVersion;

// The execution refuses a condition without a value: for NNAPI's suites, such a model is valid.
constexpr SignatureForm kIfForms[] = {{"k1?MMX?*", "X+"}};
constexpr SignatureForm kWhileForms[] = {{"MMX?+", "X+"}};

constexpr OperandRelation kIfRelations[] = {conditionIsOneTruth, branchesFit};
constexpr OperandRelation kWhileRelations[] = {loopConditionFits, loopBodyFits};

constexpr OperationSignature kControlSignatures[] = {
        {OperationType::IF, k13, {}, {}, kIfForms, kIfRelations},
        {OperationType::WHILE, k13, {}, {}, kWhileForms, kWhileRelations},
};

}  // namespace

constinit const OperationFamily kControlFamily{kControlSignatures};

}  // namespace vnpu::driver
