// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The normal node: open files as contexts, and their calls. */

#include <linux/fs.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "vnpu_drv.h"

/* Announces a context to the firmware; vdev->lock is held. */
int vnpu_context_announce(struct vnpu_context *ctx)
{
	struct vnpu_message message = {
		.type = VNPU_MSG_CREATE_CONTEXT,
		.context = ctx->index,
		.address = ctx->root->dma,
	};
	int ret = vnpu_request(ctx->vdev, &message);

	ctx->is_known = !ret;
	return ret;
}

static int vnpu_context_attach(struct vnpu_context *ctx)
{
	struct vnpu_device *vdev = ctx->vdev;
	int ret;

	if (vdev->is_wedged)
		return -ENODEV;
	if (vdev->raw)
		return -EBUSY;
	for (ctx->index = 0; ctx->index < VNPU_CONTEXTS; ctx->index++)
		if (!vdev->context_of[ctx->index])
			break;
	if (ctx->index == VNPU_CONTEXTS)
		return -ENOSPC;
	ret = vnpu_mmu_init(ctx);
	if (ret)
		return ret;
	ret = vnpu_context_announce(ctx);
	if (ret && !READ_ONCE(vdev->reset_reason)) {
		vnpu_mmu_fini(ctx);
		return ret;
	}
	/* If a reset is due, the recovery announces the context. */
	vdev->context_of[ctx->index] = ctx;
	list_add_tail(&ctx->node, &vdev->contexts);
	return 0;
}

/* The device no longer reaches anything of the context; vdev->lock is held. */
void vnpu_context_detach(struct vnpu_context *ctx)
{
	struct vnpu_message message = {
		.type = VNPU_MSG_DESTROY_CONTEXT,
		.context = ctx->index,
	};

	vnpu_queues_destroy(ctx);
	if (ctx->is_known && vnpu_request(ctx->vdev, &message)) {
		vnpu_hold_in_reset(ctx->vdev);
		vnpu_want_reset(ctx->vdev, "a context cannot be destroyed");
	}
	ctx->is_known = false;
	vnpu_mmu_fini(ctx);
}

static int vnpu_open(struct inode *inode, struct file *file)
{
	struct vnpu_device *vdev = container_of(file->private_data, struct vnpu_device, misc);
	struct vnpu_context *ctx;
	int token, ret;

	if (!vnpu_enter(vdev, &token))
		return -ENODEV;
	ctx = kzalloc(sizeof(*ctx), GFP_KERNEL_ACCOUNT);
	if (!ctx) {
		ret = -ENOMEM;
		goto out;
	}
	ctx->vdev = vdev;
	ctx->pid = task_tgid_nr(current);
	mutex_init(&ctx->lock);
	xa_init_flags(&ctx->handles, XA_FLAGS_ALLOC1);
	xa_init(&ctx->jobs);
	INIT_LIST_HEAD(&ctx->results);
	ret = mutex_lock_interruptible(&vdev->lock);
	if (!ret) {
		ret = vnpu_context_attach(ctx);
		mutex_unlock(&vdev->lock);
	}
	if (ret) {
		kfree(ctx);
		goto out;
	}
	kref_get(&vdev->ref);
	file->private_data = ctx;
out:
	vnpu_exit(token);
	return ret;
}

static int vnpu_release(struct inode *inode, struct file *file)
{
	struct vnpu_context *ctx = file->private_data;
	struct vnpu_device *vdev = ctx->vdev;
	struct vnpu_mapping *mapping;
	struct vnpu_job *job, *next;
	unsigned long handle;

	mutex_lock(&vdev->lock);
	/* A removal may be on its way, but has not got the lock if the context has its tables. */
	if (ctx->root) {
		vnpu_context_detach(ctx);
		vdev->context_of[ctx->index] = NULL;
	}
	list_del(&ctx->node);
	mutex_unlock(&vdev->lock);
	xa_for_each(&ctx->handles, handle, mapping)
		vnpu_mapping_put(mapping);
	xa_destroy(&ctx->handles);
	list_for_each_entry_safe(job, next, &ctx->results, node)
		dma_fence_put(&job->fence);
	xa_destroy(&ctx->jobs);
	kfree(ctx);
	vnpu_device_put(vdev);
	return 0;
}

static int vnpu_info_ioctl(struct vnpu_context *ctx, struct vnpu_info *info)
{
	struct vnpu_device *vdev = ctx->vdev;

	*info = (struct vnpu_info){
		.uapi_version = VNPU_UAPI_VERSION,
		.arch_version = vnpu_read(vdev, VNPU_REG_ARCH_VERSION),
		.command_stream_version = vdev->command_stream_version,
		.platform = vnpu_read(vdev, VNPU_REG_PLATFORM),
		.clock_khz = vdev->clock_khz,
		.max_regions = VNPU_MAX_REGIONS,
		.max_buffer_bytes = VNPU_MAX_BO_BYTES,
		.resets = READ_ONCE(vdev->resets),
	};
	return 0;
}

static int vnpu_config_ioctl(struct vnpu_context *ctx, struct vnpu_config *args)
{
	u32 offset = args->offset;

	if (offset % 4 || !(offset < VNPU_REG_CONTROL || (offset >= VNPU_REG_CONFIG_RESIDENT &&
							  offset <= VNPU_REG_CONFIG_CLOCK_SWITCH)))
		return -EINVAL;
	args->value = vnpu_read(ctx->vdev, offset);
	return 0;
}

