// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The raw node: a driver in user space has the device to itself. */

#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "vnpu_drv.h"

struct vnpu_raw {
	struct vnpu_device *vdev;
	struct address_space *file_pages;
	struct xarray bos;
	wait_queue_head_t wait;
	atomic_t interrupts; /* since the last read() */
};

/* In the hard interrupt handler; false if the interrupt is another device's. */
bool vnpu_raw_interrupt(struct vnpu_device *vdev, struct vnpu_raw *raw)
{
	if (!vdev->is_msi && !pci_check_and_mask_intx(vdev->pdev))
		return false;
	atomic_inc(&raw->interrupts);
	wake_up_interruptible(&raw->wait);
	return true;
}

/* No handler uses vdev->raw any more; the device is held in reset. vdev->lock is held. */
void vnpu_raw_detach(struct vnpu_device *vdev)
{
	struct vnpu_raw *raw = vdev->raw;

	if (!raw)
		return;
	WRITE_ONCE(vdev->raw, NULL);
	synchronize_irq(pci_irq_vector(vdev->pdev, 0));
	if (!vdev->is_msi)
		pci_intx(vdev->pdev, 1);
	unmap_mapping_range(raw->file_pages, 0, vdev->regs_size, 1);
	wake_up_interruptible(&raw->wait);
}

static int vnpu_raw_attach(struct vnpu_device *vdev, struct vnpu_raw *raw)
{
	if (vdev->raw || !list_empty(&vdev->contexts))
		return -EBUSY;
	cancel_delayed_work(&vdev->watchdog);
	vnpu_hold_in_reset(vdev);
	vnpu_write(vdev, VNPU_REG_IRQ_STATUS, VNPU_IRQ_ALL);
	WRITE_ONCE(vdev->raw, raw);
	/* A thread that runs now may write IRQ_MASK. */
	synchronize_irq(pci_irq_vector(vdev->pdev, 0));
	vnpu_write(vdev, VNPU_REG_IRQ_MASK, 0);
	return 0;
}

static int vnpu_raw_open(struct inode *inode, struct file *file)
{
	struct vnpu_device *vdev = container_of(file->private_data, struct vnpu_device, raw_misc);
	struct vnpu_raw *raw;
	int token, ret;

	if (!capable(CAP_SYS_RAWIO))
		return -EPERM;
	if (!vnpu_enter(vdev, &token))
		return -ENODEV;
	raw = kzalloc(sizeof(*raw), GFP_KERNEL_ACCOUNT);
	if (!raw) {
		ret = -ENOMEM;
		goto out;
	}
	raw->vdev = vdev;
	raw->file_pages = inode->i_mapping;
	xa_init_flags(&raw->bos, XA_FLAGS_ALLOC1);
	init_waitqueue_head(&raw->wait);
	ret = mutex_lock_interruptible(&vdev->lock);
	if (!ret) {
		ret = vnpu_raw_attach(vdev, raw);
		mutex_unlock(&vdev->lock);
	}
	if (ret) {
		kfree(raw);
		goto out;
	}
	kref_get(&vdev->ref);
	file->private_data = raw;
out:
	vnpu_exit(token);
	return ret;
}

/* The kernel takes the device back, unless the device is being removed or has been. */
static void vnpu_raw_return(struct vnpu_raw *raw)
{
	struct vnpu_device *vdev = raw->vdev;

	mutex_lock(&vdev->lock);
	if (vdev->raw == raw) {
		vnpu_hold_in_reset(vdev);
		vnpu_raw_detach(vdev);
		if (!READ_ONCE(vdev->is_gone)) {
			vdev->is_wedged = vnpu_start(vdev) != 0;
			vdev->fruitless_resets = 0;
			if (vdev->is_wedged)
				dev_err(&vdev->pdev->dev,
					"does not boot after use of the raw node\n");
		}
	}
	mutex_unlock(&vdev->lock);
}

