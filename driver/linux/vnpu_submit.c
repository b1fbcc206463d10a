// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Submission of jobs and waiting for them. Everything from the program is checked here. */

#include <linux/capability.h>
#include <linux/file.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "vnpu_drv.h"

/* No budget is longer, so that cycles do not overflow. */
#define VNPU_MAX_NS BIT_ULL(60)
#define VNPU_MAX_LEVEL 255

static const char *vnpu_fence_driver_name(struct dma_fence *fence)
{
	return "vnpu";
}

static const char *vnpu_fence_timeline_name(struct dma_fence *fence)
{
	return "job";
}

static void vnpu_fence_release(struct dma_fence *fence)
{
	dma_fence_free(fence); /* the job, of which it is the first member */
	module_put(THIS_MODULE);
}

static const struct dma_fence_ops vnpu_fence_ops = {
	.get_driver_name = vnpu_fence_driver_name,
	.get_timeline_name = vnpu_fence_timeline_name,
	.release = vnpu_fence_release,
};

static struct vnpu_job *vnpu_job_alloc(struct vnpu_device *vdev)
{
	struct vnpu_job *job = kzalloc(sizeof(*job), GFP_KERNEL_ACCOUNT);

	BUILD_BUG_ON(offsetof(struct vnpu_job, fence) != 0);
	if (!job)
		return NULL;
	__module_get(THIS_MODULE);
	spin_lock_init(&job->fence_lock);
	/* A context of its own, because jobs of a queue may end out of order. */
	dma_fence_init(&job->fence, &vnpu_fence_ops, &job->fence_lock, dma_fence_context_alloc(1),
		       1);
	INIT_LIST_HEAD(&job->node);
	INIT_LIST_HEAD(&job->in_cb.node);
	job->vdev = vdev;
	return job;
}

/* Whether offset and size lie within the buffer object. */
static bool vnpu_is_within(const struct vnpu_mapping *mapping, u64 offset, u64 size)
{
	u64 bytes = (u64)mapping->bo->page_count << VNPU_PAGE_SHIFT;

	return offset <= bytes && size <= bytes - offset;
}

static int vnpu_take_command(struct vnpu_context *ctx, struct vnpu_job *job,
			     const struct vnpu_submit *args)
{
	struct vnpu_mapping *mapping;

	if (args->command_offset % 8 || args->command_bytes % 8 || !args->command_bytes)
		return -EINVAL;
	mapping = vnpu_mapping_of(ctx, args->command_handle);
	if (!mapping)
		return -ENOENT;
	job->mappings[0] = mapping;
	if (!vnpu_is_within(mapping, args->command_offset, args->command_bytes))
		return -EINVAL;
	job->slot.command_address = cpu_to_le64(mapping->address + args->command_offset);
	job->slot.command_bytes = cpu_to_le32(args->command_bytes);
	return 0;
}

static int vnpu_take_region(struct vnpu_context *ctx, struct vnpu_job *job, u32 index,
			    const struct vnpu_region *region)
{
	struct vnpu_region_entry *entry = &job->table[index];
	struct vnpu_mapping *mapping;

	if (region->flags & ~VNPU_REGION_WRITE)
		return -EINVAL;
	mapping = vnpu_mapping_of(ctx, region->handle);
	if (!mapping)
		return -ENOENT;
	job->mappings[1 + index] = mapping;
	if (!vnpu_is_within(mapping, region->offset, region->size))
		return -EINVAL;
	entry->address = cpu_to_le64(mapping->address + region->offset);
	entry->size = cpu_to_le64(region->size);
	if (region->flags & VNPU_REGION_WRITE)
		entry->flags = cpu_to_le32(VNPU_REGION_ENTRY_WRITABLE);
	return 0;
}

