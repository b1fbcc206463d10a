// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Fences as file descriptors: sync files, or files of this driver for kernels without them, such as
 * Debian's cloud kernel. The latter can be polled and handed to a submission, but not merged.
 */

#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/sync_file.h>

#include "vnpu_drv.h"

#if IS_ENABLED(CONFIG_SYNC_FILE)

static struct file *vnpu_fence_file(struct dma_fence *fence)
{
	struct sync_file *sync = sync_file_create(fence);

	return sync ? sync->file : ERR_PTR(-ENOMEM);
}

struct dma_fence *vnpu_fence_of_fd(int fd)
{
	return sync_file_get_fence(fd);
}

#else

struct vnpu_fence_file {
	struct dma_fence *fence;
	struct dma_fence_cb cb;
	unsigned long is_armed; /* bit 0: the callback was added, or was not needed */
	wait_queue_head_t wait;
};

static void vnpu_fence_signaled(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	wake_up_all(&container_of(cb, struct vnpu_fence_file, cb)->wait);
}

static __poll_t vnpu_fence_poll(struct file *file, poll_table *table)
{
	struct vnpu_fence_file *self = file->private_data;

	poll_wait(file, &self->wait, table);
	if (!test_and_set_bit(0, &self->is_armed))
		dma_fence_add_callback(self->fence, &self->cb, vnpu_fence_signaled);
	return dma_fence_is_signaled(self->fence) ? EPOLLIN : 0;
}

static int vnpu_fence_close(struct inode *inode, struct file *file)
{
	struct vnpu_fence_file *self = file->private_data;

	if (test_bit(0, &self->is_armed))
		dma_fence_remove_callback(self->fence, &self->cb);
	dma_fence_put(self->fence);
	kfree(self);
	return 0;
}

static const struct file_operations vnpu_fence_fops = {
	.owner = THIS_MODULE,
	.poll = vnpu_fence_poll,
	.release = vnpu_fence_close,
	.llseek = noop_llseek,
};

static struct file *vnpu_fence_file(struct dma_fence *fence)
{
	struct vnpu_fence_file *self = kzalloc(sizeof(*self), GFP_KERNEL_ACCOUNT);
	struct file *file;

	if (!self)
		return ERR_PTR(-ENOMEM);
	init_waitqueue_head(&self->wait);
	INIT_LIST_HEAD(&self->cb.node);
	self->fence = dma_fence_get(fence);
	file = anon_inode_getfile("vnpu-fence", &vnpu_fence_fops, self, O_RDONLY);
	if (IS_ERR(file)) {
		dma_fence_put(fence);
		kfree(self);
	}
	return file;
}

struct dma_fence *vnpu_fence_of_fd(int fd)
{
	struct file *file = fget(fd);
	struct dma_fence *fence = NULL;

	if (!file)
		return NULL;
	if (file->f_op == &vnpu_fence_fops)
		fence = dma_fence_get(((struct vnpu_fence_file *)file->private_data)->fence);
	fput(file);
	return fence;
}

#endif

/* A reserved descriptor and the file for it, which the caller installs. */
int vnpu_fence_fd(struct dma_fence *fence, struct file **file)
{
	int fd = get_unused_fd_flags(O_CLOEXEC);

	if (fd < 0)
		return fd;
	*file = vnpu_fence_file(fence);
	if (IS_ERR(*file)) {
		put_unused_fd(fd);
		return PTR_ERR(*file);
	}
	return fd;
}
