// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Queues and rings. All functions run with vdev->lock held, in process context but not in the
 * interrupt thread.
 *
 *   waiting --fence signaled, a slot is free--> flying --completion record--> ended (ctx->results)
 *      ^                                          |
 *      +---------- reset of the device -----------+
 */

#include <linux/module.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "vnpu_drv.h"

#define VNPU_RING_BYTES (sizeof(struct vnpu_ring_header) + \
	VNPU_RING_SLOTS * (sizeof(struct vnpu_job_slot) + sizeof(struct vnpu_completion)))
#define VNPU_TABLES_BYTES \
	(VNPU_RING_SLOTS * VNPU_MAX_REGIONS * sizeof(struct vnpu_region_entry))

static struct vnpu_ring_header *vnpu_header(const struct vnpu_queue *queue)
{
	return queue->memory.cpu;
}

static struct vnpu_job_slot *vnpu_slot(const struct vnpu_queue *queue, u32 counter)
{
	struct vnpu_job_slot *slots = queue->memory.cpu + sizeof(struct vnpu_ring_header);

	return &slots[counter % VNPU_RING_SLOTS];
}

static struct vnpu_completion *vnpu_record(const struct vnpu_queue *queue, u32 counter)
{
	struct vnpu_completion *records = (void *)vnpu_slot(queue, 0) +
					  VNPU_RING_SLOTS * sizeof(struct vnpu_job_slot);

	return &records[counter % VNPU_RING_SLOTS];
}

/* A buffer object of the kernel in the context's address space. */
static struct vnpu_mapping *vnpu_map_internal(struct vnpu_context *ctx, u64 size, bool is_writable)
{
	struct vnpu_bo *bo = vnpu_bo_create(ctx->vdev, size, false);
	struct vnpu_mapping *mapping;

	if (IS_ERR(bo))
		return ERR_CAST(bo);
	mapping = vnpu_map(ctx, bo, is_writable);
	vnpu_bo_put(bo);
	return mapping;
}

static void vnpu_queue_free(struct vnpu_queue *queue)
{
	struct vnpu_device *vdev = queue->ctx->vdev;

	vunmap(queue->region_tables);
	if (!IS_ERR_OR_NULL(queue->regions))
		vnpu_mapping_put(queue->regions);
	if (!IS_ERR_OR_NULL(queue->save))
		vnpu_mapping_put(queue->save);
	vnpu_shared_free(vdev, &queue->memory);
	kfree(queue);
}

static int vnpu_queue_fill(struct vnpu_queue *queue)
{
	struct vnpu_device *vdev = queue->ctx->vdev;
	int ret = vnpu_shared_alloc(vdev, &queue->memory, VNPU_RING_BYTES);

	if (ret)
		return ret;
	queue->regions = vnpu_map_internal(queue->ctx, VNPU_TABLES_BYTES, false);
	if (IS_ERR(queue->regions))
		return PTR_ERR(queue->regions);
	queue->region_tables = vmap(queue->regions->bo->pages, queue->regions->bo->page_count,
				    VM_MAP, PAGE_KERNEL);
	if (!queue->region_tables)
		return -ENOMEM;
	if (!vdev->save_bytes)
		return 0;
	/* One is enough, because only the first job of a ring has begun. */
	queue->save = vnpu_map_internal(queue->ctx, vdev->save_bytes, true);
	return PTR_ERR_OR_ZERO(queue->save);
}

struct vnpu_queue *vnpu_queue_get(struct vnpu_context *ctx, u32 band)
{
	struct vnpu_queue *queue = ctx->queues[band];
	int ret;

	if (queue)
		return queue;
	queue = kzalloc(sizeof(*queue), GFP_KERNEL_ACCOUNT);
	if (!queue)
		return ERR_PTR(-ENOMEM);
	queue->ctx = ctx;
	queue->band = band;
	queue->ring = -1;
	INIT_LIST_HEAD(&queue->waiting);
	INIT_LIST_HEAD(&queue->flying);
	ret = vnpu_queue_fill(queue);
	if (ret) {
		vnpu_queue_free(queue);
		return ERR_PTR(ret);
	}
	ctx->queues[band] = queue;
	return queue;
}

static void vnpu_forget_result(struct vnpu_context *ctx)
{
	struct vnpu_job *job = list_first_entry(&ctx->results, struct vnpu_job, node);

	list_del_init(&job->node);
	ctx->result_count--;
	xa_erase(&ctx->jobs, (unsigned long)job->id);
	dma_fence_put(&job->fence);
}