static int vnpu_raw_release(struct inode *inode, struct file *file)
{
	struct vnpu_raw *raw = file->private_data;
	struct vnpu_device *vdev = raw->vdev;
	struct vnpu_bo *bo;
	unsigned long handle;

	vnpu_raw_return(raw);
	xa_for_each(&raw->bos, handle, bo)
		vnpu_bo_put(bo);
	xa_destroy(&raw->bos);
	kfree(raw);
	vnpu_device_put(vdev);
	return 0;
}

/* Gives the buffer object a handle and the program its bus addresses; takes the reference. */
static int vnpu_raw_add(struct vnpu_raw *raw, struct vnpu_bo *bo, u64 pages, u32 *handle)
{
	unsigned long i;
	int ret;

	if (IS_ERR(bo))
		return PTR_ERR(bo);
	for (i = 0; i < bo->page_count; i++) {
		if (put_user(bo->dma[i], (u64 __user *)u64_to_user_ptr(pages) + i)) {
			ret = -EFAULT;
			goto err;
		}
	}
	ret = xa_alloc(&raw->bos, handle, bo, XA_LIMIT(1, VNPU_MAX_HANDLES), GFP_KERNEL_ACCOUNT);
	if (!ret)
		return 0;
err:
	vnpu_bo_put(bo);
	return ret;
}

static int vnpu_raw_alloc_ioctl(struct vnpu_raw *raw, struct vnpu_raw_alloc *args)
{
	struct vnpu_bo *bo;
	int ret;

	if (args->flags & ~VNPU_RAW_CONTIGUOUS || args->reserved || args->size % VNPU_PAGE_SIZE)
		return -EINVAL;
	bo = vnpu_bo_create(raw->vdev, args->size, args->flags & VNPU_RAW_CONTIGUOUS);
	ret = vnpu_raw_add(raw, bo, args->pages, &args->handle);
	args->mmap_offset = (u64)args->handle << VNPU_BO_SHIFT;
	return ret;
}

static int vnpu_raw_pin_ioctl(struct vnpu_raw *raw, struct vnpu_raw_pin *args)
{
	if (args->flags & ~VNPU_RAW_READ_ONLY || args->reserved)
		return -EINVAL;
	return vnpu_raw_add(raw,
			    vnpu_bo_pin(raw->vdev, args->address, args->size,
					args->flags & VNPU_RAW_READ_ONLY),
			    args->pages, &args->handle);
}

static int vnpu_raw_free_ioctl(struct vnpu_raw *raw, struct vnpu_raw_free *args)
{
	struct vnpu_bo *bo;

	if (args->reserved)
		return -EINVAL;
	bo = xa_erase(&raw->bos, args->handle);
	if (!bo)
		return -ENOENT;
	vnpu_bo_put(bo);
	return 0;
}

union vnpu_raw_args {
	struct vnpu_raw_info info;
	struct vnpu_raw_alloc alloc;
	struct vnpu_raw_pin pin;
	struct vnpu_raw_free free;
};

static int vnpu_raw_dispatch(struct vnpu_raw *raw, unsigned int cmd, union vnpu_raw_args *args)
{
	switch (cmd) {
	case VNPU_IOC_RAW_INFO:
		args->info.register_bytes = raw->vdev->regs_size;
		return 0;
	case VNPU_IOC_RAW_ALLOC:
		return vnpu_raw_alloc_ioctl(raw, &args->alloc);
	case VNPU_IOC_RAW_PIN:
		return vnpu_raw_pin_ioctl(raw, &args->pin);
	case VNPU_IOC_RAW_FREE:
		return vnpu_raw_free_ioctl(raw, &args->free);
	default:
		return -ENOTTY;
	}
}

static long vnpu_raw_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct vnpu_raw *raw = file->private_data;
	void __user *user = (void __user *)arg;
	union vnpu_raw_args args = {};
	int token;
	long ret;

	if (_IOC_SIZE(cmd) > sizeof(args))
		return -ENOTTY;
	if ((_IOC_DIR(cmd) & _IOC_WRITE) && copy_from_user(&args, user, _IOC_SIZE(cmd)))
		return -EFAULT;
	if (!vnpu_enter(raw->vdev, &token))
		return -ENODEV;
	ret = vnpu_raw_dispatch(raw, cmd, &args);
	vnpu_exit(token);
	if (!ret && (_IOC_DIR(cmd) & _IOC_READ) && copy_to_user(user, &args, _IOC_SIZE(cmd)))
		return -EFAULT;
	return ret;
}

