// SPDX-License-Identifier: GPL-2.0 OR MIT

#include <linux/interrupt.h>

#include "vnpu_drv.h"

static irqreturn_t vnpu_irq(int irq, void *data)
{
	struct vnpu_device *vdev = data;
	struct vnpu_raw *raw = READ_ONCE(vdev->raw);
	u32 pending;

	if (raw)
		return vnpu_raw_interrupt(vdev, raw) ? IRQ_HANDLED : IRQ_NONE;
	pending = vnpu_read(vdev, VNPU_REG_IRQ_STATUS);
	if (!(pending & VNPU_IRQ_ALL) || pending == ~0u)
		return IRQ_NONE;
	/*
	 * The line falls here and rises when the thread writes the mask, if anything is pending
	 * then: no edge is lost with MSI, and no level stays with INTx.
	 */
	vnpu_write(vdev, VNPU_REG_IRQ_MASK, 0);
	vnpu_write(vdev, VNPU_REG_IRQ_STATUS, pending);
	atomic_or(pending, &vdev->irq_pending);
	return IRQ_WAKE_THREAD;
}

static void vnpu_log_fault(struct vnpu_device *vdev)
{
	u32 info = vnpu_read(vdev, VNPU_REG_MMU_FAULT_INFO);
	u64 address;

	/* The firmware may have taken the record; the job's completion then reports the fault. */
	if (!(info & VNPU_MMU_FAULT_VALID))
		return;
	address = vnpu_read(vdev, VNPU_REG_MMU_FAULT_ADDRESS_LO);
	address |= (u64)vnpu_read(vdev, VNPU_REG_MMU_FAULT_ADDRESS_HI) << 32;
	vnpu_write(vdev, VNPU_REG_MMU_FAULT_INFO, 0);
	dev_info_ratelimited(&vdev->pdev->dev, "MMU fault: context %u, engine %u, %s of %#llx\n",
			     info >> 8 & 0xff, info >> 16 & 0xf, info & BIT(1) ? "write" : "read",
			     address);
}

static irqreturn_t vnpu_irq_thread(int irq, void *data)
{
	struct vnpu_device *vdev = data;
	u32 pending = atomic_xchg(&vdev->irq_pending, 0);

	if (READ_ONCE(vdev->raw))
		return IRQ_HANDLED;
	if (pending & VNPU_IRQ_MESSAGE)
		vnpu_take_message(vdev);
	if (pending & VNPU_IRQ_FAULT)
		vnpu_log_fault(vdev);
	if (pending & VNPU_IRQ_FATAL)
		vnpu_want_reset(vdev, "the firmware reports a fatal error");
	if (pending & VNPU_IRQ_JOB_DONE)
		queue_work(vdev->wq, &vdev->work);
	vnpu_write(vdev, VNPU_REG_IRQ_MASK, VNPU_IRQ_ALL);
	return IRQ_HANDLED;
}

int vnpu_irq_init(struct vnpu_device *vdev)
{
	struct pci_dev *pdev = vdev->pdev;
	int ret;

	ret = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_ALL_TYPES);
	if (ret < 0)
		return ret;
	vdev->is_msi = pci_dev_msi_enabled(pdev);
	ret = request_threaded_irq(pci_irq_vector(pdev, 0), vnpu_irq, vnpu_irq_thread,
				   vdev->is_msi ? 0 : IRQF_SHARED, "vnpu", vdev);
	if (ret)
		pci_free_irq_vectors(pdev);
	return ret;
}

void vnpu_irq_fini(struct vnpu_device *vdev)
{
	free_irq(pci_irq_vector(vdev->pdev, 0), vdev);
	pci_free_irq_vectors(vdev->pdev);
}