/* `record` is null if the device wrote none. */
void vnpu_job_end(struct vnpu_job *job, int error, const struct vnpu_completion *record)
{
	struct vnpu_context *ctx = job->queue->ctx;

	job->error = error;
	if (record) {
		job->record = *record;
		job->vdev->ended_jobs++;
	} else {
		job->record.failing_command = cpu_to_le32(~0u);
		job->record.failing_engine = cpu_to_le32(~0u);
	}
	job->queue = NULL;
	vnpu_job_drop(job);
	list_move_tail(&job->node, &ctx->results);
	ctx->pending_count--;
	if (++ctx->result_count > VNPU_KEPT_RESULTS)
		vnpu_forget_result(ctx);
	if (error)
		dma_fence_set_error(&job->fence, error);
	dma_fence_signal(&job->fence);
}

/* Takes back a ring; if the firmware does not answer, the device is held in reset. */
static void vnpu_ring_release(struct vnpu_queue *queue)
{
	struct vnpu_device *vdev = queue->ctx->vdev;
	struct vnpu_message message = {
		.type = VNPU_MSG_DESTROY_RING,
		.ring = queue->ring,
	};

	if (queue->ring < 0)
		return;
	if (vnpu_request(vdev, &message)) {
		vnpu_hold_in_reset(vdev);
		vnpu_want_reset(vdev, "a ring cannot be destroyed");
	}
	vdev->queue_of[queue->ring] = NULL;
	queue->ring = -1;
}

/* A free ring, or that of the queue that has been idle for the longest time; -1: all work. */
static int vnpu_find_ring(struct vnpu_device *vdev)
{
	struct vnpu_queue *idle = NULL;
	int ring;

	for (ring = 0; ring < VNPU_RINGS; ring++) {
		struct vnpu_queue *queue = vdev->queue_of[ring];

		if (!queue)
			return ring;
		if (list_empty(&queue->flying) && list_empty(&queue->waiting) &&
		    (!idle || queue->used_at < idle->used_at))
			idle = queue;
	}
	if (!idle)
		return -1;
	ring = idle->ring;
	vnpu_ring_release(idle);
	return ring;
}

static void vnpu_write_header(struct vnpu_queue *queue)
{
	struct vnpu_ring_header *header = vnpu_header(queue);

	queue->tail = 0;
	queue->completion_head = 0;
	memset(header, 0, sizeof(*header));
	header->magic = cpu_to_le32(VNPU_RING_MAGIC);
	header->version = cpu_to_le32(VNPU_RING_API);
	header->slot_count = cpu_to_le32(VNPU_RING_SLOTS);
	header->completion_count = cpu_to_le32(VNPU_RING_SLOTS);
}

/* -EBUSY: all rings work. */
static int vnpu_ring_acquire(struct vnpu_queue *queue)
{
	struct vnpu_device *vdev = queue->ctx->vdev;
	struct vnpu_message message = {
		.type = VNPU_MSG_CREATE_RING,
		.value = queue->band,
		.context = queue->ctx->index,
		.address = queue->memory.dma,
	};
	int ring = vnpu_find_ring(vdev);
	int ret;

	if (ring < 0)
		return -EBUSY;
	vnpu_write_header(queue);
	message.ring = ring;
	ret = vnpu_request(vdev, &message);
	if (ret)
		return ret;
	queue->ring = ring;
	vdev->queue_of[ring] = queue;
	return 0;
}

static void vnpu_place(struct vnpu_queue *queue, struct vnpu_job *job)
{
	u32 index = queue->tail % VNPU_RING_SLOTS;
	size_t offset = index * VNPU_MAX_REGIONS;

	memcpy(queue->region_tables + offset, job->table, job->region_count * sizeof(*job->table));
	job->slot.region_table_address =
		cpu_to_le64(queue->regions->address + offset * sizeof(*job->table));
	if (queue->save) {
		job->slot.save_address = cpu_to_le64(queue->save->address);
		job->slot.save_bytes = cpu_to_le64(queue->ctx->vdev->save_bytes);
	}
	*vnpu_slot(queue, queue->tail) = job->slot;
	queue->tail++;
	queue->used_at = job->id;
	dma_wmb(); /* slot before tail */
	WRITE_ONCE(vnpu_header(queue)->tail, cpu_to_le32(queue->tail));
	vnpu_write(queue->ctx->vdev, VNPU_REG_DOORBELL + 4 * queue->ring, queue->tail);
	list_move_tail(&job->node, &queue->flying);
}

