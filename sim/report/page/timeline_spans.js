// SPDX-License-Identifier: Apache-2.0
// Spans of time that are found quickly: the bars of a lane of the timeline.

/** The number of elements of the ascending `values` that are below `limit`. */
function lowerBound(values, limit, from = 0, to = values.length) {
    let low = from;
    let high = to;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (values[middle] < limit) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/** Sums of the elements before each. */
function prefixSums(values) {
    const sums = new Float64Array(values.length + 1);
    for (let i = 0; i < values.length; ++i) {
        sums[i + 1] = sums[i] + values[i];
    }
    return sums;
}

/**
 * Spans [start, start + length) by their start. `order` is null, or maps a span to its place in the columns where those are not
 * ascending. Spans that overlap have different rows; `lookback` spans before a moment's may reach it.
 */
function makeSpans(startNs, lengthNs) {
    const count = startNs.length;
    let order = null;
    for (let i = 1; i < count && order === null; ++i) {
        if (startNs[i] < startNs[i - 1]) {
            order = Uint32Array.from({length: count}, (_, k) => k).sort((a, b) => startNs[a] - startNs[b] || a - b);
        }
    }
    const spans = {count, order, start: order ? Float64Array.from(order, (k) => startNs[k]) : startNs, end: new Float64Array(count), row: new Uint8Array(count), rowCount: 1, lookback: 1};
    const freeFrom = [0];
    const lengths = new Float64Array(count);
    let oldest = 0;
    for (let i = 0; i < count; ++i) {
        const start = spans.start[i];
        lengths[i] = lengthNs[order ? order[i] : i];
        spans.end[i] = start + lengths[i];
        let row = freeFrom.findIndex((free) => free <= start);
        if (row < 0) {
            row = freeFrom.length < 3 ? freeFrom.push(0) - 1 : freeFrom.indexOf(Math.min(...freeFrom));
        }
        freeFrom[row] = spans.end[i];
        spans.row[i] = row;
        while (oldest < i && spans.end[oldest] <= start) {
            ++oldest;
        }
        spans.lookback = Math.max(spans.lookback, Math.min(i - oldest, 64));
    }
    spans.rowCount = freeFrom.length;
    spans.lengthSums = prefixSums(lengths);
    return spans;
}

/** The place of a span in the columns. */
function placeOf(spans, i) {
    return spans.order ? spans.order[i] : i;
}

/**
 * The part of the sums that lies before `time`, where each span's share grows evenly. `from` is a known lower bound of the
 * index, for a search that goes on to the right.
 */
function sumBefore(spans, sums, time, index) {
    let sum = sums[index];
    for (let i = index - 1; i >= 0 && i >= index - spans.lookback - 1; --i) {
        if (spans.end[i] > time) {
            sum -= (sums[i + 1] - sums[i]) * (spans.end[i] - time) / (spans.end[i] - spans.start[i]);
        }
    }
    return sum;
}

/** The spans that touch [from, to]: indices [first, last). */
function visibleSpans(spans, from, to) {
    return [Math.max(0, lowerBound(spans.start, from) - spans.lookback - 1), lowerBound(spans.start, to)];
}

/** The span of a row at `time`, or the nearest within `tolerance`; -1 without one. `row` < 0 allows all. */
function findSpan(spans, time, row, tolerance) {
    const next = lowerBound(spans.start, time + tolerance);
    let best = -1;
    let bestDistance = tolerance;
    for (let i = next - 1; i >= 0 && i >= next - spans.lookback - 40; --i) {
        if (row >= 0 && spans.row[i] !== row) {
            continue;
        }
        const distance = Math.max(0, spans.start[i] - time, time - spans.end[i]);
        if (distance === 0) {
            return i;
        }
        if (distance < bestDistance) {
            best = i;
            bestDistance = distance;
        }
    }
    return best;
}