/* Maps a buffer object into the context; takes over the caller's reference. */
static int vnpu_add_handle(struct vnpu_context *ctx, struct vnpu_bo *bo, u32 *handle,
			   __u64 *mmap_offset)
{
	struct vnpu_mapping *mapping = vnpu_map(ctx, bo, true);
	int ret;

	vnpu_bo_put(bo);
	if (IS_ERR(mapping))
		return PTR_ERR(mapping);
	ret = xa_alloc(&ctx->handles, handle, mapping, XA_LIMIT(1, VNPU_MAX_HANDLES),
		       GFP_KERNEL_ACCOUNT);
	if (ret)
		vnpu_mapping_put(mapping);
	else
		*mmap_offset = (u64)*handle << VNPU_BO_SHIFT;
	return ret;
}

static int vnpu_bo_create_ioctl(struct vnpu_context *ctx, struct vnpu_bo_create *args)
{
	struct vnpu_bo *bo;

	if (args->flags || args->reserved)
		return -EINVAL;
	bo = vnpu_bo_create(ctx->vdev, args->size, false);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	return vnpu_add_handle(ctx, bo, &args->handle, &args->mmap_offset);
}

static int vnpu_bo_close_ioctl(struct vnpu_context *ctx, struct vnpu_bo_close *args)
{
	struct vnpu_mapping *mapping;

	if (args->reserved)
		return -EINVAL;
	mapping = xa_erase(&ctx->handles, args->handle);
	if (!mapping)
		return -ENOENT;
	vnpu_mapping_put(mapping);
	return 0;
}

/* Returns a reference, or null. */
struct vnpu_mapping *vnpu_mapping_of(struct vnpu_context *ctx, u32 handle)
{
	struct vnpu_mapping *mapping;

	xa_lock(&ctx->handles);
	mapping = xa_load(&ctx->handles, handle);
	if (mapping)
		kref_get(&mapping->ref);
	xa_unlock(&ctx->handles);
	return mapping;
}

static int vnpu_bo_export_ioctl(struct vnpu_context *ctx, struct vnpu_bo_export *args)
{
	struct vnpu_mapping *mapping;

	if (args->reserved)
		return -EINVAL;
	mapping = vnpu_mapping_of(ctx, args->handle);
	if (!mapping)
		return -ENOENT;
	args->fd = vnpu_bo_export_fd(mapping->bo, args->flags);
	vnpu_mapping_put(mapping);
	return args->fd < 0 ? args->fd : 0;
}

static int vnpu_bo_import_ioctl(struct vnpu_context *ctx, struct vnpu_bo_import *args)
{
	struct vnpu_bo *bo;

	if (args->reserved)
		return -EINVAL;
	bo = vnpu_bo_of_fd(ctx->vdev, args->fd);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	args->size = (u64)bo->page_count << VNPU_PAGE_SHIFT;
	return vnpu_add_handle(ctx, bo, &args->handle, &args->mmap_offset);
}

union vnpu_args {
	struct vnpu_info info;
	struct vnpu_bo_create create;
	struct vnpu_bo_close close;
	struct vnpu_bo_export export;
	struct vnpu_bo_import import;
	struct vnpu_submit submit;
	struct vnpu_wait wait;
	struct vnpu_config config;
};

static int vnpu_dispatch(struct vnpu_context *ctx, unsigned int cmd, union vnpu_args *args)
{
	switch (cmd) {
	case VNPU_IOC_INFO:
		return vnpu_info_ioctl(ctx, &args->info);
	case VNPU_IOC_BO_CREATE:
		return vnpu_bo_create_ioctl(ctx, &args->create);
	case VNPU_IOC_BO_CLOSE:
		return vnpu_bo_close_ioctl(ctx, &args->close);
	case VNPU_IOC_BO_EXPORT:
		return vnpu_bo_export_ioctl(ctx, &args->export);
	case VNPU_IOC_BO_IMPORT:
		return vnpu_bo_import_ioctl(ctx, &args->import);
	case VNPU_IOC_CONFIG:
		return vnpu_config_ioctl(ctx, &args->config);
	case VNPU_IOC_SUBMIT:
		return vnpu_submit_ioctl(ctx, &args->submit);
	default:
		return -ENOTTY;
	}
}

static long vnpu_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct vnpu_context *ctx = file->private_data;
	void __user *user = (void __user *)arg;
	union vnpu_args args = {};
	int token;
	long ret;

	if (_IOC_SIZE(cmd) > sizeof(args))
		return -ENOTTY;
	if ((_IOC_DIR(cmd) & _IOC_WRITE) && copy_from_user(&args, user, _IOC_SIZE(cmd)))
		return -EFAULT;
	if (cmd == VNPU_IOC_WAIT) {
		/* Uses no device, and a removal must not wait for it. */
		ret = vnpu_wait_ioctl(ctx, &args.wait);
	} else {
		if (!vnpu_enter(ctx->vdev, &token))
			return -ENODEV;
		ret = vnpu_dispatch(ctx, cmd, &args);
		vnpu_exit(token);
	}
	if (!ret && (_IOC_DIR(cmd) & _IOC_READ) && copy_to_user(user, &args, _IOC_SIZE(cmd)))
		return -EFAULT;
	return ret;
}

static int vnpu_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct vnpu_context *ctx = file->private_data;
	const unsigned int shift = VNPU_BO_SHIFT - PAGE_SHIFT;
	struct vnpu_mapping *mapping = vnpu_mapping_of(ctx, vma->vm_pgoff >> shift);
	int ret;

	if (!mapping)
		return -EINVAL;
	vma->vm_pgoff &= BIT(shift) - 1;
	ret = vnpu_bo_mmap(mapping->bo, vma);
	vnpu_mapping_put(mapping);
	return ret;
}

const struct file_operations vnpu_fops = {
	.owner = THIS_MODULE,
	.open = vnpu_open,
	.release = vnpu_release,
	.unlocked_ioctl = vnpu_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = vnpu_mmap,
	.llseek = noop_llseek,
};