static void vnpu_in_fence_signaled(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct vnpu_device *vdev = container_of(cb, struct vnpu_job, in_cb)->vdev;

	queue_work(vdev->wq, &vdev->work);
}

/* Whether the job need not wait for its fence; the fence then starts the pump. */
static bool vnpu_is_ready(struct vnpu_job *job)
{
	if (!job->in_fence || dma_fence_is_signaled(job->in_fence))
		return true;
	if (list_empty(&job->in_cb.node))
		return dma_fence_add_callback(job->in_fence, &job->in_cb,
					      vnpu_in_fence_signaled) == -ENOENT;
	return false;
}

static void vnpu_queue_pump(struct vnpu_queue *queue)
{
	struct vnpu_device *vdev = queue->ctx->vdev;
	struct vnpu_job *job, *next;
	int ret;

	list_for_each_entry_safe(job, next, &queue->waiting, node) {
		if (READ_ONCE(vdev->reset_reason) || !queue->ctx->is_known || !vnpu_is_ready(job))
			return;
		if (job->in_fence && dma_fence_get_status(job->in_fence) < 0) {
			vnpu_job_end(job, -ECANCELED, NULL);
			continue;
		}
		ret = queue->ring < 0 ? vnpu_ring_acquire(queue) : 0;
		if (ret == -EBUSY || READ_ONCE(vdev->reset_reason))
			return;
		if (ret) {
			vnpu_job_end(job, ret, NULL);
			continue;
		}
		if (queue->tail - queue->completion_head == VNPU_RING_SLOTS)
			return;
		vnpu_place(queue, job);
	}
}

typedef void (*vnpu_queue_visitor)(struct vnpu_queue *queue);

static void vnpu_for_each_queue(struct vnpu_device *vdev, vnpu_queue_visitor visit)
{
	struct vnpu_context *ctx;
	int band;

	lockdep_assert_held(&vdev->lock);
	list_for_each_entry(ctx, &vdev->contexts, node)
		for (band = VNPU_BANDS - 1; band >= 0; band--)
			if (ctx->queues[band])
				visit(ctx->queues[band]);
}

/* Hands waiting jobs to the device. */
void vnpu_pump(struct vnpu_device *vdev)
{
	if (!vdev->is_wedged && !vdev->raw)
		vnpu_for_each_queue(vdev, vnpu_queue_pump);
}

static u64 vnpu_checksum(const struct vnpu_completion *record)
{
	const __le64 *words = (const __le64 *)record;
	u64 sum = VNPU_RING_MAGIC;
	size_t i;

	for (i = 0; i + 1 < sizeof(*record) / sizeof(*words); i++)
		sum = rol64(sum, 1) ^ le64_to_cpu(words[i]);
	return sum;
}

static int vnpu_error_of(const struct vnpu_job *job, const struct vnpu_completion *record)
{
	switch (le32_to_cpu(record->status)) {
	case VNPU_JOB_OK:
		return le64_to_cpu(record->end_cycle) > job->limit_cycle ? job->limit_error : 0;
	case VNPU_JOB_ABORTED:
		return job->is_aborting ? job->limit_error : -ECANCELED;
	default:
		return -EIO;
	}
}

/* Nothing in a record is trusted: it crosses a bus. */
static void vnpu_take_record(struct vnpu_queue *queue, const struct vnpu_completion *record)
{
	struct device *dev = &queue->ctx->vdev->pdev->dev;
	struct vnpu_job *job;
	int error;

	if (list_empty(&queue->flying)) {
		dev_warn_ratelimited(dev, "ring %d: a record without a job\n", queue->ring);
		return;
	}
	if (vnpu_checksum(record) == le64_to_cpu(record->checksum)) {
		list_for_each_entry(job, &queue->flying, node) {
			if (job->slot.job_id != record->job_id)
				continue;
			error = vnpu_error_of(job, record);
			if (error == -EIO)
				dev_info_ratelimited(dev,
						     "job %llu of process %d failed: status %u, command %#x, engine %d, address %#llx\n",
						     job->id, queue->ctx->pid,
						     le32_to_cpu(record->status),
						     le32_to_cpu(record->failing_command),
						     (int)le32_to_cpu(record->failing_engine),
						     le64_to_cpu(record->fault_address));
			vnpu_job_end(job, error, record);
			return;
		}
	}
	job = list_first_entry(&queue->flying, struct vnpu_job, node);
	dev_warn_ratelimited(dev, "ring %d: a corrupt completion record; job %llu counts as failed\n",
			     queue->ring, job->id);
	vnpu_job_end(job, -EIO, NULL);
}

