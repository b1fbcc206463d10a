// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Probe and removal of the PCI function. */

#include <linux/dma-mapping.h>
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/srcu.h>

#include "vnpu_drv.h"

bool vnpu_preempt = true;
module_param_named(preempt, vnpu_preempt, bool, 0444);
MODULE_PARM_DESC(preempt, "Save a job at a checkpoint when one of a higher priority arrives (default: true)");

uint vnpu_job_timeout_ms = 10000;
module_param_named(job_timeout_ms, vnpu_job_timeout_ms, uint, 0644);
MODULE_PARM_DESC(job_timeout_ms,
		 "Device time that a job may take, queueing included, unless it says otherwise; 0: any (default: 10000)");

static DEFINE_IDA(vnpu_ids);
DEFINE_STATIC_SRCU(vnpu_calls);

/* False once the device has been removed; else it stays until vnpu_exit(). */
bool vnpu_enter(struct vnpu_device *vdev, int *token)
{
	*token = srcu_read_lock(&vnpu_calls);
	if (!READ_ONCE(vdev->is_gone)) {
		__release(&vnpu_calls); /* for sparse, which cannot follow a conditional lock */
		return true;
	}
	srcu_read_unlock(&vnpu_calls, *token);
	return false;
}

void vnpu_exit(int token)
{
	__acquire(&vnpu_calls);
	srcu_read_unlock(&vnpu_calls, token);
}

static void vnpu_device_free(struct kref *ref)
{
	struct vnpu_device *vdev = container_of(ref, struct vnpu_device, ref);

	pci_dev_put(vdev->pdev);
	ida_free(&vnpu_ids, vdev->id);
	kfree(vdev);
}

void vnpu_device_put(struct vnpu_device *vdev)
{
	kref_put(&vdev->ref, vnpu_device_free);
}

int vnpu_shared_alloc(struct vnpu_device *vdev, struct vnpu_shared *shared, size_t size)
{
	shared->size = PAGE_ALIGN(size);
	shared->cpu = dma_alloc_coherent(&vdev->pdev->dev, shared->size, &shared->dma, GFP_KERNEL);
	return shared->cpu ? 0 : -ENOMEM;
}

void vnpu_shared_free(struct vnpu_device *vdev, struct vnpu_shared *shared)
{
	if (shared->cpu)
		dma_free_coherent(&vdev->pdev->dev, shared->size, shared->cpu, shared->dma);
	shared->cpu = NULL;
}

u64 vnpu_cycles(struct vnpu_device *vdev)
{
	unsigned long flags;
	u64 low, high;

	/* Reading the low word latches the high one. */
	spin_lock_irqsave(&vdev->cycle_lock, flags);
	low = vnpu_read(vdev, VNPU_REG_CYCLE_COUNTER_LO);
	high = vnpu_read(vdev, VNPU_REG_CYCLE_COUNTER_HI);
	spin_unlock_irqrestore(&vdev->cycle_lock, flags);
	return high << 32 | low;
}

u64 vnpu_cycles_of_ns(struct vnpu_device *vdev, u64 ns)
{
	return mul_u64_u64_div_u64(ns, vdev->clock_khz, USEC_PER_SEC);
}

static int vnpu_identify(struct vnpu_device *vdev)
{
	u32 id = vnpu_read(vdev, VNPU_REG_ID);
	u32 arch = vnpu_read(vdev, VNPU_REG_ARCH_VERSION);

	if (id != VNPU_DEVICE_ID)
		return dev_err_probe(&vdev->pdev->dev, -ENODEV, "device id is %#x\n", id);
	if (arch >> 16 != VNPU_ARCH_MAJOR)
		return dev_err_probe(&vdev->pdev->dev, -ENODEV,
				     "architecture version is %u.%u, expected %u.x\n", arch >> 16,
				     arch & 0xffff, VNPU_ARCH_MAJOR);
	vdev->clock_khz = vnpu_read(vdev, VNPU_REG_CONFIG_CLOCK);
	vdev->command_stream_version = vnpu_read(vdev, VNPU_REG_COMMAND_STREAM_VERSION);
	if (vnpu_preempt)
		vdev->save_bytes = VNPU_SAVE_AREA_BASE +
			SZ_1K * (u64)(vnpu_read(vdev, VNPU_REG_CONFIG_SRAM) & 0xffff) +
			SZ_1K * (u64)(vnpu_read(vdev, VNPU_REG_CONFIG_ACCUMULATOR) & 0xffff);
	return 0;
}

static int vnpu_map_registers(struct vnpu_device *vdev)
{
	struct pci_dev *pdev = vdev->pdev;
	int ret;

	ret = pcim_enable_device(pdev);
	if (ret)
		return ret;
	ret = pcim_iomap_regions(pdev, BIT(0), "vnpu");
	if (ret)
		return ret;
	vdev->regs = pcim_iomap_table(pdev)[0];
	vdev->regs_start = pci_resource_start(pdev, 0);
	vdev->regs_size = pci_resource_len(pdev, 0);
	if (vdev->regs_size < VNPU_REG_BYTES)
		return dev_err_probe(&pdev->dev, -ENODEV, "BAR 0 has %llu bytes\n",
				     (unsigned long long)vdev->regs_size);
	return dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(VNPU_BUS_BITS));
}

