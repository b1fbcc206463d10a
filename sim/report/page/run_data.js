// SPDX-License-Identifier: Apache-2.0
// The data of a run, unpacked: frames, jobs and the names of operations.

const kFrameFlags = {ok: 1, missed: 2, refused: 4, late: 8};

/** Unpacks what all parts of the page need; the commands' details follow when they are asked for (loadDetails). */
async function loadRun(data) {
    const [frames, jobs] = await Promise.all([unpackTable(data.frames), unpackTable(data.jobs)]);
    const clients = data.metrics.clients.map((client, i) => ({...client, ...data.clients[i], index: i}));
    const run = {...data, frames, jobs, clients, frameCount: frames.client.length, jobCount: jobs.client.length};
    run.frameOfJob = new Int32Array(run.jobCount).fill(-1);
    for (let i = 0; i < run.frameCount; ++i) {
        if (frames.job[i] > 0) {
            run.frameOfJob[frames.job[i] - 1] = i;
        }
    }
    return run;
}

/** The client of a job, -1 for none. */
function clientOfJob(run, job) {
    return job < 0 ? -1 : run.jobs.client[job] - 1;
}

function clientName(run, client) {
    return client < 0 ? "no client" : run.clients[client].name;
}

/** "CONV_2D #12": an operation of a job's model; null without one. */
function operationLabel(run, job, operation) {
    const type = operation < 0 || job < 0 ? undefined : run.models[run.jobs.model[job] - 1]?.types[operation];
    return type ? `${type} #${operation}` : null;
}

/** The name that the model gives the operation, "" without one. */
function operationName(run, job, operation) {
    const client = clientOfJob(run, job);
    return client < 0 || operation < 0 ? "" : run.clients[client].operations[operation] ?? "";
}

/** The moments of a job in ns since power-on; 0 for those that never came. */
function jobTimes(run, job) {
    const {jobs} = run;
    const submit = jobs.submit_ns[job];
    const at = (column) => jobs[column][job] === 0 ? 0 : submit + jobs[column][job] - 1;
    return {submit, start: at("start_after"), finish: at("finish_after"), complete: at("complete_after")};
}

/** Rows of a tooltip about a frame. */
function frameRows(run, i) {
    const {frames} = run;
    const client = run.clients[frames.client[i]];
    const arrival = frames.arrival_ns[i];
    const flags = frames.flags[i];
    const latency = frames.return_after[i];
    const job = frames.job[i] - 1;
    const times = job < 0 ? null : jobTimes(run, job);
    return [
        ["arrival", moment(arrival)],
        frames.call_after[i] > 0 ? ["waits for the client", duration(frames.call_after[i])] : null,
        times ? ["job", `${run.jobs.id[job]}, submitted after ${duration(times.submit - arrival)}`] : null,
        times && times.start ? ["queued", duration(times.start - times.submit)] : null,
        times && times.finish ? ["on the device", duration(times.finish - times.start)] : null,
        ["latency", duration(latency)],
        client.deadline_ns ? ["deadline", `${duration(client.deadline_ns)}, ${flags & kFrameFlags.missed ? "missed" : "met"}`] : null,
        client.isolated_ns ? ["alone it takes", duration(client.isolated_ns)] : null,
        ["status", frames.statuses[frames.status[i]]],
        job >= 0 && run.jobs.preemptions[job] ? ["preempted", `${run.jobs.preemptions[job]} times, ${integer(run.jobs.saved_bytes[job])} bytes saved`] : null,
        job >= 0 && run.jobs.restarts[job] ? ["restarted", `${run.jobs.restarts[job]} times`] : null,
    ].filter(Boolean);
}
