// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Boot, mailbox and log of the firmware. */

#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/sizes.h>

#include "vnpu_drv.h"

#define VNPU_DUMP_OFFSET sizeof(struct vnpu_boot_parameters)
#define VNPU_SCHEDULING_OFFSET (VNPU_DUMP_OFFSET + VNPU_DUMP_BYTES)

/* Device time for a reply, thousands of times its usual latency. */
#define VNPU_REPLY_MS 100
#define VNPU_BOOT_MS 1000
/* A simulator may be slow, but it does not stop. */
#define VNPU_SILENCE_WALL_MS 20000
#define VNPU_MESSAGE_TRIES 4

/* Chosen: a turn is a few times the cost of a save and restore. */
#define VNPU_QUANTUM_US 2000
#define VNPU_SLICE_US 1000
#define VNPU_STARVATION_PERMILLE 100

void vnpu_hold_in_reset(struct vnpu_device *vdev)
{
	vnpu_write(vdev, VNPU_REG_IRQ_MASK, 0);
	vnpu_write(vdev, VNPU_REG_CONTROL, VNPU_CONTROL_RESET);
	/* A read comes back only after the writes: the device's DMA has stopped. */
	vnpu_read(vdev, VNPU_REG_CONTROL);
}

/* The checksum of a message in bits 16 to 31 of its first word. */
static u32 vnpu_seal(const u32 *words)
{
	u32 sum = 0x5ea1;
	int i;

	for (i = 0; i < VNPU_MAILBOX_WORDS; i++)
		sum = rol32(sum, 1) ^ (i ? words[i] : words[0] & 0xffff);
	return ((sum ^ sum >> 16) & 0xffff) << 16;
}

/* Takes the outbound message if it is the expected one. Interrupt thread, or who polls. */
void vnpu_take_message(struct vnpu_device *vdev)
{
	union {
		struct vnpu_message message;
		u32 words[VNPU_MAILBOX_WORDS];
	} in;
	bool is_sound;
	u32 type;
	int i;

	mutex_lock(&vdev->message_taking);
	if (!(vnpu_read(vdev, VNPU_REG_MAILBOX_OUT_CONTROL) & VNPU_MAILBOX_FULL)) {
		mutex_unlock(&vdev->message_taking);
		return;
	}
	for (i = 0; i < VNPU_MAILBOX_WORDS; i++)
		in.words[i] = vnpu_read(vdev, VNPU_REG_MAILBOX_OUT + 4 * i);
	vnpu_write(vdev, VNPU_REG_MAILBOX_OUT_CONTROL, 0);
	mutex_unlock(&vdev->message_taking);

	is_sound = (in.words[0] & 0xffff0000) == vnpu_seal(in.words);
	type = in.words[0] & VNPU_MSG_TYPE_MASK;
	if (is_sound && type == VNPU_MSG_REPLY && !in.message.id &&
	    in.message.status == VNPU_MSG_CORRUPTED)
		is_sound = false; /* the firmware could not read the request */
	in.message.type = is_sound ? type : 0;

	spin_lock(&vdev->message_lock);
	if (!is_sound || (type == VNPU_MSG_REPLY && in.message.id == vdev->expected_message) ||
	    (type != VNPU_MSG_REPLY && !vdev->expected_message)) {
		vdev->message = in.message;
		complete(&vdev->message_arrived);
	}
	spin_unlock(&vdev->message_lock);
}

static void vnpu_expect_message(struct vnpu_device *vdev, u32 id)
{
	spin_lock(&vdev->message_lock);
	vdev->expected_message = id;
	reinit_completion(&vdev->message_arrived);
	spin_unlock(&vdev->message_lock);
}

/* Polls as well, because interrupts may be lost. */
static bool vnpu_await_message(struct vnpu_device *vdev, u32 device_ms)
{
	u64 end = vnpu_cycles(vdev) + (u64)device_ms * vdev->clock_khz;
	ktime_t wall_end = ktime_add_ms(ktime_get(), VNPU_SILENCE_WALL_MS);

	while (!wait_for_completion_timeout(&vdev->message_arrived, msecs_to_jiffies(20))) {
		if (vnpu_read(vdev, VNPU_REG_MAILBOX_OUT_CONTROL) & VNPU_MAILBOX_FULL) {
			vnpu_take_message(vdev);
			continue;
		}
		if (READ_ONCE(vdev->reset_reason) || vnpu_cycles(vdev) > end ||
		    ktime_after(ktime_get(), wall_end))
			return try_wait_for_completion(&vdev->message_arrived);
	}
	return true;
}

