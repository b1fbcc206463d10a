// SPDX-License-Identifier: Apache-2.0
#include "sim/models/zoo.h"

#include <array>

namespace vnpu::sim::zoo {

namespace {

constexpr std::array kEntries = {
        Entry{"alexnet", "AlexNet without groups and LRN, 224x224, 1000 classes", alexnet, false},
        Entry{"autoencoder", "MLPerf Tiny anomaly detection, 640 values", autoencoder, true},
        Entry{"ds_cnn", "MLPerf Tiny keyword spotting, 49x10, 12 classes", dsCnn, true},
        Entry{"elman",
              "Elman network, one step: 64 features, 128 of state (input 1, output 1), 12 classes",
              elman, true},
        Entry{"googlenet", "GoogLeNet without LRN and side classifiers, 224x224, 1000 classes",
              googlenet, false},
        Entry{"mobilenet_v1", "MobileNet v1 1.0, 224x224, 1001 classes", mobilenetV1, true},
        Entry{"mobilenet_v1_025_96", "MLPerf Tiny visual wake words, MobileNet v1 0.25, 96x96",
              mobilenetV1Small, true},
        Entry{"mobilenet_v1_05_160", "MobileNet v1 0.5, 160x160, 1001 classes", mobilenetV1Half,
              false},
        Entry{"mobilenet_v2", "MobileNet v2 1.0, 224x224, 1001 classes", mobilenetV2, true},
        Entry{"resnet50", "ResNet-50 v1.5, 224x224, 1000 classes", resnet50, false},
        Entry{"resnet8", "MLPerf Tiny image classification, ResNet-8, 32x32, 10 classes", resnet8,
              true},
        Entry{"sentiment", "sentiment analysis: 1 layer of 512 LSTM cells, 2 classes; :N steps",
              sentiment, false, true},
        Entry{"speech", "speech recognition: 3 layers of 512 LSTM cells, 29 letters; :N steps",
              speech, false, true},
        Entry{"translation",
              "translation: encoder and decoder of 2 x 512 LSTM cells, 8000 words; :N steps",
              translation, false, true},
        Entry{"vgg16", "VGG-16, 224x224, 1000 classes", vgg16, false},
};

}  // namespace

std::span<const Entry> entries() {
    return kEntries;
}

}  // namespace vnpu::sim::zoo
