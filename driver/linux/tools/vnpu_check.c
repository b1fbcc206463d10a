// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Calls of the kernel driver that programs should not make, and those that vnpu_job does not make:
 * wrong arguments, shared buffers, used-up contexts, and random bytes. A line for each check that
 * fails; exit code 0: none, 1: some.
 *
 *	vnpu_check [NODE]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vnpu_uapi.h"

#define CONTEXTS 64
#define RANDOM_CALLS 20000

static const char *node = "/dev/vnpu0";
static int failures;

static void expect(int is_right, const char *what)
{
	if (is_right)
		return;
	printf("vnpu_check: %s (errno %d: %s)\n", what, errno, strerror(errno));
	failures++;
}

/* The errno of a call, 0 if it was done. */
static int call(int device, unsigned long request, void *arguments)
{
	errno = 0;
	return ioctl(device, request, arguments) ? errno : 0;
}

static int open_node(void)
{
	int device = open(node, O_RDWR | O_CLOEXEC);

	if (device < 0) {
		fprintf(stderr, "vnpu_check: %s: %s\n", node, strerror(errno));
		exit(1);
	}
	return device;
}

static unsigned int create(int device, unsigned long long size, unsigned long long *offset)
{
	struct vnpu_bo_create bo = { .size = size };

	if (call(device, VNPU_IOC_BO_CREATE, &bo))
		return 0;
	if (offset)
		*offset = bo.mmap_offset;
	return bo.handle;
}

static void check_buffers(int device)
{
	struct vnpu_bo_create bo = { .size = 4096, .flags = 1 };
	struct vnpu_bo_close closing = { .handle = 12345 };
	unsigned long long offset = 0;
	unsigned char *bytes;

	expect(call(device, VNPU_IOC_BO_CREATE, &bo) == EINVAL, "a flag of a buffer");
	bo = (struct vnpu_bo_create){ .size = 4096, .reserved = 1 };
	expect(call(device, VNPU_IOC_BO_CREATE, &bo) == EINVAL, "a reserved field of a buffer");
	bo = (struct vnpu_bo_create){ .size = 0 };
	expect(call(device, VNPU_IOC_BO_CREATE, &bo) == EINVAL, "an empty buffer");
	bo = (struct vnpu_bo_create){ .size = ~0ull };
	expect(call(device, VNPU_IOC_BO_CREATE, &bo) == EINVAL, "a buffer of 2^64 - 1 bytes");
	expect(call(device, VNPU_IOC_BO_CLOSE, &closing) == ENOENT, "an unknown handle");

	closing.handle = create(device, 5000, &offset);
	expect(closing.handle, "a buffer of 5000 bytes");
	expect(mmap(NULL, 12288, PROT_READ, MAP_SHARED, device, offset) == MAP_FAILED,
	       "a mapping beyond the end");
	expect(mmap(NULL, 4096, PROT_READ, MAP_SHARED, device, offset + (1 << 28)) == MAP_FAILED,
	       "a mapping of no buffer");
	bytes = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, device, offset);
	expect(bytes != MAP_FAILED, "a mapping");
	expect(!call(device, VNPU_IOC_BO_CLOSE, &closing), "closing of a buffer");
	bytes[8191] = 1; /* the mapping stays */
	munmap(bytes, 8192);
	expect(call(device, VNPU_IOC_BO_CLOSE, &closing) == ENOENT, "closing twice");
	expect(ioctl(device, _IO('V', 0xff)) && errno == ENOTTY, "an unknown call");
}

/* A buffer that two contexts share has the same bytes in both. */
static void check_sharing(int device)
{
	struct vnpu_bo_export out = { .flags = O_CLOEXEC | O_RDWR };
	struct vnpu_bo_import in = { 0 };
	unsigned long long offset = 0;
	unsigned char *mine, *theirs, *direct;
	int other = open_node();

	out.handle = create(device, 8192, &offset);
	expect(!call(device, VNPU_IOC_BO_EXPORT, &out), "an export");
	in.fd = out.fd;
	expect(!call(other, VNPU_IOC_BO_IMPORT, &in) && in.size == 8192, "an import");
	mine = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, device, offset);
	theirs = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, other, in.mmap_offset);
	direct = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, out.fd, 0);
	expect(mine != MAP_FAILED && theirs != MAP_FAILED && direct != MAP_FAILED,
	       "mappings of a shared buffer");
	mine[5000] = 42;
	expect(theirs[5000] == 42 && direct[5000] == 42, "the bytes of a shared buffer");
	close(other);
	expect(theirs[5000] == 42, "a shared buffer after the end of a context");
	munmap(mine, 8192);
	munmap(theirs, 8192);
	munmap(direct, 8192);
	close(out.fd);
	in.fd = device;
	expect(call(device, VNPU_IOC_BO_IMPORT, &in) == EINVAL, "an import of no dma-buf");
	out.flags = 0x80000000;
	expect(call(device, VNPU_IOC_BO_EXPORT, &out) == EINVAL, "a flag of an export");
}

/* A job that is right but for its commands, which are zeroes. */
static struct vnpu_submit job_of(unsigned int handle, const struct vnpu_region *region)
{
	return (struct vnpu_submit){
		.regions = (unsigned long)region,
		.region_count = 1,
		.command_handle = handle,
		.command_bytes = 64,
		.priority = VNPU_PRIORITY_NORMAL,
	};
}