static ssize_t vnpu_raw_read(struct file *file, char __user *user, size_t size, loff_t *offset)
{
	struct vnpu_raw *raw = file->private_data;
	u32 count;
	int ret;

	if (size != sizeof(count))
		return -EINVAL;
	for (;;) {
		if (READ_ONCE(raw->vdev->is_gone))
			return -ENODEV;
		count = atomic_xchg(&raw->interrupts, 0);
		if (count)
			return put_user(count, (u32 __user *)user) ? -EFAULT : sizeof(count);
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(raw->wait, atomic_read(&raw->interrupts) ||
							  READ_ONCE(raw->vdev->is_gone));
		if (ret)
			return ret;
	}
}

static ssize_t vnpu_raw_write(struct file *file, const char __user *user, size_t size,
			      loff_t *offset)
{
	struct vnpu_raw *raw = file->private_data;
	struct vnpu_device *vdev = raw->vdev;
	u32 value;
	int token;

	if (size != sizeof(value))
		return -EINVAL;
	if (get_user(value, (const u32 __user *)user))
		return -EFAULT;
	if (value != 1)
		return -EINVAL;
	if (!vnpu_enter(vdev, &token))
		return -ENODEV;
	/* A line that is still high is a new interrupt. */
	if (!vdev->is_msi && !pci_check_and_unmask_intx(vdev->pdev)) {
		atomic_inc(&raw->interrupts);
		wake_up_interruptible(&raw->wait);
	}
	vnpu_exit(token);
	return sizeof(value);
}

static __poll_t vnpu_raw_poll(struct file *file, poll_table *table)
{
	struct vnpu_raw *raw = file->private_data;

	poll_wait(file, &raw->wait, table);
	if (READ_ONCE(raw->vdev->is_gone))
		return EPOLLERR | EPOLLHUP;
	return atomic_read(&raw->interrupts) ? EPOLLIN : 0;
}

static int vnpu_raw_map_registers(struct vnpu_device *vdev, struct vm_area_struct *vma)
{
	unsigned long size = vma->vm_end - vma->vm_start;
	int token, ret;

	if (vma->vm_pgoff || size > vdev->regs_size || !(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	if (!vnpu_enter(vdev, &token))
		return -ENODEV;
	vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
	ret = io_remap_pfn_range(vma, vma->vm_start, vdev->regs_start >> PAGE_SHIFT, size,
				 vma->vm_page_prot);
	vnpu_exit(token);
	return ret;
}

static int vnpu_raw_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct vnpu_raw *raw = file->private_data;
	const unsigned int shift = VNPU_BO_SHIFT - PAGE_SHIFT;
	struct vnpu_bo *bo;
	int ret;

	if (!(vma->vm_pgoff >> shift))
		return vnpu_raw_map_registers(raw->vdev, vma);
	xa_lock(&raw->bos);
	bo = xa_load(&raw->bos, vma->vm_pgoff >> shift);
	if (bo)
		kref_get(&bo->ref);
	xa_unlock(&raw->bos);
	if (!bo)
		return -EINVAL;
	vma->vm_pgoff &= BIT(shift) - 1;
	ret = vnpu_bo_mmap(bo, vma);
	vnpu_bo_put(bo);
	return ret;
}

const struct file_operations vnpu_raw_fops = {
	.owner = THIS_MODULE,
	.open = vnpu_raw_open,
	.release = vnpu_raw_release,
	.unlocked_ioctl = vnpu_raw_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.read = vnpu_raw_read,
	.write = vnpu_raw_write,
	.poll = vnpu_raw_poll,
	.mmap = vnpu_raw_mmap,
	.llseek = noop_llseek,
};
