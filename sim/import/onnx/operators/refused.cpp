// SPDX-License-Identifier: Apache-2.0
// The operators that are not imported, and why.
#include "sim/import/onnx/operator_table.h"

namespace vnpu::sim::onnx {

namespace {

constexpr const char* kRandom =
        "its result is random, and NNAPI's random operation has no distribution like it";
constexpr const char* kText = "text, which NNAPI does not have";
constexpr const char* kDynamic = "the size of its result depends on values at run time";
constexpr const char* kComplex = "complex numbers, which NNAPI does not have";
constexpr const char* kTraining = "training is not imported";
constexpr const char* kClassic = "not a neural network, expected operators of ONNX's main domain";

constexpr Operator kRefused[] = {
        {"Bernoulli", 15, Status::kRefused, kRandom, nullptr},
        {"DFT", 17, Status::kRefused, kComplex, nullptr},
        {"Det", 11, Status::kRefused, "NNAPI has no determinants", nullptr},
        {"GridSample", 16, Status::kRefused, "it samples at places that are computed at run time",
         nullptr},
        {"MaxRoiPool", 1, Status::kRefused, "the import has no regions of interest", nullptr},
        {"Multinomial", 7, Status::kRefused, kRandom, nullptr},
        {"NonMaxSuppression", 10, Status::kRefused, kDynamic, nullptr},
        {"RandomNormal", 1, Status::kRefused, kRandom, nullptr},
        {"RandomNormalLike", 1, Status::kRefused, kRandom, nullptr},
        {"RandomUniform", 1, Status::kRefused, kRandom, nullptr},
        {"RandomUniformLike", 1, Status::kRefused, kRandom, nullptr},
        {"RoiAlign", 10, Status::kRefused, "the import has no regions of interest", nullptr},
        {"STFT", 17, Status::kRefused, kComplex, nullptr},
        {"StringNormalizer", 10, Status::kRefused, kText, nullptr},
        {"TfIdfVectorizer", 9, Status::kRefused, kText, nullptr},
        {"Unique", 11, Status::kRefused, kDynamic, nullptr},
        {"Adagrad", 1, Status::kRefused, kTraining, nullptr, "ai.onnx.preview.training"},
        {"Adam", 1, Status::kRefused, kTraining, nullptr, "ai.onnx.preview.training"},
        {"Gradient", 1, Status::kRefused, kTraining, nullptr, "ai.onnx.preview.training"},
        {"Momentum", 1, Status::kRefused, kTraining, nullptr, "ai.onnx.preview.training"},
        {"ArrayFeatureExtractor", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"Binarizer", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"CastMap", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"CategoryMapper", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"DictVectorizer", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"FeatureVectorizer", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"Imputer", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"LabelEncoder", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"LinearClassifier", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"LinearRegressor", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"Normalizer", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"OneHotEncoder", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"SVMClassifier", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"SVMRegressor", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"Scaler", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"TreeEnsembleClassifier", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"TreeEnsembleRegressor", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
        {"ZipMap", 1, Status::kRefused, kClassic, nullptr, "ai.onnx.ml"},
};

}  // namespace

std::span<const Operator> refusedOperators() {
    return kRefused;
}

}  // namespace vnpu::sim::onnx
