// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The device's work outside of interrupts: completions, limits, and recovery.
 *
 *   usable --vnpu_want_reset()--> reset: the job that ran ends with EIO, the others wait again
 *     ^                             |   |
 *     +---- boot, contexts ---------+   +-- it does not boot, or breaks down repeatedly without
 *                                           finishing a job: given up, ENODEV for everybody
 */

#include "vnpu_drv.h"

#define VNPU_MAX_BOOTS 3
#define VNPU_MAX_FRUITLESS_RESETS 3
/* Device time without a heartbeat while jobs are in rings; the firmware's interval is 1 ms. */
#define VNPU_HEARTBEAT_MS 100
#define VNPU_HEARTBEAT_WALL_MS 20000

/* The first reason counts. Any context. */
void vnpu_want_reset(struct vnpu_device *vdev, const char *reason)
{
	cmpxchg(&vdev->reset_reason, NULL, reason);
	queue_work(vdev->wq, &vdev->work);
}

static void vnpu_give_up(struct vnpu_device *vdev, const char *reason)
{
	dev_err(&vdev->pdev->dev, "given up: %s\n", reason);
	vnpu_hold_in_reset(vdev);
	vdev->is_wedged = true;
	vnpu_give_up_jobs(vdev);
}

static void vnpu_forget_contexts(struct vnpu_device *vdev)
{
	struct vnpu_context *ctx;

	list_for_each_entry(ctx, &vdev->contexts, node)
		ctx->is_known = false;
}

static int vnpu_announce_contexts(struct vnpu_device *vdev)
{
	struct vnpu_context *ctx;
	int ret;

	list_for_each_entry(ctx, &vdev->contexts, node) {
		ret = vnpu_context_announce(ctx);
		if (ret)
			return ret;
	}
	return 0;
}

/* Boots and sets up the contexts, in several attempts; vdev->lock is held. */
int vnpu_start(struct vnpu_device *vdev)
{
	int ret = -EIO;
	int tries;

	for (tries = 0; tries < VNPU_MAX_BOOTS; tries++) {
		vnpu_forget_contexts(vdev);
		WRITE_ONCE(vdev->reset_reason, NULL);
		ret = vnpu_boot(vdev);
		if (!ret)
			ret = vnpu_announce_contexts(vdev);
		if (!ret)
			return 0;
		vnpu_hold_in_reset(vdev);
	}
	return ret;
}

static void vnpu_reset(struct vnpu_device *vdev, const char *reason)
{
	u64 guilty = vnpu_running_job(vdev);

	dev_warn(&vdev->pdev->dev,
		 "reset: %s (status %#x, heartbeat %u, cycle %llu, running job %llu)\n", reason,
		 vnpu_read(vdev, VNPU_REG_STATUS), vnpu_read(vdev, VNPU_REG_HEARTBEAT),
		 vnpu_cycles(vdev), guilty);
	vnpu_hold_in_reset(vdev);
	vdev->resets++;
	vnpu_collect(vdev); /* jobs that ended before */
	vnpu_settle(vdev, guilty);

	if (vdev->ended_jobs != vdev->ended_at_reset)
		vdev->fruitless_resets = 0;
	vdev->ended_at_reset = vdev->ended_jobs;
	if (vdev->fruitless_resets++ >= VNPU_MAX_FRUITLESS_RESETS) {
		vnpu_give_up(vdev, "it breaks down repeatedly without finishing a job");
		return;
	}
	if (vnpu_start(vdev))
		vnpu_give_up(vdev, "it does not boot");
}

static bool vnpu_is_busy(struct vnpu_device *vdev, bool *has_waiting)
{
	struct vnpu_context *ctx;
	bool is_busy = false;
	int band;

	*has_waiting = false;
	list_for_each_entry(ctx, &vdev->contexts, node) {
		for (band = 0; band < VNPU_BANDS; band++) {
			struct vnpu_queue *queue = ctx->queues[band];

			is_busy |= queue && !list_empty(&queue->flying);
			*has_waiting |= queue && !list_empty(&queue->waiting);
		}
	}
	return is_busy;
}

static void vnpu_check_heartbeat(struct vnpu_device *vdev, bool is_busy)
{
	u32 heartbeat;
	u64 cycle;

	if (!is_busy) {
		vdev->was_busy = false;
		return;
	}
	heartbeat = vnpu_read(vdev, VNPU_REG_HEARTBEAT);
	cycle = vnpu_cycles(vdev);
	if (!vdev->was_busy || heartbeat != vdev->heartbeat) {
		vdev->was_busy = true;
		vdev->heartbeat = heartbeat;
		vdev->heartbeat_cycle = cycle;
		vdev->heartbeat_time = ktime_get();
	} else if (cycle - vdev->heartbeat_cycle > (u64)VNPU_HEARTBEAT_MS * vdev->clock_khz ||
		   ktime_ms_delta(ktime_get(), vdev->heartbeat_time) > VNPU_HEARTBEAT_WALL_MS) {
		vdev->was_busy = false;
		vnpu_want_reset(vdev, "the firmware makes no progress");
	}
}

static void vnpu_attend(struct vnpu_device *vdev)
{
	const char *reason;
	bool has_waiting, is_busy;
	u64 next_ms;

	mutex_lock(&vdev->lock);
	if (vdev->is_wedged || vdev->raw)
		goto out;
	reason = READ_ONCE(vdev->reset_reason);
	if (reason)
		vnpu_reset(vdev, reason);
	if (vdev->is_wedged)
		goto out;
	vnpu_collect(vdev);
	next_ms = min_t(u64, vnpu_enforce_limits(vdev) + 1, VNPU_WATCHDOG_MS);
	vnpu_pump(vdev);
	is_busy = vnpu_is_busy(vdev, &has_waiting);
	vnpu_check_heartbeat(vdev, is_busy);
	if (is_busy || has_waiting)
		mod_delayed_work(vdev->wq, &vdev->watchdog, msecs_to_jiffies(next_ms));
out:
	mutex_unlock(&vdev->lock);
}

static void vnpu_work(struct work_struct *work)
{
	vnpu_attend(container_of(work, struct vnpu_device, work));
}

/* Also finds what a lost interrupt would have announced. */
static void vnpu_watchdog(struct work_struct *work)
{
	vnpu_attend(container_of(to_delayed_work(work), struct vnpu_device, watchdog));
}

void vnpu_recovery_init(struct vnpu_device *vdev)
{
	INIT_WORK(&vdev->work, vnpu_work);
	INIT_DELAYED_WORK(&vdev->watchdog, vnpu_watchdog);
}
