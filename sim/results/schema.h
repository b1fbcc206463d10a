// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace vnpu::sim {

/// In the header of a file of results, so that programs know whose it is: "vnpu" in ASCII.
inline constexpr int kResultsApplicationId = 0x766E7075;

/// Rises with every change of the tables: a file of another version is refused.
inline constexpr int kResultsSchemaVersion = 1;

/// The tables of a file of results. README.md explains them.
inline constexpr const char* kResultsSchema = R"sql(
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    written_at TEXT NOT NULL,           -- UTC, "2026-11-26T10:50:00Z"
    command TEXT NOT NULL,              -- run, live, sweep, validate, conform
    subject TEXT NOT NULL,              -- the scenario's or sweep's name
    label TEXT NOT NULL,                -- of --label, such as a commit
    arguments TEXT NOT NULL,            -- the command line
    version TEXT NOT NULL,              -- of vnpu
    config TEXT,                        -- of a run: the device as in metrics.json
    seed                                -- of a run; text above 2^63 - 1
);

CREATE TABLE figure (                   -- what a number is about
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,                 -- run, client, priority, app, engine
    name TEXT NOT NULL,                 -- of the client ...; empty for a run
    quantity TEXT NOT NULL,             -- "p99_ms", "frames.answered"
    unit TEXT,                          -- null for counts and ratios
    UNIQUE (kind, name, quantity)
);

CREATE TABLE metric_value (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    figure_id INTEGER NOT NULL REFERENCES figure,
    value REAL NOT NULL,
    PRIMARY KEY (run_id, figure_id)
) WITHOUT ROWID;

CREATE VIEW metric AS
    SELECT run_id, kind, name, quantity, unit, value
    FROM metric_value JOIN figure ON figure.id = figure_id;

CREATE TABLE client (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    name TEXT NOT NULL,
    uid INTEGER NOT NULL,
    model TEXT NOT NULL,
    batch INTEGER NOT NULL,
    priority TEXT NOT NULL,
    path TEXT NOT NULL,
    arrival TEXT NOT NULL,
    output_hash TEXT,                   -- null without data
    PRIMARY KEY (run_id, name)
) WITHOUT ROWID;

CREATE TABLE layer (                    -- layers.csv
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    client TEXT NOT NULL,
    model TEXT,
    operation INTEGER NOT NULL,
    name TEXT,
    type TEXT,
    folded INTEGER,
    executions INTEGER,
    commands REAL,
    cycles REAL,
    macs REAL,
    mac_utilization_pct REAL,
    mac_busy_cycles REAL,
    vector_busy_cycles REAL,
    dma_busy_cycles REAL,
    sram_bytes REAL,
    dram_bytes REAL,
    token_stall_cycles REAL,
    sram_stall_cycles REAL,
    dram_stall_cycles REAL,
    estimate_cycles INTEGER,
    estimate_error_pct REAL,
    energy_uj REAL,
    PRIMARY KEY (run_id, client, operation)
) WITHOUT ROWID;

CREATE TABLE job (                      -- jobs.csv
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    client TEXT NOT NULL,
    frame INTEGER NOT NULL,
    job_id INTEGER,
    arrival_ns INTEGER,
    call_ns INTEGER,
    submit_ns INTEGER,
    start_ns INTEGER,
    finish_ns INTEGER,
    complete_ns INTEGER,
    return_ns INTEGER,
    status TEXT,
    latency_ns INTEGER,
    device_cycles INTEGER,
    estimate_cycles INTEGER,
    time_on_device_us INTEGER,
    time_in_driver_us INTEGER,
    deadline_ns INTEGER,
    missed INTEGER,
    late INTEGER,
    isolated_ns INTEGER,
    preemptions INTEGER,
    restarts INTEGER,
    saved_bytes INTEGER,
    reloaded_bytes INTEGER,
    switch_cycles INTEGER,
    wasted_cycles INTEGER,
    PRIMARY KEY (run_id, client, frame)
) WITHOUT ROWID;

CREATE TABLE point_axis (               -- the values of a row of a sweep
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    row INTEGER NOT NULL,
    axis TEXT NOT NULL,
    label TEXT NOT NULL,
    PRIMARY KEY (run_id, row, axis)
) WITHOUT ROWID;

CREATE TABLE point (                    -- a row with one seed
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    row INTEGER NOT NULL,
    seed NOT NULL,
    error TEXT,                         -- null if it ran
    failed_executions INTEGER NOT NULL,
    PRIMARY KEY (run_id, row, seed)
) WITHOUT ROWID;

CREATE TABLE point_value (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    row INTEGER NOT NULL,
    seed NOT NULL,
    figure_id INTEGER NOT NULL REFERENCES figure,
    value REAL NOT NULL,
    PRIMARY KEY (run_id, row, seed, figure_id)
) WITHOUT ROWID;

CREATE VIEW point_figure AS
    SELECT run_id, row, seed, kind, name, quantity, unit, value
    FROM point_value JOIN figure ON figure.id = figure_id;

CREATE TABLE check_result (             -- of vnpu validate
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    number INTEGER NOT NULL,            -- in the order of the table
    kind TEXT NOT NULL,
    rung TEXT NOT NULL,
    subject TEXT NOT NULL,
    quantity TEXT NOT NULL,
    model REAL,                         -- null for a run without a number
    reference REAL,
    tolerance REAL,
    verdict TEXT NOT NULL,              -- pass, by parts, FAIL, -
    note TEXT NOT NULL,
    PRIMARY KEY (run_id, number)
) WITHOUT ROWID;

CREATE TABLE case_result (              -- as in JUnit files
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    suite TEXT NOT NULL,
    name TEXT NOT NULL,
    file TEXT NOT NULL,
    verdict TEXT NOT NULL,              -- passed, failed, skipped, expected failure, unexpected pass
    message TEXT NOT NULL,
    runs INTEGER NOT NULL,
    failures INTEGER NOT NULL,          -- of the runs
    seconds REAL NOT NULL,              -- on the wall clock
    PRIMARY KEY (run_id, suite, name, file)
) WITHOUT ROWID;
)sql";

}  // namespace vnpu::sim
