// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Buffer objects as dma-bufs. */

#include <linux/dma-buf.h>
#include <linux/dma-mapping.h>
#include <linux/iosys-map.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/version.h>
#include <linux/vmalloc.h>

#include "vnpu_drv.h"

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
MODULE_IMPORT_NS("DMA_BUF");
#else
MODULE_IMPORT_NS(DMA_BUF);
#endif

static struct sg_table *vnpu_dmabuf_map(struct dma_buf_attachment *attachment,
					enum dma_data_direction direction)
{
	struct vnpu_bo *bo = attachment->dmabuf->priv;
	struct sg_table *table = kzalloc(sizeof(*table), GFP_KERNEL);
	int ret;

	if (!table)
		return ERR_PTR(-ENOMEM);
	ret = sg_alloc_table_from_pages(table, bo->pages, bo->page_count, 0,
					bo->page_count << PAGE_SHIFT, GFP_KERNEL);
	if (ret)
		goto err_free;
	ret = dma_map_sgtable(attachment->dev, table, direction, 0);
	if (ret)
		goto err_table;
	return table;

err_table:
	sg_free_table(table);
err_free:
	kfree(table);
	return ERR_PTR(ret);
}

static void vnpu_dmabuf_unmap(struct dma_buf_attachment *attachment, struct sg_table *table,
			      enum dma_data_direction direction)
{
	dma_unmap_sgtable(attachment->dev, table, direction, 0);
	sg_free_table(table);
	kfree(table);
}

static int vnpu_dmabuf_mmap(struct dma_buf *dmabuf, struct vm_area_struct *vma)
{
	return vnpu_bo_mmap(dmabuf->priv, vma);
}

static int vnpu_dmabuf_vmap(struct dma_buf *dmabuf, struct iosys_map *map)
{
	struct vnpu_bo *bo = dmabuf->priv;
	void *address = vmap(bo->pages, bo->page_count, VM_MAP, PAGE_KERNEL);

	if (!address)
		return -ENOMEM;
	iosys_map_set_vaddr(map, address);
	return 0;
}

static void vnpu_dmabuf_vunmap(struct dma_buf *dmabuf, struct iosys_map *map)
{
	vunmap(map->vaddr);
}

static void vnpu_dmabuf_release(struct dma_buf *dmabuf)
{
	vnpu_bo_put(dmabuf->priv);
}

static const struct dma_buf_ops vnpu_dmabuf_ops = {
	.map_dma_buf = vnpu_dmabuf_map,
	.unmap_dma_buf = vnpu_dmabuf_unmap,
	.mmap = vnpu_dmabuf_mmap,
	.vmap = vnpu_dmabuf_vmap,
	.vunmap = vnpu_dmabuf_vunmap,
	.release = vnpu_dmabuf_release,
};

/* The dma-buf has a reference of its own. */
int vnpu_bo_export_fd(struct vnpu_bo *bo, u32 flags)
{
	DEFINE_DMA_BUF_EXPORT_INFO(info);
	struct dma_buf *dmabuf;
	int fd;

	if (flags & ~(O_CLOEXEC | O_ACCMODE))
		return -EINVAL;
	info.ops = &vnpu_dmabuf_ops;
	info.size = bo->page_count << PAGE_SHIFT;
	info.flags = flags & O_ACCMODE;
	info.priv = bo;
	kref_get(&bo->ref);
	dmabuf = dma_buf_export(&info);
	if (IS_ERR(dmabuf)) {
		vnpu_bo_put(bo);
		return PTR_ERR(dmabuf);
	}
	fd = dma_buf_fd(dmabuf, flags & O_CLOEXEC);
	if (fd < 0)
		dma_buf_put(dmabuf);
	return fd;
}

/* Returns a reference. */
struct vnpu_bo *vnpu_bo_of_fd(struct vnpu_device *vdev, int fd)
{
	struct dma_buf *dmabuf = dma_buf_get(fd);
	struct vnpu_bo *bo = ERR_PTR(-EOPNOTSUPP);

	if (IS_ERR(dmabuf))
		return ERR_CAST(dmabuf);
	if (dmabuf->ops == &vnpu_dmabuf_ops && ((struct vnpu_bo *)dmabuf->priv)->vdev == vdev) {
		bo = dmabuf->priv;
		kref_get(&bo->ref);
	}
	dma_buf_put(dmabuf);
	return bo;
}