static int vnpu_register_nodes(struct vnpu_device *vdev)
{
	int ret;

	snprintf(vdev->name, sizeof(vdev->name), "vnpu%d", vdev->id);
	snprintf(vdev->raw_name, sizeof(vdev->raw_name), "vnpu%d-raw", vdev->id);
	vdev->misc = (struct miscdevice){
		.minor = MISC_DYNAMIC_MINOR,
		.name = vdev->name,
		.fops = &vnpu_fops,
		.parent = &vdev->pdev->dev,
		.mode = 0666,
	};
	vdev->raw_misc = (struct miscdevice){
		.minor = MISC_DYNAMIC_MINOR,
		.name = vdev->raw_name,
		.fops = &vnpu_raw_fops,
		.parent = &vdev->pdev->dev,
		.mode = 0600,
	};
	ret = misc_register(&vdev->misc);
	if (ret)
		return ret;
	ret = misc_register(&vdev->raw_misc);
	if (ret)
		misc_deregister(&vdev->misc);
	return ret;
}

static struct vnpu_device *vnpu_device_alloc(struct pci_dev *pdev)
{
	struct vnpu_device *vdev = kzalloc(sizeof(*vdev), GFP_KERNEL);

	if (!vdev)
		return NULL;
	vdev->id = ida_alloc(&vnpu_ids, GFP_KERNEL);
	if (vdev->id < 0) {
		kfree(vdev);
		return NULL;
	}
	kref_init(&vdev->ref);
	vdev->pdev = pci_dev_get(pdev);
	mutex_init(&vdev->lock);
	mutex_init(&vdev->bo_lock);
	mutex_init(&vdev->message_taking);
	spin_lock_init(&vdev->message_lock);
	spin_lock_init(&vdev->cycle_lock);
	init_completion(&vdev->message_arrived);
	INIT_LIST_HEAD(&vdev->contexts);
	INIT_LIST_HEAD(&vdev->bos);
	vnpu_recovery_init(vdev);
	return vdev;
}

static int vnpu_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct vnpu_device *vdev = vnpu_device_alloc(pdev);
	int ret;

	if (!vdev)
		return -ENOMEM;
	pci_set_drvdata(pdev, vdev);
	ret = vnpu_map_registers(vdev);
	if (ret)
		goto err_put;
	ret = vnpu_identify(vdev);
	if (ret)
		goto err_put;
	vdev->wq = alloc_ordered_workqueue("vnpu%d", WQ_MEM_RECLAIM, vdev->id);
	if (!vdev->wq) {
		ret = -ENOMEM;
		goto err_put;
	}
	pci_set_master(pdev);
	vnpu_hold_in_reset(vdev);
	ret = vnpu_irq_init(vdev);
	if (ret)
		goto err_master;
	ret = vnpu_firmware_init(vdev);
	if (ret)
		goto err_irq;
	ret = vnpu_register_nodes(vdev);
	if (ret)
		goto err_firmware;
	vnpu_debugfs_init(vdev);
	dev_info(&pdev->dev, "%s: clock %u kHz, command stream %u, %s\n", vdev->name,
		 vdev->clock_khz, vdev->command_stream_version, vdev->is_msi ? "MSI" : "INTx");
	return 0;

err_firmware:
	vnpu_hold_in_reset(vdev);
	vnpu_firmware_fini(vdev);
err_irq:
	vnpu_irq_fini(vdev);
	cancel_delayed_work_sync(&vdev->watchdog);
	cancel_work_sync(&vdev->work);
err_master:
	pci_clear_master(pdev);
	destroy_workqueue(vdev->wq);
err_put:
	vnpu_device_put(vdev);
	return ret;
}

/* Open files survive the removal; their calls then fail with ENODEV. */
static void vnpu_remove(struct pci_dev *pdev)
{
	struct vnpu_device *vdev = pci_get_drvdata(pdev);
	struct vnpu_context *ctx;

	misc_deregister(&vdev->raw_misc);
	misc_deregister(&vdev->misc);
	debugfs_remove_recursive(vdev->debugfs);

	WRITE_ONCE(vdev->is_gone, true);
	synchronize_srcu(&vnpu_calls);
	mutex_lock(&vdev->lock);
	vdev->is_wedged = true;
	vnpu_hold_in_reset(vdev);
	vnpu_raw_detach(vdev);
	vnpu_give_up_jobs(vdev);
	list_for_each_entry(ctx, &vdev->contexts, node)
		vnpu_context_detach(ctx);
	mutex_unlock(&vdev->lock);
	vnpu_irq_fini(vdev);
	cancel_delayed_work_sync(&vdev->watchdog);
	cancel_work_sync(&vdev->work);
	destroy_workqueue(vdev->wq);
	pci_clear_master(pdev);
	vnpu_bo_release_all(vdev);
	vnpu_firmware_fini(vdev);
	vnpu_device_put(vdev);
}

static const struct pci_device_id vnpu_ids_table[] = {
	{ PCI_DEVICE(VNPU_PCI_VENDOR, VNPU_PCI_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, vnpu_ids_table);

static struct pci_driver vnpu_driver = {
	.name = "vnpu",
	.id_table = vnpu_ids_table,
	.probe = vnpu_probe,
	.remove = vnpu_remove,
};

static int __init vnpu_init(void)
{
	int ret;

	vnpu_debugfs_root_init();
	ret = pci_register_driver(&vnpu_driver);
	if (ret)
		vnpu_debugfs_root_fini();
	return ret;
}

static void __exit vnpu_fini(void)
{
	pci_unregister_driver(&vnpu_driver);
	vnpu_debugfs_root_fini();
	ida_destroy(&vnpu_ids);
}

module_init(vnpu_init);
module_exit(vnpu_fini);

MODULE_DESCRIPTION("Driver of the vnpu virtual NPU");
MODULE_AUTHOR("The vnpu authors");
MODULE_LICENSE("Dual MIT/GPL");
