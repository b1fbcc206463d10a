// SPDX-License-Identifier: Apache-2.0
// Scales of axes: from values to positions, with round values for the ticks.

/** A scale from [low, high] to [from, to]: call it with a value; `ticks` are round values. */
function linearScale(low, high, from, to) {
    const span = high > low ? high - low : 1;
    const scale = (value) => from + (value - low) / span * (to - from);
    scale.invert = (position) => low + (position - from) / (to - from) * span;
    scale.ticks = linearTicks(low, low + span, to < from ? (from - to) / 45 : (to - from) / 80);
    return scale;
}

/** Multiples of 1, 2 or 5 times a power of ten, about `count` of them. */
function linearTicks(low, high, count) {
    const step = roundStep((high - low) / Math.max(1, count));
    const ticks = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; ++k) {
        ticks.push(k * step);
    }
    return ticks;
}

/** The smallest of 1, 2 and 5 times a power of ten that is not below `step`. */
function roundStep(step) {
    const decade = 10 ** Math.floor(Math.log10(step));
    return [1, 2, 5, 10].map((factor) => factor * decade).find((candidate) => candidate >= step * (1 - 1e-9)) ?? 10 * decade;
}

/** As linearScale, with equal distances for equal ratios; `low` must be above 0. */
function logScale(low, high, from, to) {
    const top = high > low ? high : low * 10;
    const inner = linearScale(Math.log10(low), Math.log10(top), from, to);
    const scale = (value) => inner(Math.log10(value));
    scale.invert = (position) => 10 ** inner.invert(position);
    scale.ticks = logTicks(low, top, Math.abs(to - from) / 60);
    return scale;
}

function logTicks(low, high, count) {
    const decades = Math.log10(high / low);
    const factors = decades * 3 <= count ? [1, 2, 5] : [1];
    const every = Math.max(1, Math.ceil(decades / count));
    const ticks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power) {
        for (const factor of power % every === 0 ? factors : []) {
            const value = factor * 10 ** power;
            if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) {
                ticks.push(value);
            }
        }
    }
    return ticks;
}

/** Positions of names, evenly spaced. */
function bandScale(names, from, to) {
    const width = (to - from) / Math.max(1, names.length);
    const scale = (name) => from + (names.indexOf(name) + 0.5) * width;
    scale.invert = (position) => names[Math.floor((position - from) / width)];
    scale.ticks = names;
    scale.width = Math.abs(width);
    return scale;
}

/** The least and the most of the finite values; [0, 1] without any. */
function extent(values) {
    let low = Infinity;
    let high = -Infinity;
    for (const value of values) {
        if (Number.isFinite(value)) {
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
    }
    return low <= high ? [low, high] : [0, 1];
}
