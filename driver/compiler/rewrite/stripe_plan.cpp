// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/stripe_plan.h"

#include <algorithm>
#include <utility>

#include "driver/compiler/ir/graph_users.h"
#include "driver/compiler/ir/node_tensors.h"

namespace vnpu::driver {
namespace {

Rows hull(const std::optional<Rows>& a, const Rows& b) {
    return a ? Rows{std::min(a->begin, b.begin), std::max(a->end, b.end)} : b;
}

class StripePlanner {
  public:
    StripePlanner(const Graph& graph, std::span<const std::size_t> region) : graph_(graph) {
        std::vector<bool> isInside(graph.nodes.size(), false);
        for (const std::size_t n : region) {
            isInside[n] = true;
            addNode(graph.nodes[n]);
        }
        classify(isInside);
    }

    std::uint32_t outputRows() const {
        std::uint32_t rows = 0;
        for (const StripedNode& member : plan_.nodes) {
            const StripedImage& image = plan_.images.at(member.output);
            if (!image.isInternal) {
                rows = rows == 0 ? image.rows : std::min(rows, image.rows);
            }
            for (const TensorId input : member.inputs) {
                const bool isMade = std::any_of(
                        plan_.nodes.begin(), plan_.nodes.end(),
                        [input](const StripedNode& other) { return other.output == input; });
                if (isMade && !plan_.images.at(input).isInternal) {
                    return 0;
                }
            }
        }
        return rows;
    }

    std::optional<StripePlan> run(const StripeForm& form) {
        const std::uint32_t least = outputRows();
        if (least == 0 || form.rows == 0) {
            return std::nullopt;
        }
        plan_.form = form;
        plan_.stripes = partsOf(least, form.rows);
        for (std::uint32_t s = 0; s < plan_.stripes; ++s) {
            const Part wanted = partOf(s, form.rows, least);
            if (!walkBack({wanted.begin, wanted.begin + wanted.count}, least)) {
                return std::nullopt;
            }
        }
        setDelays();
        return std::move(plan_);
    }

  private:
    void addNode(const Node& node) {
        StripedNode member;
        member.node = &node;
        member.inputs = {inputsOf(node).front()};
        member.output = outputOf(node);
        if (const ImageNode* image = imageNodeOf(node)) {
            member.engine = std::holds_alternative<ConvNode>(node.work) ? StripeEngine::kMac
                                                                        : StripeEngine::kVector;
            member.walk = image->geometry.rows();
        } else {
            member.inputs = inputsOf(node);
            member.engine = StripeEngine::kVector;
            member.walk.input = graph_.tensors[member.output].shape[1];
        }
        for (const TensorId input : member.inputs) {
            addImage(input);
        }
        StripedImage& output = addImage(member.output);
        if (const ImageNode* image = imageNodeOf(node);
            image != nullptr && image->outputPixelStride != 0) {
            output.rowBytes = image->outputPixelStride * output.width *
                              graph_.tensors[member.output].elementBytes();
        }
        plan_.nodes.push_back(std::move(member));
    }

    StripedImage& addImage(TensorId id) {
        const Tensor& tensor = graph_.tensors[id];
        StripedImage image;
        image.rows = tensor.shape[1];
        image.width = tensor.shape[2];
        image.channels = tensor.shape[3];
        image.rowBytes = std::uint64_t{image.width} * image.channels * tensor.elementBytes();
        return plan_.images.try_emplace(id, image).first->second;
    }

    void classify(const std::vector<bool>& isInside) {
        struct Users {
            std::size_t readers = 0, makers = 0;  // inside
            bool isLocal = true;                  // none outside
        };
        std::map<TensorId, Users> users;
        const auto count = [&](TensorId tensor, std::size_t n, std::size_t Users::*kind) {
            if (plan_.images.count(tensor) != 0) {
                Users& known = users[tensor];
                known.*kind += isInside[n] ? 1 : 0;
                known.isLocal = known.isLocal && isInside[n];
            }
        };
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
            forEachInput(graph_.nodes[n],
                         [&](TensorId tensor) { count(tensor, n, &Users::readers); });
            forEachOutput(graph_.nodes[n],
                          [&](TensorId tensor) { count(tensor, n, &Users::makers); });
        }
        for (auto& [tensor, image] : plan_.images) {
            const Users& known = users[tensor];
            image.isInternal = known.isLocal && known.makers == 1 && known.readers > 0 &&
                               isIntermediate(graph_, tensor) && liesAlone(graph_, tensor);
            image.isShared = known.makers == 0 && known.readers > 1;
        }
    }

