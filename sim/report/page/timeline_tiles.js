// SPDX-License-Identifier: Apache-2.0
// Pictures of a lane's columns. They stay while the view moves at one zoom, so that panning draws only what comes into sight.

const kTileColumns = 256;
const kTilesKept = 24;  // chosen: four screens to pan back and forth in, about 1 MB a lane

/**
 * Draws the columns of a lane that are in view. `paint(painter, firstColumn, lastColumn, step)` paints those of one tile, at x from
 * 0; a column lasts `step` ns, and column 0 begins at time 0.
 */
function drawTiles(context, lane, view, scale, paint) {
    const tiles = tilesOf(lane, view, 1 / scale.perNs);
    const tileNs = kTileColumns * tiles.step;
    for (let number = Math.floor(view.from / tileNs); number * tileNs < view.to; ++number) {
        let picture = tiles.pictures.get(number);
        if (!picture) {
            picture = tilePicture(lane, number, tiles.step, paint);
            if (tiles.pictures.size >= kTilesKept) {
                tiles.pictures.delete(tiles.pictures.keys().next().value);
            }
            tiles.pictures.set(number, picture);
        }
        context.drawImage(picture, Math.round(scale.x(number * tileNs)), lane.y, kTileColumns, lane.height);
    }
}

/** The tiles of a lane for this zoom and these colors; none at first. */
function tilesOf(lane, view, step) {
    const looks = [view.coloring, theme.isDark, lane.height, devicePixelRatio].join(" ");
    // The length of a view that only moved changes by rounding.
    if (lane.tiles?.looks !== looks || Math.abs(lane.tiles.step / step - 1) > 1e-9) {
        lane.tiles = {looks, step, pictures: new Map()};
    }
    return lane.tiles;
}

function tilePicture(lane, number, step, paint) {
    const ratio = devicePixelRatio || 1;
    const picture = document.createElement("canvas");
    picture.width = Math.ceil(kTileColumns * ratio);
    picture.height = Math.ceil(lane.height * ratio);
    const context = picture.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const painter = new ColumnPainter(context, lane.height - 1);
    paint(painter, number * kTileColumns, (number + 1) * kTileColumns, step);
    painter.flush();
    return picture;
}