static void vnpu_queue_collect(struct vnpu_queue *queue)
{
	u32 written;

	if (queue->ring < 0)
		return;
	written = le32_to_cpu(READ_ONCE(vnpu_header(queue)->completion_tail));
	dma_rmb(); /* counter before records */
	if (written - queue->completion_head > queue->tail - queue->completion_head)
		return; /* more records than jobs */
	while (queue->completion_head != written) {
		struct vnpu_completion record = *vnpu_record(queue, queue->completion_head);

		queue->completion_head++;
		vnpu_take_record(queue, &record);
	}
	WRITE_ONCE(vnpu_header(queue)->completion_head, cpu_to_le32(queue->completion_head));
}

/* Takes the records of finished jobs. */
void vnpu_collect(struct vnpu_device *vdev)
{
	vnpu_for_each_queue(vdev, vnpu_queue_collect);
}

static void vnpu_queue_enforce(struct vnpu_queue *queue)
{
	struct vnpu_device *vdev = queue->ctx->vdev;
	u64 now = vdev->limit_now;
	struct vnpu_job *job, *next;

	list_for_each_entry_safe(job, next, &queue->waiting, node) {
		if (now > job->limit_cycle)
			vnpu_job_end(job, job->limit_error, NULL);
		else
			vdev->next_limit = min(vdev->next_limit, job->limit_cycle);
	}
	list_for_each_entry(job, &queue->flying, node) {
		struct vnpu_message message = {
			.type = VNPU_MSG_ABORT_JOB,
			.ring = queue->ring,
			.address = job->id,
		};

		if (now <= job->limit_cycle)
			vdev->next_limit = min(vdev->next_limit, job->limit_cycle);
		if (now <= job->limit_cycle || job->is_aborting || READ_ONCE(vdev->reset_reason))
			continue;
		/* The record follows; a refusal means that it is on its way. */
		job->is_aborting = true;
		vnpu_request(vdev, &message);
	}
}

/* Ends jobs whose deadline or timeout has passed. Returns the milliseconds until the next one. */
u64 vnpu_enforce_limits(struct vnpu_device *vdev)
{
	vdev->limit_now = vnpu_cycles(vdev);
	vdev->next_limit = U64_MAX;
	vnpu_for_each_queue(vdev, vnpu_queue_enforce);
	return div_u64(vdev->next_limit - vdev->limit_now, vdev->clock_khz);
}

static void vnpu_queue_settle(struct vnpu_queue *queue)
{
	struct vnpu_device *vdev = queue->ctx->vdev;
	struct vnpu_job *job, *next;

	if (queue->ring >= 0)
		vdev->queue_of[queue->ring] = NULL;
	queue->ring = -1;
	list_for_each_entry_safe(job, next, &queue->flying, node) {
		job->is_aborting = false;
		if (job->id == vdev->guilty_job)
			vnpu_job_end(job, -EIO, NULL);
	}
	list_splice_init(&queue->flying, &queue->waiting);
}

/* After a reset: the guilty job ends, the others wait again, in their order. */
void vnpu_settle(struct vnpu_device *vdev, u64 guilty)
{
	vdev->guilty_job = guilty;
	vnpu_for_each_queue(vdev, vnpu_queue_settle);
}

static void vnpu_queue_cancel(struct vnpu_queue *queue, int error)
{
	struct vnpu_job *job, *next;

	list_splice_init(&queue->flying, &queue->waiting);
	list_for_each_entry_safe(job, next, &queue->waiting, node)
		vnpu_job_end(job, error, NULL);
}

static void vnpu_queue_give_up(struct vnpu_queue *queue)
{
	vnpu_queue_settle(queue);
	vnpu_queue_cancel(queue, -ENODEV);
}

/* Ends all jobs; the device is held in reset for ever. */
void vnpu_give_up_jobs(struct vnpu_device *vdev)
{
	vdev->guilty_job = 0;
	vnpu_for_each_queue(vdev, vnpu_queue_give_up);
}

/* For the end of a context. */
void vnpu_queues_destroy(struct vnpu_context *ctx)
{
	int band;

	for (band = 0; band < VNPU_BANDS; band++) {
		struct vnpu_queue *queue = ctx->queues[band];

		if (!queue)
			continue;
		/* After this, the device uses neither ring nor buffers of the jobs. */
		vnpu_ring_release(queue);
		vnpu_queue_cancel(queue, -ECANCELED);
		vnpu_queue_free(queue);
		ctx->queues[band] = NULL;
	}
}