/*
 * Sends a request and replaces it by the reply. A firmware that does not answer is reset. Process
 * context with vdev->lock held; never from the interrupt thread.
 */
int vnpu_request(struct vnpu_device *vdev, struct vnpu_message *message)
{
	union {
		struct vnpu_message message;
		u32 words[VNPU_MAILBOX_WORDS];
	} out = { .message = *message };
	u32 request = message->type;
	int try, i;

	lockdep_assert_held(&vdev->lock);
	if (vdev->is_wedged)
		return -ENODEV;
	if (READ_ONCE(vdev->reset_reason))
		return -EIO;
	if (!++vdev->last_message)
		++vdev->last_message;
	out.message.id = vdev->last_message;
	for (try = 0; try < VNPU_MESSAGE_TRIES; try++) {
		out.words[0] = request | (try ? VNPU_MSG_REPEATED : 0);
		out.words[0] |= vnpu_seal(out.words);
		vnpu_expect_message(vdev, out.message.id);
		for (i = 0; i < VNPU_MAILBOX_WORDS; i++)
			vnpu_write(vdev, VNPU_REG_MAILBOX_IN + 4 * i, out.words[i]);
		vnpu_write(vdev, VNPU_REG_MAILBOX_IN_CONTROL, VNPU_MAILBOX_FULL);
		if (!vnpu_await_message(vdev, VNPU_REPLY_MS)) {
			vnpu_want_reset(vdev, "the firmware does not answer a message");
			return -EIO;
		}
		*message = vdev->message;
		if (message->type)
			break;
		dev_warn_ratelimited(&vdev->pdev->dev, "message %u was corrupted\n", request);
	}
	if (!message->type) {
		vnpu_want_reset(vdev, "messages are corrupted repeatedly");
		return -EIO;
	}
	if (message->status == VNPU_MSG_OK)
		return 0;
	if (request != VNPU_MSG_ABORT_JOB || message->status != VNPU_MSG_BAD_JOB)
		dev_warn(&vdev->pdev->dev, "firmware refuses message %u: status %u\n", request,
			 message->status);
	return -EIO;
}

static void vnpu_write_scheduling(struct vnpu_device *vdev)
{
	struct vnpu_scheduling *to = vdev->boot.cpu + VNPU_SCHEDULING_OFFSET;
	u64 quantum = vnpu_cycles_of_ns(vdev, VNPU_QUANTUM_US * NSEC_PER_USEC);
	int band;

	memset(to, 0, sizeof(*to));
	to->size = cpu_to_le32(sizeof(*to));
	to->policy = cpu_to_le32(VNPU_POLICY_BANDS);
	to->mechanism = cpu_to_le32(vdev->save_bytes ? VNPU_MECHANISM_CHECKPOINT :
						       VNPU_MECHANISM_NONE);
	to->flags = cpu_to_le32(VNPU_SCHEDULE_FAIR_CONTEXTS);
	to->starvation_permille = cpu_to_le32(VNPU_STARVATION_PERMILLE);
	for (band = 0; band < VNPU_BANDS; band++)
		to->quantum_cycles[band] = cpu_to_le64(quantum);
	to->context_slice_cycles =
		cpu_to_le64(vnpu_cycles_of_ns(vdev, VNPU_SLICE_US * NSEC_PER_USEC));
}

static void vnpu_write_boot_parameters(struct vnpu_device *vdev)
{
	struct vnpu_boot_parameters *to = vdev->boot.cpu;

	memset(to, 0, sizeof(*to));
	to->magic = cpu_to_le32(VNPU_BOOT_MAGIC);
	to->size = cpu_to_le32(sizeof(*to));
	to->boot_api = cpu_to_le32(VNPU_BOOT_API);
	to->mailbox_api = cpu_to_le32(VNPU_MAILBOX_API);
	to->ring_api = cpu_to_le32(VNPU_RING_API);
	to->command_stream_version = cpu_to_le32(vdev->command_stream_version);
	to->log_bytes = cpu_to_le32(VNPU_LOG_BYTES);
	to->log_address = cpu_to_le64(vdev->log.dma);
	to->heartbeat_cycles = cpu_to_le64(vdev->clock_khz); /* 1 ms */
	to->dump_address = cpu_to_le64(vdev->boot.dma + VNPU_DUMP_OFFSET);
	to->watchdog_cycles = cpu_to_le64(2ULL * vdev->clock_khz); /* 2 ms */
}

static bool vnpu_is_api(u32 theirs, u32 ours)
{
	return theirs >> 16 == ours >> 16;
}