static int vnpu_take_regions(struct vnpu_context *ctx, struct vnpu_job *job,
			     const struct vnpu_submit *args)
{
	struct vnpu_region *regions;
	int ret = 0;
	u32 i;

	if (!args->region_count || args->region_count > VNPU_MAX_REGIONS)
		return -EINVAL;
	regions = memdup_user(u64_to_user_ptr(args->regions),
			      args->region_count * sizeof(*regions));
	if (IS_ERR(regions))
		return PTR_ERR(regions);
	job->region_count = args->region_count;
	job->mappings = kcalloc(1 + job->region_count, sizeof(*job->mappings), GFP_KERNEL_ACCOUNT);
	job->table = kcalloc(job->region_count, sizeof(*job->table), GFP_KERNEL_ACCOUNT);
	if (!job->mappings || !job->table)
		ret = -ENOMEM;
	for (i = 0; !ret && i < job->region_count; i++)
		ret = vnpu_take_region(ctx, job, i, &regions[i]);
	kfree(regions);
	job->slot.region_count = cpu_to_le32(args->region_count);
	return ret;
}

/* Deadline and timeout become device cycles on arrival. */
static int vnpu_take_limits(struct vnpu_job *job, const struct vnpu_submit *args)
{
	struct vnpu_device *vdev = job->vdev;
	u64 timeout = args->timeout_ns ?: (u64)READ_ONCE(vnpu_job_timeout_ms) * NSEC_PER_MSEC;
	u64 now = ktime_get_ns();
	u64 cycle = vnpu_cycles(vdev);

	job->limit_cycle = U64_MAX;
	job->limit_error = -ETIMEDOUT;
	if (timeout)
		job->limit_cycle = cycle + vnpu_cycles_of_ns(vdev, min(timeout, VNPU_MAX_NS));
	if (args->deadline_ns) {
		u64 deadline;

		if (args->deadline_ns <= now)
			return -ETIME;
		deadline = cycle +
			   vnpu_cycles_of_ns(vdev, min(args->deadline_ns - now, VNPU_MAX_NS));
		job->slot.deadline_cycle = cpu_to_le64(deadline);
		if (deadline <= job->limit_cycle) {
			job->limit_cycle = deadline;
			job->limit_error = -ETIME;
		}
	}
	return 0;
}

static int vnpu_job_fill(struct vnpu_context *ctx, struct vnpu_job *job,
			 const struct vnpu_submit *args)
{
	int ret;

	if (args->flags & ~(VNPU_SUBMIT_IN_FENCE | VNPU_SUBMIT_OUT_FENCE) ||
	    args->priority >= VNPU_BANDS || args->level > VNPU_MAX_LEVEL || args->reserved[0] ||
	    args->reserved[1])
		return -EINVAL;
	if (args->priority == VNPU_PRIORITY_REALTIME && !capable(CAP_SYS_NICE))
		return -EPERM;
	job->slot.level = cpu_to_le32(args->level);
	job->slot.estimate_cycles = cpu_to_le64(args->estimate_cycles);
	job->slot.sram_blocks = cpu_to_le64(args->sram_blocks);
	job->slot.command_stream_version = cpu_to_le32(ctx->vdev->command_stream_version);
	ret = vnpu_take_regions(ctx, job, args);
	if (!ret)
		ret = vnpu_take_command(ctx, job, args);
	if (!ret)
		ret = vnpu_take_limits(job, args);
	if (!ret && args->flags & VNPU_SUBMIT_IN_FENCE) {
		job->in_fence = vnpu_fence_of_fd(args->in_fence);
		if (!job->in_fence)
			ret = -EINVAL;
	}
	return ret;
}

/* Gives back what a job keeps until its end. Not under ctx->lock. */
void vnpu_job_drop(struct vnpu_job *job)
{
	u32 i;

	if (job->in_fence) {
		dma_fence_remove_callback(job->in_fence, &job->in_cb);
		dma_fence_put(job->in_fence);
		job->in_fence = NULL;
	}
	for (i = 0; job->mappings && i <= job->region_count; i++)
		vnpu_mapping_put(job->mappings[i]);
	kfree(job->mappings);
	kfree(job->table);
	job->mappings = NULL;
	job->table = NULL;
}

