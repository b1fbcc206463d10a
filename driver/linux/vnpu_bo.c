// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Buffer objects: pages of the kernel, or pinned pages of a program. */

#include <linux/dma-mapping.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "vnpu_drv.h"

/* 64 KiB: one TLB entry of the device. */
#define VNPU_CHUNK_ORDER 4

static struct vnpu_bo *vnpu_bo_alloc(struct vnpu_device *vdev, u64 size)
{
	struct vnpu_bo *bo;

	if (!size || size > VNPU_MAX_BO_BYTES)
		return ERR_PTR(-EINVAL);
	bo = kzalloc(sizeof(*bo), GFP_KERNEL_ACCOUNT);
	if (!bo)
		return ERR_PTR(-ENOMEM);
	kref_init(&bo->ref);
	INIT_LIST_HEAD(&bo->node);
	bo->vdev = vdev;
	kref_get(&vdev->ref);
	bo->page_count = DIV_ROUND_UP_ULL(size, VNPU_PAGE_SIZE);
	bo->pages = kvcalloc(bo->page_count, sizeof(*bo->pages), GFP_KERNEL_ACCOUNT);
	bo->dma = kvcalloc(bo->page_count, sizeof(*bo->dma), GFP_KERNEL_ACCOUNT);
	if (!bo->pages || !bo->dma) {
		vnpu_bo_put(bo);
		return ERR_PTR(-ENOMEM);
	}
	return bo;
}

static int vnpu_bo_add_pages(struct vnpu_bo *bo, unsigned long first, unsigned int order, gfp_t gfp)
{
	struct page *page = alloc_pages(gfp | __GFP_ZERO | __GFP_ACCOUNT, order);
	unsigned long count = min(1UL << order, bo->page_count - first);
	unsigned long i;

	if (!page)
		return -ENOMEM;
	split_page(page, order);
	for (i = 0; i < 1UL << order; i++) {
		if (i < count)
			bo->pages[first + i] = page + i;
		else
			__free_page(page + i);
	}
	return count;
}