static void check_refusals(int device)
{
	unsigned int handle = create(device, 4096, NULL);
	struct vnpu_region good = { .handle = handle, .size = 4096 };
	struct vnpu_region region = good;
	struct vnpu_submit job;

#define REFUSED(error, change) do { \
		region = good; \
		job = job_of(handle, &region); \
		change; \
		expect(call(device, VNPU_IOC_SUBMIT, &job) == (error), "a job: " #change); \
	} while (0)

	REFUSED(EINVAL, job.region_count = 0);
	REFUSED(EINVAL, job.region_count = 65);
	REFUSED(EINVAL, job.region_count = ~0u);
	REFUSED(EFAULT, job.regions = 8);
	REFUSED(EFAULT, job.regions = ~0ull);
	REFUSED(ENOENT, job.command_handle = 999);
	REFUSED(EINVAL, job.command_bytes = 0);
	REFUSED(EINVAL, job.command_bytes = 60);
	REFUSED(EINVAL, job.command_bytes = 8192);
	REFUSED(EINVAL, job.command_offset = 4);
	REFUSED(EINVAL, job.command_offset = 4096);
	REFUSED(EINVAL, job.command_offset = ~0ull - 7);
	REFUSED(EINVAL, job.flags = 4);
	REFUSED(EINVAL, job.priority = 4);
	REFUSED(EINVAL, job.level = 256);
	REFUSED(EINVAL, job.reserved[1] = 1);
	REFUSED(ETIME, job.deadline_ns = 1);
	REFUSED(EINVAL, job.flags = VNPU_SUBMIT_IN_FENCE; job.in_fence = -1);
	REFUSED(EINVAL, job.flags = VNPU_SUBMIT_IN_FENCE; job.in_fence = 0);
	REFUSED(ENOENT, region.handle = 0);
	REFUSED(EINVAL, region.flags = 2);
	REFUSED(EINVAL, region.offset = 1);
	REFUSED(EINVAL, region.offset = ~0ull);
	REFUSED(EINVAL, region.size = ~0ull);
#undef REFUSED
}

/* The end of a buffer, and of a whole context, while jobs use it. */
static void check_early_close(void)
{
	int device = open_node();
	struct vnpu_bo_close closing = { .handle = create(device, 4096, NULL) };
	struct vnpu_region region = { .handle = closing.handle, .size = 4096 };
	struct vnpu_submit job = job_of(closing.handle, &region);
	struct vnpu_wait wait = { .until_ns = ~0ull };
	struct pollfd fence = { .events = POLLIN };
	int i;

	job.flags = VNPU_SUBMIT_OUT_FENCE;
	expect(!call(device, VNPU_IOC_SUBMIT, &job), "a job");
	expect(!call(device, VNPU_IOC_BO_CLOSE, &closing), "closing of a used buffer");
	wait.job = job.job;
	expect(!call(device, VNPU_IOC_WAIT, &wait) && wait.error == EIO && wait.status,
	       "a job of zeroes, which fails");
	fence.fd = job.out_fence;
	expect(poll(&fence, 1, 0) == 1, "the fence of a job that ended");
	close(job.out_fence);
	wait.job = 1ull << 40;
	expect(call(device, VNPU_IOC_WAIT, &wait) == ENOENT, "an unknown job");

	region.handle = create(device, 4096, NULL);
	job = job_of(region.handle, &region);
	for (i = 0; i < 200; i++)
		call(device, VNPU_IOC_SUBMIT, &job);
	close(device);
}

/* Contexts are used up, and are there again once they are closed. */
static void check_contexts(void)
{
	int devices[CONTEXTS + 1];
	int count;

	for (count = 0; count <= CONTEXTS; count++) {
		devices[count] = open(node, O_RDWR | O_CLOEXEC);
		if (devices[count] < 0)
			break;
	}
	expect(count < CONTEXTS + 1 && errno == ENOSPC, "too many contexts");
	while (count > 0)
		close(devices[--count]);
	close(open_node());
}

/* Random bytes as arguments of all calls: errors, or nothing that hurts. */
static void check_random(void)
{
	static const unsigned long requests[] = {
		VNPU_IOC_BO_CREATE, VNPU_IOC_BO_CLOSE, VNPU_IOC_BO_EXPORT, VNPU_IOC_BO_IMPORT,
		VNPU_IOC_SUBMIT, VNPU_IOC_WAIT, VNPU_IOC_CONFIG, VNPU_IOC_INFO,
	};
	const int count = sizeof(requests) / sizeof(requests[0]);
	pid_t child = fork();
	int status = 0;
	int device, i;

	if (!child) {
		device = open_node();
		srandom(1);
		for (i = 0; i < RANDOM_CALLS; i++) {
			unsigned char arguments[256];
			size_t at;

			for (at = 0; at < sizeof(arguments); at++)
				arguments[at] = random() % 3 ? 0 : random();
			/* No wait without an end, and no buffers that use up the memory. */
			if (requests[i % count] == VNPU_IOC_WAIT)
				((struct vnpu_wait *)arguments)->until_ns = 0;
			if (requests[i % count] == VNPU_IOC_BO_CREATE)
				((struct vnpu_bo_create *)arguments)->size %= 65536;
			ioctl(device, requests[i % count], arguments);
		}
		_exit(0);
	}
	expect(child > 0 && waitpid(child, &status, 0) == child && status == 0, "random calls");
}

int main(int argc, char **argv)
{
	int device;

	if (argc > 1)
		node = argv[1];
	device = open_node();
	check_buffers(device);
	check_sharing(device);
	check_refusals(device);
	close(device);
	check_early_close();
	check_contexts();
	check_random();
	printf("vnpu_check: %d of the checks failed\n", failures);
	return failures ? 1 : 0;
}