static int vnpu_job_queue(struct vnpu_context *ctx, struct vnpu_job *job, u32 band)
{
	struct vnpu_device *vdev = ctx->vdev;
	struct vnpu_queue *queue;
	int ret;

	ret = mutex_lock_interruptible(&vdev->lock);
	if (ret)
		return ret;
	if (vdev->is_wedged)
		ret = -ENODEV;
	else if (ctx->pending_count >= VNPU_MAX_PENDING)
		ret = -EAGAIN;
	if (ret)
		goto out;
	queue = vnpu_queue_get(ctx, band);
	if (IS_ERR(queue)) {
		ret = PTR_ERR(queue);
		goto out;
	}
	job->id = ++vdev->last_job;
	ret = xa_err(xa_store(&ctx->jobs, (unsigned long)job->id, job, GFP_KERNEL_ACCOUNT));
	if (ret)
		goto out;
	dma_fence_get(&job->fence); /* for ctx->jobs */
	job->slot.job_id = cpu_to_le64(job->id);
	job->slot.fence = job->slot.job_id;
	job->queue = queue;
	ctx->pending_count++;
	list_add_tail(&job->node, &queue->waiting);
	vnpu_pump(vdev);
	queue_work(vdev->wq, &vdev->work); /* starts the watchdog */
out:
	mutex_unlock(&vdev->lock);
	return ret;
}

int vnpu_submit_ioctl(struct vnpu_context *ctx, struct vnpu_submit *args)
{
	struct vnpu_job *job = vnpu_job_alloc(ctx->vdev);
	struct file *file = NULL;
	int fd = -1;
	int ret;

	if (!job)
		return -ENOMEM;
	ret = vnpu_job_fill(ctx, job, args);
	if (!ret && args->flags & VNPU_SUBMIT_OUT_FENCE) {
		fd = vnpu_fence_fd(&job->fence, &file);
		if (fd < 0)
			ret = fd;
	}
	if (!ret)
		ret = vnpu_job_queue(ctx, job, args->priority);
	if (ret) {
		vnpu_job_drop(job);
		dma_fence_set_error(&job->fence, -ECANCELED);
		dma_fence_signal(&job->fence);
	} else {
		args->job = job->id;
		args->out_fence = fd;
	}
	if (fd >= 0 && ret) {
		fput(file);
		put_unused_fd(fd);
	} else if (fd >= 0) {
		fd_install(fd, file);
	}
	dma_fence_put(&job->fence);
	return ret;
}

/* A reference of the job, or null. */
static struct vnpu_job *vnpu_job_of(struct vnpu_context *ctx, u64 id)
{
	struct vnpu_job *job = NULL;

	mutex_lock(&ctx->vdev->lock);
	if (id <= ULONG_MAX)
		job = xa_load(&ctx->jobs, (unsigned long)id);
	if (job)
		dma_fence_get(&job->fence);
	mutex_unlock(&ctx->vdev->lock);
	return job;
}

int vnpu_wait_ioctl(struct vnpu_context *ctx, struct vnpu_wait *args)
{
	const struct vnpu_completion *record;
	struct vnpu_job *job;
	u64 now = ktime_get_ns();
	long left = 0;

	if (args->reserved)
		return -EINVAL;
	job = vnpu_job_of(ctx, args->job);
	if (!job)
		return -ENOENT;
	if (args->until_ns > now)
		left = min_t(u64, nsecs_to_jiffies64(args->until_ns - now) + 1,
			     MAX_SCHEDULE_TIMEOUT - 1);
	left = dma_fence_wait_timeout(&job->fence, true, left);
	if (left <= 0) {
		dma_fence_put(&job->fence);
		return left ? left : -ETIME;
	}
	record = &job->record;
	args->error = -job->error;
	args->status = le32_to_cpu(record->status);
	args->failing_command = le32_to_cpu(record->failing_command);
	args->failing_engine = le32_to_cpu(record->failing_engine);
	args->fault_address = le64_to_cpu(record->fault_address);
	args->start_cycle = le64_to_cpu(record->start_cycle);
	args->end_cycle = le64_to_cpu(record->end_cycle);
	args->preemptions = le32_to_cpu(record->preemptions);
	dma_fence_put(&job->fence);
	return 0;
}