static int vnpu_bo_fill(struct vnpu_bo *bo)
{
	const gfp_t no_effort = GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY;
	unsigned long i = 0;
	int added;

	while (i < bo->page_count) {
		added = -ENOMEM;
		if (bo->page_count - i >= 1UL << VNPU_CHUNK_ORDER)
			added = vnpu_bo_add_pages(bo, i, VNPU_CHUNK_ORDER, no_effort);
		if (added < 0)
			added = vnpu_bo_add_pages(bo, i, 0, GFP_KERNEL | __GFP_NOWARN);
		if (added < 0)
			return added;
		i += added;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static enum dma_data_direction vnpu_bo_direction(const struct vnpu_bo *bo)
{
	return bo->is_read_only ? DMA_TO_DEVICE : DMA_BIDIRECTIONAL;
}

static void vnpu_bo_dma_unmap(struct vnpu_bo *bo, unsigned long count)
{
	unsigned long i;

	for (i = 0; i < count; i++)
		dma_unmap_page(&bo->vdev->pdev->dev, bo->dma[i], PAGE_SIZE, vnpu_bo_direction(bo));
}

static int vnpu_bo_dma_map(struct vnpu_bo *bo)
{
	struct device *dev = &bo->vdev->pdev->dev;
	unsigned long i;

	for (i = 0; i < bo->page_count; i++) {
		bo->dma[i] = dma_map_page(dev, bo->pages[i], 0, PAGE_SIZE, vnpu_bo_direction(bo));
		if (dma_mapping_error(dev, bo->dma[i])) {
			vnpu_bo_dma_unmap(bo, i);
			return -ENOMEM;
		}
	}
	mutex_lock(&bo->vdev->bo_lock);
	list_add(&bo->node, &bo->vdev->bos);
	mutex_unlock(&bo->vdev->bo_lock);
	return 0;
}

/* Contiguous memory is limited by the largest block of the page allocator. */
struct vnpu_bo *vnpu_bo_create(struct vnpu_device *vdev, u64 size, bool is_contiguous)
{
	struct vnpu_bo *bo;
	int ret;

	BUILD_BUG_ON(PAGE_SIZE != VNPU_PAGE_SIZE);
	if (is_contiguous && size > SZ_4M)
		return ERR_PTR(-EINVAL);
	bo = vnpu_bo_alloc(vdev, size);
	if (IS_ERR(bo))
		return bo;
	if (is_contiguous)
		ret = vnpu_bo_add_pages(bo, 0, get_order(size), GFP_KERNEL | __GFP_NOWARN);
	else
		ret = vnpu_bo_fill(bo);
	if (ret >= 0)
		ret = vnpu_bo_dma_map(bo);
	if (ret < 0) {
		vnpu_bo_put(bo);
		return ERR_PTR(ret);
	}
	return bo;
}

static int vnpu_bo_pin_pages(struct vnpu_bo *bo, u64 address)
{
	unsigned int flags = FOLL_LONGTERM | (bo->is_read_only ? 0 : FOLL_WRITE);
	unsigned long done = 0;
	int pinned;

	while (done < bo->page_count) {
		pinned = pin_user_pages_fast(address + done * PAGE_SIZE,
					     min(bo->page_count - done, 1024UL), flags,
					     bo->pages + done);
		if (pinned <= 0) {
			unpin_user_pages(bo->pages, done);
			return pinned ? pinned : -EFAULT;
		}
		done += pinned;
	}
	bo->is_pinned = true;
	return 0;
}

struct vnpu_bo *vnpu_bo_pin(struct vnpu_device *vdev, u64 address, u64 size, bool is_read_only)
{
	struct vnpu_bo *bo;
	int ret;

	if (!PAGE_ALIGNED(address) || !PAGE_ALIGNED(size) || address + size < address ||
	    address + size > TASK_SIZE)
		return ERR_PTR(-EINVAL);
	bo = vnpu_bo_alloc(vdev, size);
	if (IS_ERR(bo))
		return bo;
	bo->is_read_only = is_read_only;
	ret = account_locked_vm(current->mm, bo->page_count, true);
	if (!ret) {
		mmgrab(current->mm);
		bo->mm = current->mm;
		ret = vnpu_bo_pin_pages(bo, address);
	}
	if (!ret)
		ret = vnpu_bo_dma_map(bo);
	if (ret) {
		vnpu_bo_put(bo);
		return ERR_PTR(ret);
	}
	return bo;
}

/* Called for the last reference, and for each buffer object when the device goes. */
static void vnpu_bo_detach(struct vnpu_bo *bo)
{
	if (list_empty(&bo->node))
		return;
	list_del_init(&bo->node);
	vnpu_bo_dma_unmap(bo, bo->page_count);
}

static void vnpu_bo_free(struct kref *ref)
{
	struct vnpu_bo *bo = container_of(ref, struct vnpu_bo, ref);
	unsigned long i;

	mutex_lock(&bo->vdev->bo_lock);
	vnpu_bo_detach(bo);
	mutex_unlock(&bo->vdev->bo_lock);
	if (bo->is_pinned)
		unpin_user_pages_dirty_lock(bo->pages, bo->page_count, !bo->is_read_only);
	for (i = 0; bo->pages && !bo->mm && i < bo->page_count; i++)
		if (bo->pages[i])
			__free_page(bo->pages[i]);
	if (bo->mm) {
		account_locked_vm(bo->mm, bo->page_count, false);
		mmdrop(bo->mm);
	}
	kvfree(bo->dma);
	kvfree(bo->pages);
	vnpu_device_put(bo->vdev);
	kfree(bo);
}

void vnpu_bo_put(struct vnpu_bo *bo)
{
	kref_put(&bo->ref, vnpu_bo_free);
}

/* vma->vm_pgoff counts from the start of the buffer object. The pages outlive it where mapped. */
int vnpu_bo_mmap(struct vnpu_bo *bo, struct vm_area_struct *vma)
{
	if (bo->is_pinned)
		return -EINVAL;
	return vm_map_pages(vma, bo->pages, bo->page_count);
}

void vnpu_bo_release_all(struct vnpu_device *vdev)
{
	struct vnpu_bo *bo, *next;

	mutex_lock(&vdev->bo_lock);
	list_for_each_entry_safe(bo, next, &vdev->bos, node)
		vnpu_bo_detach(bo);
	mutex_unlock(&vdev->bo_lock);
}
