// SPDX-License-Identifier: GPL-2.0 OR MIT
/* /sys/kernel/debug/vnpu/<PCI name>/: registers, contexts, jobs, firmware_log, reset */

#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "vnpu_drv.h"

static struct dentry *vnpu_debugfs_root;

static const struct {
	const char *name;
	u32 offset;
} vnpu_register_names[] = {
	{ "ID", VNPU_REG_ID },
	{ "ARCH_VERSION", VNPU_REG_ARCH_VERSION },
	{ "COMMAND_STREAM_VERSION", VNPU_REG_COMMAND_STREAM_VERSION },
	{ "PLATFORM", VNPU_REG_PLATFORM },
	{ "CONTROL", VNPU_REG_CONTROL },
	{ "STATUS", VNPU_REG_STATUS },
	{ "HEARTBEAT", VNPU_REG_HEARTBEAT },
	{ "IRQ_STATUS", VNPU_REG_IRQ_STATUS },
	{ "IRQ_MASK", VNPU_REG_IRQ_MASK },
	{ "MAILBOX_IN_CONTROL", VNPU_REG_MAILBOX_IN_CONTROL },
	{ "MAILBOX_OUT_CONTROL", VNPU_REG_MAILBOX_OUT_CONTROL },
	{ "MMU_FAULT_INFO", VNPU_REG_MMU_FAULT_INFO },
	{ "MMU_FAULT_ADDRESS_LO", VNPU_REG_MMU_FAULT_ADDRESS_LO },
	{ "MMU_FAULT_ADDRESS_HI", VNPU_REG_MMU_FAULT_ADDRESS_HI },
};

static int vnpu_registers_show(struct seq_file *out, void *unused)
{
	struct vnpu_device *vdev = out->private;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vnpu_register_names); i++)
		seq_printf(out, "%-24s %#010x\n", vnpu_register_names[i].name,
			   vnpu_read(vdev, vnpu_register_names[i].offset));
	seq_printf(out, "%-24s %llu\n", "CYCLE_COUNTER", vnpu_cycles(vdev));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vnpu_registers);

static int vnpu_contexts_show(struct seq_file *out, void *unused)
{
	struct vnpu_device *vdev = out->private;
	struct vnpu_mapping *mapping;
	struct vnpu_context *ctx;

	mutex_lock(&vdev->lock);
	if (vdev->raw)
		seq_puts(out, "the raw node is in use\n");
	list_for_each_entry(ctx, &vdev->contexts, node) {
		unsigned long count = 0, pages = 0;

		mutex_lock(&ctx->lock);
		list_for_each_entry(mapping, &ctx->mappings, node) {
			count++;
			pages += mapping->bo->page_count;
		}
		mutex_unlock(&ctx->lock);
		seq_printf(out, "context %u: process %d, %lu mappings of %lu KiB, %u pending jobs\n",
			   ctx->index, ctx->pid, count, pages << (PAGE_SHIFT - 10),
			   ctx->pending_count);
	}
	mutex_unlock(&vdev->lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vnpu_contexts);

static void vnpu_show_jobs(struct seq_file *out, const struct vnpu_queue *queue,
			   const struct list_head *jobs, const char *state)
{
	const struct vnpu_job *job;

	list_for_each_entry(job, jobs, node)
		seq_printf(out, "job %llu: context %u, band %u, ring %d, %s%s, %u bytes of commands\n",
			   job->id, queue->ctx->index, queue->band, queue->ring, state,
			   job->is_aborting ? ", being aborted" : "",
			   le32_to_cpu(job->slot.command_bytes));
}

static int vnpu_jobs_show(struct seq_file *out, void *unused)
{
	struct vnpu_device *vdev = out->private;
	struct vnpu_context *ctx;
	int band;

	mutex_lock(&vdev->lock);
	seq_printf(out, "submitted %llu, ended %llu, resets %u%s\n", vdev->last_job,
		   vdev->ended_jobs, vdev->resets, vdev->is_wedged ? ", given up" : "");
	list_for_each_entry(ctx, &vdev->contexts, node) {
		for (band = VNPU_BANDS - 1; band >= 0; band--) {
			const struct vnpu_queue *queue = ctx->queues[band];

			if (!queue)
				continue;
			vnpu_show_jobs(out, queue, &queue->flying, "on the device");
			vnpu_show_jobs(out, queue, &queue->waiting, "waiting");
		}
	}
	mutex_unlock(&vdev->lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vnpu_jobs);

static int vnpu_firmware_log_show(struct seq_file *out, void *unused)
{
	struct vnpu_device *vdev = out->private;
	const struct vnpu_log_header *header = vdev->log.cpu;
	const struct vnpu_log_record *records = vdev->log.cpu + sizeof(*header);
	u32 capacity = (VNPU_LOG_BYTES - sizeof(*header)) / sizeof(*records);
	u32 count = le32_to_cpu(READ_ONCE(header->record_count));
	u64 written = le64_to_cpu(READ_ONCE(header->written));
	u64 i;

	if (!count || count > capacity)
		return 0;
	for (i = written > count ? written - count : 0; i != written; i++) {
		const struct vnpu_log_record *record = &records[i % count];

		seq_printf(out, "cycle %llu: event %u, %u, %#llx\n", le64_to_cpu(record->cycle),
			   le32_to_cpu(record->event), le32_to_cpu(record->a),
			   le64_to_cpu(record->b));
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vnpu_firmware_log);

/* Writing anything resets the device. */
static ssize_t vnpu_reset_write(struct file *file, const char __user *user, size_t size,
				loff_t *offset)
{
	vnpu_want_reset(file->private_data, "requested by debugfs");
	return size;
}

static const struct file_operations vnpu_reset_fops = {
	.open = simple_open,
	.write = vnpu_reset_write,
	.llseek = noop_llseek,
};

void vnpu_debugfs_init(struct vnpu_device *vdev)
{
	vdev->debugfs = debugfs_create_dir(pci_name(vdev->pdev), vnpu_debugfs_root);
	debugfs_create_file("registers", 0400, vdev->debugfs, vdev, &vnpu_registers_fops);
	debugfs_create_file("contexts", 0400, vdev->debugfs, vdev, &vnpu_contexts_fops);
	debugfs_create_file("jobs", 0400, vdev->debugfs, vdev, &vnpu_jobs_fops);
	debugfs_create_file("firmware_log", 0400, vdev->debugfs, vdev, &vnpu_firmware_log_fops);
	debugfs_create_file("reset", 0200, vdev->debugfs, vdev, &vnpu_reset_fops);
}

void vnpu_debugfs_root_init(void)
{
	vnpu_debugfs_root = debugfs_create_dir("vnpu", NULL);
}

void vnpu_debugfs_root_fini(void)
{
	debugfs_remove_recursive(vnpu_debugfs_root);
}
