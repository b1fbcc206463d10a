/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef VNPU_DRV_H
#define VNPU_DRV_H

#include <linux/completion.h>
#include <linux/debugfs.h>
#include <linux/dma-fence.h>
#include <linux/io.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "include/uapi/vnpu_uapi.h"
#include "vnpu_hw.h"

/*
 * Locks, outermost first:
 *   vnpu_device.lock   contexts, queues, jobs, rings, requests to the firmware
 *   vnpu_context.lock  handles, address space and page tables of a context
 *   vnpu_device.bo_lock
 * The interrupt thread takes none of them, because their holders wait for its messages. Calls of
 * programs run between vnpu_enter() and vnpu_exit(), for which a removal waits.
 */

#define VNPU_BO_SHIFT 28 /* mmap offset of a buffer object: handle << 28 */
#define VNPU_MAX_BO_BYTES (1UL << VNPU_BO_SHIFT)
#define VNPU_MAX_HANDLES 0xffff
#define VNPU_RING_SLOTS 16
#define VNPU_MAX_PENDING 256 /* jobs of a context that have not ended */
#define VNPU_KEPT_RESULTS 256
#define VNPU_LOG_BYTES SZ_16K
#define VNPU_WATCHDOG_MS 50

/* Memory that firmware and kernel share, contiguous on the bus. */
struct vnpu_shared {
	void *cpu;
	dma_addr_t dma;
	size_t size;
};

struct vnpu_device {
	struct kref ref;
	struct pci_dev *pdev;
	void __iomem *regs;
	resource_size_t regs_start;
	resource_size_t regs_size;
	int id;
	char name[16];
	char raw_name[24];
	struct miscdevice misc;
	struct miscdevice raw_misc;

	bool is_gone; /* removed; see vnpu_enter() */

	struct mutex lock;
	struct list_head contexts; /* lock */
	struct vnpu_context *context_of[VNPU_CONTEXTS]; /* lock */
	struct vnpu_queue *queue_of[VNPU_RINGS]; /* lock */
	u64 last_job; /* lock */
	bool is_wedged; /* lock: given up */
	struct vnpu_raw *raw; /* lock; the interrupt handler reads it */

	/* Work on jobs and recovery; runs under lock. */
	struct workqueue_struct *wq;
	struct work_struct work;
	struct delayed_work watchdog;
	const char *reset_reason; /* null: no reset is wanted; xchg() */
	u64 limit_now; /* lock: cycle at which limits are enforced */
	u64 next_limit; /* lock: the first one after it */
	u64 guilty_job; /* lock: of the last reset */
	u32 resets;
	u32 fruitless_resets;
	u64 ended_jobs;
	u64 ended_at_reset;
	bool was_busy; /* at the last check of the heartbeat */
	u32 heartbeat;
	u64 heartbeat_cycle;
	ktime_t heartbeat_time;

	atomic_t irq_pending; /* bits of IRQ_STATUS for the interrupt thread */
	bool is_msi;

	struct vnpu_shared boot; /* boot parameters, state dump, scheduling parameters */
	struct vnpu_shared log;
	u32 last_message; /* lock */
	struct mutex message_taking; /* held while a message is taken out of the mailbox */
	spinlock_t message_lock;
	u32 expected_message; /* message_lock; 0: the boot message */
	struct vnpu_message message; /* message_lock */
	struct completion message_arrived;

	spinlock_t cycle_lock; /* the two halves of CYCLE_COUNTER */
	u32 clock_khz;
	u32 command_stream_version;
	u64 save_bytes; /* of one save area, 0: no preemption */

	struct mutex bo_lock;
	struct list_head bos; /* bo_lock */

	struct dentry *debugfs;
};

/* Pages that the device can reach. Pinned ones belong to a program. */
struct vnpu_bo {
	struct kref ref;
	struct vnpu_device *vdev;
	struct list_head node;
	unsigned long page_count;
	struct page **pages;
	dma_addr_t *dma; /* null once the device is gone */
	bool is_pinned;
	bool is_read_only; /* pinned, and the device only reads */
	struct mm_struct *mm; /* charged for pinned pages */
};

struct vnpu_table {
	__le64 *entries;
	dma_addr_t dma;
	struct vnpu_table **children; /* null in the last level */
};

/* A buffer object in the address space of a context. */
struct vnpu_mapping {
	struct kref ref;
	struct vnpu_context *ctx;
	struct vnpu_bo *bo;
	struct list_head node; /* by address; ctx->lock */
	u64 address;
};

/* An open file of the normal node. */
struct vnpu_context {
	struct vnpu_device *vdev;
	struct list_head node; /* vdev->lock */
	u32 index; /* of the MMU */
	bool is_known; /* to the firmware; vdev->lock */
	pid_t pid;
	struct mutex lock;
	struct xarray handles; /* vnpu_mapping */
	struct list_head mappings; /* lock */
	struct vnpu_table *root; /* lock; null once the device is gone */
	struct vnpu_queue *queues[VNPU_BANDS]; /* vdev->lock */
	struct xarray jobs; /* vdev->lock: vnpu_job by the low word of its id */
	struct list_head results; /* vdev->lock: ended jobs, the oldest first */
	u32 result_count;
	u32 pending_count;
};

/* The jobs of one context and band. A queue with jobs has one of the device's rings. */
struct vnpu_queue {
	struct vnpu_context *ctx;
	u32 band;
	int ring; /* -1: none */
	struct vnpu_shared memory;
	u32 tail;
	u32 completion_head;
	u64 used_at; /* vnpu_device.last_job */
	struct list_head waiting; /* not in the ring yet */
	struct list_head flying; /* in the ring */
	struct vnpu_mapping *save; /* null without preemption */
	struct vnpu_mapping *regions; /* the region tables of the slots */
	struct vnpu_region_entry *region_tables;
};

