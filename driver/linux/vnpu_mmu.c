// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Address spaces of contexts: allocation of addresses, page tables, TLB. */

#include <linux/dma-mapping.h>
#include <linux/slab.h>

#include "vnpu_drv.h"

/* Address 0 stays unmapped, and so does a page behind each mapping. */
#define VNPU_VA_START SZ_64K
#define VNPU_VA_ALIGN SZ_64K
#define VNPU_VA_END BIT_ULL(VNPU_VA_BITS)

static struct vnpu_table *vnpu_table_alloc(struct vnpu_device *vdev, int level)
{
	struct vnpu_table *table = kzalloc(sizeof(*table), GFP_KERNEL_ACCOUNT);

	if (!table)
		return NULL;
	table->entries = dma_alloc_coherent(&vdev->pdev->dev, VNPU_PAGE_SIZE, &table->dma,
					    GFP_KERNEL);
	if (!table->entries)
		goto err;
	if (level < VNPU_TABLE_LEVELS - 1) {
		table->children = kcalloc(VNPU_TABLE_ENTRIES, sizeof(*table->children),
					  GFP_KERNEL_ACCOUNT);
		if (!table->children)
			goto err_entries;
	}
	return table;

err_entries:
	dma_free_coherent(&vdev->pdev->dev, VNPU_PAGE_SIZE, table->entries, table->dma);
err:
	kfree(table);
	return NULL;
}

static void vnpu_table_free(struct vnpu_device *vdev, struct vnpu_table *table, int level)
{
	int i;

	if (!table)
		return;
	for (i = 0; table->children && i < VNPU_TABLE_ENTRIES; i++)
		vnpu_table_free(vdev, table->children[i], level + 1);
	dma_free_coherent(&vdev->pdev->dev, VNPU_PAGE_SIZE, table->entries, table->dma);
	kfree(table->children);
	kfree(table);
}

static unsigned int vnpu_table_index(u64 address, int level)
{
	return address >> (VNPU_PAGE_SHIFT + 9 * (VNPU_TABLE_LEVELS - 1 - level)) &
	       (VNPU_TABLE_ENTRIES - 1);
}

/* The last-level table of an address. Tables stay until the end of the context. */
static struct vnpu_table *vnpu_last_table(struct vnpu_context *ctx, u64 address)
{
	struct vnpu_table *table = ctx->root;
	int level;

	for (level = 0; level < VNPU_TABLE_LEVELS - 1; level++) {
		unsigned int index = vnpu_table_index(address, level);
		struct vnpu_table *child = table->children[index];

		if (!child) {
			child = vnpu_table_alloc(ctx->vdev, level + 1);
			if (!child)
				return NULL;
			table->children[index] = child;
			dma_wmb(); /* the device sees a table of zeroes, then the entry */
			WRITE_ONCE(table->entries[index], cpu_to_le64(child->dma | VNPU_PTE_VALID));
		}
		table = child;
	}
	return table;
}

/* Whether the 16 pages from `first` are one naturally aligned block on the bus. */
static bool vnpu_is_large(const struct vnpu_bo *bo, unsigned long first)
{
	dma_addr_t start = bo->dma[first];
	unsigned int i;

	if (bo->page_count - first < VNPU_LARGE_PAGES ||
	    !IS_ALIGNED(start, VNPU_LARGE_PAGES * VNPU_PAGE_SIZE))
		return false;
	for (i = 1; i < VNPU_LARGE_PAGES; i++)
		if (bo->dma[first + i] != start + i * VNPU_PAGE_SIZE)
			return false;
	return true;
}

/* Addresses are aligned to 64 KiB, so that a large block never straddles two tables. */
static int vnpu_write_entries(struct vnpu_context *ctx, const struct vnpu_bo *bo, u64 address,
			      bool is_writable)
{
	u64 flags = VNPU_PTE_VALID | (is_writable ? VNPU_PTE_WRITABLE : 0);
	struct vnpu_table *table = NULL;
	unsigned long i;
	u64 large = 0;

	for (i = 0; i < bo->page_count; i++, address += VNPU_PAGE_SIZE) {
		unsigned int index = vnpu_table_index(address, VNPU_TABLE_LEVELS - 1);

		if (!table || !index)
			table = vnpu_last_table(ctx, address);
		if (!table)
			return -ENOMEM;
		if (!(i % VNPU_LARGE_PAGES))
			large = vnpu_is_large(bo, i) ? VNPU_PTE_LARGE : 0;
		WRITE_ONCE(table->entries[index], cpu_to_le64(bo->dma[i] | flags | large));
	}
	return 0;
}