    static bool takesPairs(const StripedNode& member) {
        const auto* conv = std::get_if<ConvNode>(&member.node->work);
        return conv != nullptr && !conv->isDepthwise() && member.walk.taps == 3 &&
               member.walk.stride == 1 && member.walk.dilation == 1;
    }

    /// Determines the rows that each node computes for a stripe, from the outputs back.
    bool walkBack(const Rows& wanted, std::uint32_t least) {
        std::map<TensorId, Rows> needed;
        const auto scaled = [&](std::uint32_t row, std::uint32_t rows) {
            return static_cast<std::uint32_t>(std::uint64_t{row} * rows / least);
        };
        for (std::size_t m = plan_.nodes.size(); m-- > 0;) {
            StripedNode& member = plan_.nodes[m];
            StripedImage& image = plan_.images.at(member.output);
            Rows fresh{scaled(wanted.begin, image.rows), scaled(wanted.end, image.rows)};
            if (image.isInternal) {
                const auto found = needed.find(member.output);
                if (found == needed.end()) {
                    return false;
                }
                fresh = found->second;
                if (plan_.form.hasRowPairs && takesPairs(member) && fresh.end % 2 == 1 &&
                    fresh.end + 1 < image.rows) {
                    fresh.end = ++found->second.end;
                }
                if (!image.pieces.empty()) {
                    fresh.begin = std::max(fresh.begin, image.pieces.back().end);
                }
            }
            if (fresh.end <= fresh.begin) {
                return false;
            }
            member.newRows.push_back(fresh);
            const Reach reach = reachOf(member.walk, {fresh.begin, fresh.count()});
            const Rows read = readRows(reach);
            for (const TensorId input : member.inputs) {
                const auto known = needed.find(input);
                needed[input] = hull(
                        known == needed.end() ? std::nullopt : std::optional<Rows>(known->second),
                        read);
            }
        }
        for (const auto& [tensor, rows] : needed) {
            StripedImage& image = plan_.images.at(tensor);
            const bool goesBack =
                    !image.pieces.empty() &&
                    (rows.begin < image.pieces.back().begin || rows.end < image.pieces.back().end);
            if (image.isInternal && goesBack) {
                return false;
            }
            image.pieces.push_back(rows);
        }
        return true;
    }

    /// A stripe that reads another engine's tensor begins one step later, so that both engines
    /// work. In a serial plan, all begin one step behind the transfers of shared tensors.
    void setDelays() {
        if (plan_.form.isSerial) {
            const bool hasShared = std::ranges::any_of(
                    plan_.images, [](const auto& image) { return image.second.isShared; });
            for (StripedNode& member : plan_.nodes) {
                member.delay = hasShared ? 1 : 0;
            }
            return;
        }
        std::map<TensorId, std::pair<std::uint32_t, StripeEngine>> makers;
        for (const auto& [tensor, image] : plan_.images) {
            if (image.isShared) {
                makers[tensor] = {0, StripeEngine::kDma};
            }
        }
        for (StripedNode& member : plan_.nodes) {
            for (const TensorId input : member.inputs) {
                if (const auto found = makers.find(input); found != makers.end()) {
                    const auto& [delay, engine] = found->second;
                    member.delay =
                            std::max(member.delay, delay + (engine == member.engine ? 0U : 1U));
                }
            }
            makers[member.output] = {member.delay, member.engine};
        }
    }

    const Graph& graph_;
    StripePlan plan_;
};

}  // namespace

Rows readRows(const Reach& reach) {
    return {reach.input.begin, reach.input.begin + reach.input.count};
}

bool StripedNode::reads(TensorId tensor) const {
    return std::find(inputs.begin(), inputs.end(), tensor) != inputs.end();
}

std::optional<StripePlan> planStripes(const Graph& graph, std::span<const std::size_t> region,
                                      const StripeForm& form) {
    return StripePlanner(graph, region).run(form);
}

std::uint32_t narrowestOutput(const Graph& graph, std::span<const std::size_t> region) {
    return StripePlanner(graph, region).outputRows();
}

}  // namespace vnpu::driver