struct vnpu_job {
	struct dma_fence fence; /* its release frees the job */
	spinlock_t fence_lock;
	struct vnpu_queue *queue; /* null after the end */
	struct list_head node; /* of queue->waiting, flying or ctx->results */
	u64 id;
	struct vnpu_job_slot slot;
	struct vnpu_region_entry *table;
	struct vnpu_mapping **mappings; /* command stream, regions; null after the end */
	u32 region_count;
	struct dma_fence *in_fence;
	struct dma_fence_cb in_cb;
	struct vnpu_device *vdev;
	u64 limit_cycle;
	int limit_error;
	bool is_aborting;
	int error;
	struct vnpu_completion record;
};

extern bool vnpu_preempt;
extern uint vnpu_job_timeout_ms;

static inline u32 vnpu_read(struct vnpu_device *vdev, u32 reg)
{
	return readl(vdev->regs + reg);
}

static inline void vnpu_write(struct vnpu_device *vdev, u32 reg, u32 value)
{
	writel(value, vdev->regs + reg);
}

/* vnpu_drv.c */
bool vnpu_enter(struct vnpu_device *vdev, int *token);
void vnpu_exit(int token);
void vnpu_device_put(struct vnpu_device *vdev);
int vnpu_shared_alloc(struct vnpu_device *vdev, struct vnpu_shared *shared, size_t size);
void vnpu_shared_free(struct vnpu_device *vdev, struct vnpu_shared *shared);
u64 vnpu_cycles(struct vnpu_device *vdev);
u64 vnpu_cycles_of_ns(struct vnpu_device *vdev, u64 ns);

/* vnpu_irq.c */
int vnpu_irq_init(struct vnpu_device *vdev);
void vnpu_irq_fini(struct vnpu_device *vdev);

/* vnpu_firmware.c */
int vnpu_firmware_init(struct vnpu_device *vdev);
void vnpu_firmware_fini(struct vnpu_device *vdev);
void vnpu_hold_in_reset(struct vnpu_device *vdev);
int vnpu_boot(struct vnpu_device *vdev);
void vnpu_take_message(struct vnpu_device *vdev);
int vnpu_request(struct vnpu_device *vdev, struct vnpu_message *message);
u64 vnpu_running_job(struct vnpu_device *vdev);

/* vnpu_bo.c */
struct vnpu_bo *vnpu_bo_create(struct vnpu_device *vdev, u64 size, bool is_contiguous);
struct vnpu_bo *vnpu_bo_pin(struct vnpu_device *vdev, u64 address, u64 size, bool is_read_only);
void vnpu_bo_put(struct vnpu_bo *bo);
int vnpu_bo_mmap(struct vnpu_bo *bo, struct vm_area_struct *vma);
void vnpu_bo_release_all(struct vnpu_device *vdev);

/* vnpu_dmabuf.c */
int vnpu_bo_export_fd(struct vnpu_bo *bo, u32 flags);
struct vnpu_bo *vnpu_bo_of_fd(struct vnpu_device *vdev, int fd);

/* vnpu_mmu.c */
int vnpu_mmu_init(struct vnpu_context *ctx);
void vnpu_mmu_fini(struct vnpu_context *ctx);
struct vnpu_mapping *vnpu_map(struct vnpu_context *ctx, struct vnpu_bo *bo, bool is_writable);
void vnpu_mapping_put(struct vnpu_mapping *mapping);

/* vnpu_context.c */
extern const struct file_operations vnpu_fops;
struct vnpu_mapping *vnpu_mapping_of(struct vnpu_context *ctx, u32 handle);
void vnpu_context_detach(struct vnpu_context *ctx);
int vnpu_context_announce(struct vnpu_context *ctx);

/* vnpu_fence.c */
int vnpu_fence_fd(struct dma_fence *fence, struct file **file);
struct dma_fence *vnpu_fence_of_fd(int fd);

/* vnpu_submit.c */
int vnpu_submit_ioctl(struct vnpu_context *ctx, struct vnpu_submit *args);
int vnpu_wait_ioctl(struct vnpu_context *ctx, struct vnpu_wait *args);
void vnpu_job_drop(struct vnpu_job *job);

/* vnpu_job.c */
struct vnpu_queue *vnpu_queue_get(struct vnpu_context *ctx, u32 band);
void vnpu_queues_destroy(struct vnpu_context *ctx);
void vnpu_pump(struct vnpu_device *vdev);
void vnpu_collect(struct vnpu_device *vdev);
void vnpu_job_end(struct vnpu_job *job, int error, const struct vnpu_completion *record);
u64 vnpu_enforce_limits(struct vnpu_device *vdev);
void vnpu_settle(struct vnpu_device *vdev, u64 guilty);
void vnpu_give_up_jobs(struct vnpu_device *vdev);

/* vnpu_recovery.c */
void vnpu_recovery_init(struct vnpu_device *vdev);
int vnpu_start(struct vnpu_device *vdev);
void vnpu_want_reset(struct vnpu_device *vdev, const char *reason);

/* vnpu_raw.c */
extern const struct file_operations vnpu_raw_fops;
bool vnpu_raw_interrupt(struct vnpu_device *vdev, struct vnpu_raw *raw);
void vnpu_raw_detach(struct vnpu_device *vdev);

/* vnpu_debugfs.c */
void vnpu_debugfs_init(struct vnpu_device *vdev);
void vnpu_debugfs_root_init(void);
void vnpu_debugfs_root_fini(void);

#endif