/* Starts the firmware; the device is held in reset. vdev->lock is held. */
int vnpu_boot(struct vnpu_device *vdev)
{
	struct vnpu_message *ready = &vdev->message;
	struct vnpu_message scheduling = { .type = VNPU_MSG_SET_SCHEDULING };

	lockdep_assert_held(&vdev->lock);
	vnpu_write_boot_parameters(vdev);
	vnpu_write_scheduling(vdev);
	vnpu_expect_message(vdev, 0);
	vnpu_write(vdev, VNPU_REG_CONTROL, VNPU_CONTROL_RESET);
	vnpu_write(vdev, VNPU_REG_IRQ_STATUS, VNPU_IRQ_ALL);
	vnpu_write(vdev, VNPU_REG_IRQ_MASK, VNPU_IRQ_ALL);
	vnpu_write(vdev, VNPU_REG_BOOT_PARAMETERS_LO, lower_32_bits(vdev->boot.dma));
	vnpu_write(vdev, VNPU_REG_BOOT_PARAMETERS_HI, upper_32_bits(vdev->boot.dma));
	vnpu_write(vdev, VNPU_REG_CONTROL, 0);
	vnpu_write(vdev, VNPU_REG_CONTROL, VNPU_CONTROL_BOOT);
	if (!vnpu_await_message(vdev, VNPU_BOOT_MS)) {
		dev_err(&vdev->pdev->dev, "the firmware does not report, status %#x\n",
			vnpu_read(vdev, VNPU_REG_STATUS));
		return -EIO;
	}
	if (ready->type != VNPU_MSG_READY) {
		dev_err(&vdev->pdev->dev, "the firmware refuses to boot: message %#x, error %u\n",
			ready->type, ready->value);
		return -EIO;
	}
	if (!vnpu_is_api(ready->versions[0], VNPU_BOOT_API) ||
	    !vnpu_is_api(ready->versions[1], VNPU_MAILBOX_API) ||
	    !vnpu_is_api(ready->versions[2], VNPU_RING_API) ||
	    ready->versions[3] != vdev->command_stream_version) {
		dev_err(&vdev->pdev->dev, "firmware versions %#x %#x %#x %u are not supported\n",
			ready->versions[0], ready->versions[1], ready->versions[2],
			ready->versions[3]);
		return -ENODEV;
	}
	scheduling.address = vdev->boot.dma + VNPU_SCHEDULING_OFFSET;
	return vnpu_request(vdev, &scheduling);
}

int vnpu_firmware_init(struct vnpu_device *vdev)
{
	int ret;

	ret = vnpu_shared_alloc(vdev, &vdev->boot,
				VNPU_SCHEDULING_OFFSET + sizeof(struct vnpu_scheduling));
	if (!ret)
		ret = vnpu_shared_alloc(vdev, &vdev->log, VNPU_LOG_BYTES);
	if (!ret) {
		mutex_lock(&vdev->lock);
		ret = vnpu_start(vdev);
		mutex_unlock(&vdev->lock);
	}
	if (ret)
		vnpu_firmware_fini(vdev);
	return ret;
}

void vnpu_firmware_fini(struct vnpu_device *vdev)
{
	vnpu_shared_free(vdev, &vdev->log);
	vnpu_shared_free(vdev, &vdev->boot);
}

/* The job that the log says was running, 0 for none. */
u64 vnpu_running_job(struct vnpu_device *vdev)
{
	const struct vnpu_log_header *header = vdev->log.cpu;
	const struct vnpu_log_record *records = vdev->log.cpu + sizeof(*header);
	u32 capacity = (VNPU_LOG_BYTES - sizeof(*header)) / sizeof(*records);
	u32 count = le32_to_cpu(READ_ONCE(header->record_count));
	u64 written = le64_to_cpu(READ_ONCE(header->written));
	u64 running = 0;
	u64 i;

	if (!count || count > capacity)
		return 0;
	for (i = written > count ? written - count : 0; i != written; i++) {
		const struct vnpu_log_record *record = &records[i % count];

		switch (le32_to_cpu(record->event)) {
		case VNPU_LOG_JOB_START:
		case VNPU_LOG_JOB_RESUMED:
		case VNPU_LOG_JOB_RESTARTED:
			running = le64_to_cpu(record->b);
			break;
		case VNPU_LOG_BOOT:
		case VNPU_LOG_JOB_END:
		case VNPU_LOG_JOB_PREEMPTED:
		case VNPU_LOG_JOB_STOPPED:
			running = 0;
			break;
		}
	}
	return running;
}