/* The last mapping in front of the first gap that is large enough. */
static struct list_head *vnpu_find_gap(struct vnpu_context *ctx, u64 size, u64 *address)
{
	struct vnpu_mapping *mapping;
	u64 at = VNPU_VA_START;

	list_for_each_entry(mapping, &ctx->mappings, node) {
		if (mapping->address >= at + size + VNPU_PAGE_SIZE)
			break;
		at = mapping->address + ((u64)mapping->bo->page_count << VNPU_PAGE_SHIFT);
		at = ALIGN(at + VNPU_PAGE_SIZE, VNPU_VA_ALIGN);
	}
	if (size > VNPU_VA_END - at)
		return NULL;
	*address = at;
	return mapping->node.prev;
}

static void vnpu_unmap(struct vnpu_mapping *mapping)
{
	struct vnpu_context *ctx = mapping->ctx;
	struct vnpu_device *vdev = ctx->vdev;
	u64 address = mapping->address;
	unsigned long i;

	list_del(&mapping->node);
	if (!ctx->root)
		return;
	for (i = 0; i < mapping->bo->page_count; i++, address += VNPU_PAGE_SIZE) {
		struct vnpu_table *table = ctx->root;
		int level;

		for (level = 0; table && level < VNPU_TABLE_LEVELS - 1; level++)
			table = table->children[vnpu_table_index(address, level)];
		if (table)
			WRITE_ONCE(table->entries[vnpu_table_index(address, level)], 0);
	}
	wmb(); /* entries before the invalidation */
	vnpu_write(vdev, VNPU_REG_MMU_INVALIDATE, ctx->index);
	vnpu_read(vdev, VNPU_REG_STATUS); /* it has taken effect when the pages are freed */
}

/* Takes its own reference of the buffer object. */
struct vnpu_mapping *vnpu_map(struct vnpu_context *ctx, struct vnpu_bo *bo, bool is_writable)
{
	struct vnpu_mapping *mapping = kzalloc(sizeof(*mapping), GFP_KERNEL_ACCOUNT);
	struct list_head *place;
	int ret = -ENOSPC;

	if (!mapping)
		return ERR_PTR(-ENOMEM);
	kref_init(&mapping->ref);
	mapping->ctx = ctx;
	mapping->bo = bo;
	mutex_lock(&ctx->lock);
	place = vnpu_find_gap(ctx, (u64)bo->page_count << VNPU_PAGE_SHIFT, &mapping->address);
	if (place) {
		list_add(&mapping->node, place);
		ret = vnpu_write_entries(ctx, bo, mapping->address, is_writable);
		if (ret)
			vnpu_unmap(mapping);
		wmb(); /* entries before a job that uses them */
	}
	mutex_unlock(&ctx->lock);
	if (ret) {
		kfree(mapping);
		return ERR_PTR(ret);
	}
	kref_get(&bo->ref);
	return mapping;
}

static void vnpu_mapping_free(struct kref *ref)
{
	struct vnpu_mapping *mapping = container_of(ref, struct vnpu_mapping, ref);
	struct vnpu_context *ctx = mapping->ctx;

	mutex_lock(&ctx->lock);
	vnpu_unmap(mapping);
	mutex_unlock(&ctx->lock);
	vnpu_bo_put(mapping->bo);
	kfree(mapping);
}

/* ctx->lock must not be held. */
void vnpu_mapping_put(struct vnpu_mapping *mapping)
{
	if (mapping)
		kref_put(&mapping->ref, vnpu_mapping_free);
}

int vnpu_mmu_init(struct vnpu_context *ctx)
{
	INIT_LIST_HEAD(&ctx->mappings);
	ctx->root = vnpu_table_alloc(ctx->vdev, 0);
	return ctx->root ? 0 : -ENOMEM;
}

/* The device must not know the context any more. */
void vnpu_mmu_fini(struct vnpu_context *ctx)
{
	mutex_lock(&ctx->lock);
	vnpu_table_free(ctx->vdev, ctx->root, 0);
	ctx->root = NULL;
	mutex_unlock(&ctx->lock);
}
