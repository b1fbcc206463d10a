// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Runs a job file of `vnpu compile` through the kernel driver:
 *
 *	vnpu_job [options] FILE
 *
 * A line per job goes to standard output. Exit code 0: all jobs ended as --expect says (default:
 * ok), 1: not, 2: wrong input.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "job_file.h"
#include "vnpu_uapi.h"

#define MAX_FILES 64
#define MAX_JOBS 256
#define NS_PER_MS 1000000ull

struct options {
	const char *node;
	const char *inputs[MAX_FILES];
	unsigned int input_count;
	const char *output; /* folder */
	unsigned int priority;
	unsigned int repeat;
	unsigned long long deadline_ms;
	unsigned long long timeout_ms;
	long corrupt; /* offset of a command that is overwritten, -1: none */
	int has_fences;
	int expected; /* errno of the jobs' end */
};

struct memory {
	struct vnpu_bo_create bo;
	unsigned char *bytes;
};

struct program {
	int device;
	const unsigned char *file;
	const struct vnpu_job_file *head;
	const struct vnpu_job_region *table;
	struct memory commands;
	struct memory *memories; /* by region; regions of one input or output share theirs */
	struct vnpu_region *regions;
};

static void die(int code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fprintf(stderr, "vnpu_job: ");
	vfprintf(stderr, format, arguments);
	fprintf(stderr, "\n");
	va_end(arguments);
	exit(code);
}

static unsigned long long monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ull * NS_PER_MS + now.tv_nsec;
}

static unsigned char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	unsigned char *bytes;
	long end;

	if (!file || fseek(file, 0, SEEK_END) || (end = ftell(file)) < 0)
		die(2, "%s: %s", path, strerror(errno));
	rewind(file);
	bytes = malloc(end + 8);
	if (!bytes || fread(bytes, 1, end, file) != (size_t)end)
		die(2, "%s: cannot be read", path);
	fclose(file);
	*size = end;
	return bytes;
}

/* Whether count elements of a size lie within the file at the offset. */
static int is_inside(const struct vnpu_job_file *head, unsigned long long offset,
		     unsigned long long count, size_t size)
{
	return offset % 8 == 0 && offset <= head->file_bytes &&
	       count <= (head->file_bytes - offset) / size;
}

static void load_file(struct program *program, const char *path)
{
	const struct vnpu_job_file *head;
	unsigned int i;
	size_t size;

	program->file = read_file(path, &size);
	head = program->head = (const struct vnpu_job_file *)program->file;
	if (size < sizeof(*head) || head->magic != VNPU_JOB_FILE_MAGIC)
		die(2, "%s: no job file", path);
	if (head->version != VNPU_JOB_FILE_VERSION)
		die(2, "%s: version %u, expected %u", path, head->version, VNPU_JOB_FILE_VERSION);
	if (head->file_bytes != size || size % 8 ||
	    head->checksum != vnpu_job_file_checksum(head + 1, size - sizeof(*head)))
		die(2, "%s: damaged", path);
	program->table = (const struct vnpu_job_region *)(program->file + head->regions_offset);
	if (!is_inside(head, head->checks_offset, head->check_count,
		       sizeof(struct vnpu_job_check)) ||
	    !is_inside(head, head->regions_offset, head->region_count, sizeof(*program->table)) ||
	    !is_inside(head, head->commands_offset, head->commands_bytes, 1))
		die(2, "%s: a table lies outside", path);
	for (i = 0; i < head->region_count; i++)
		if (program->table[i].kind == VNPU_JOB_CONSTANTS &&
		    !is_inside(head, program->table[i].data_offset, program->table[i].bytes, 1))
			die(2, "%s: region %u lies outside", path, i);
}

static void check_device(const struct program *program)
{
	const struct vnpu_job_check *checks =
		(const struct vnpu_job_check *)(program->file + program->head->checks_offset);
	struct vnpu_info info;
	unsigned int i;

	if (ioctl(program->device, VNPU_IOC_INFO, &info))
		die(1, "VNPU_IOC_INFO: %s", strerror(errno));
	if (info.command_stream_version != program->head->command_stream_version)
		die(2, "the device takes command stream %u, the file has %u",
		    info.command_stream_version, program->head->command_stream_version);
	for (i = 0; i < program->head->check_count; i++) {
		struct vnpu_config config = { .offset = checks[i].offset };

		if (ioctl(program->device, VNPU_IOC_CONFIG, &config) ||
		    config.value != checks[i].value)
			die(2, "compiled for %s: register %#x is %#x, expected %#x",
			    program->head->config, checks[i].offset, config.value, checks[i].value);
	}
}

static struct memory make_memory(int device, unsigned long long bytes)
{
	struct memory memory = { .bo = { .size = bytes ? bytes : 1 } };

	if (ioctl(device, VNPU_IOC_BO_CREATE, &memory.bo))
		die(1, "VNPU_IOC_BO_CREATE of %llu bytes: %s", bytes, strerror(errno));
	memory.bytes = mmap(NULL, memory.bo.size, PROT_READ | PROT_WRITE, MAP_SHARED, device,
			    memory.bo.mmap_offset);
	if (memory.bytes == MAP_FAILED)
		die(1, "mmap of %llu bytes: %s", bytes, strerror(errno));
	return memory;
}

/* The memory of an earlier region of the same input or output, or new memory. */
static struct memory memory_of(struct program *program, unsigned int index)
{
	const struct vnpu_job_region *region = &program->table[index];
	unsigned long long bytes = region->bytes;
	unsigned int i;

	if (region->kind != VNPU_JOB_INPUT && region->kind != VNPU_JOB_OUTPUT)
		return make_memory(program->device, bytes);
	for (i = 0; i < program->head->region_count; i++) {
		const struct vnpu_job_region *other = &program->table[i];

		if (other->kind != region->kind || other->index != region->index)
			continue;
		if (i < index)
			return program->memories[i];
		if (other->bytes > bytes)
			bytes = other->bytes;
	}
	return make_memory(program->device, bytes);
}

static void make_regions(struct program *program)
{
	const struct vnpu_job_file *head = program->head;
	unsigned int i;

	program->commands = make_memory(program->device, head->commands_bytes);
	memcpy(program->commands.bytes, program->file + head->commands_offset,
	       head->commands_bytes);
	program->memories = calloc(head->region_count, sizeof(*program->memories));
	program->regions = calloc(head->region_count, sizeof(*program->regions));
	if (!program->memories || !program->regions)
		die(1, "out of memory");
	for (i = 0; i < head->region_count; i++) {
		const struct vnpu_job_region *region = &program->table[i];
		struct memory memory = memory_of(program, i);

		program->memories[i] = memory;
		program->regions[i] = (struct vnpu_region){
			.handle = memory.bo.handle,
			.flags = region->flags & 1 ? VNPU_REGION_WRITE : 0,
			.size = region->bytes,
		};
		if (region->kind == VNPU_JOB_CONSTANTS)
			memcpy(memory.bytes, program->file + region->data_offset, region->bytes);
	}
}

/* Without files, inputs stay zero. */
static void load_inputs(struct program *program, const struct options *options)
{
	unsigned int i;

	for (i = 0; i < program->head->region_count; i++) {
		const struct vnpu_job_region *region = &program->table[i];
		unsigned char *bytes;
		size_t size;

		if (region->kind != VNPU_JOB_INPUT || region->index >= options->input_count)
			continue;
		bytes = read_file(options->inputs[region->index], &size);
		if (size > region->bytes)
			die(2, "%s: %zu bytes, input %u has %llu", options->inputs[region->index],
			    size, region->index, (unsigned long long)region->bytes);
		memcpy(program->memories[i].bytes, bytes, size);
		free(bytes);
	}
}

static void save_outputs(const struct program *program, const struct options *options)
{
	unsigned int i;

	for (i = 0; options->output && i < program->head->region_count; i++) {
		const struct vnpu_job_region *region = &program->table[i];
		char path[4096];
		FILE *file;

		if (region->kind != VNPU_JOB_OUTPUT)
			continue;
		snprintf(path, sizeof(path), "%s/out%u.bin", options->output, region->index);
		file = fopen(path, "wb");
		if (!file || fwrite(program->memories[i].bytes, 1, region->bytes, file) !=
				     region->bytes || fclose(file))
			die(1, "%s: %s", path, strerror(errno));
	}
}

static void submit(const struct program *program, const struct options *options,
		   struct vnpu_submit *job, int in_fence)
{
	const struct vnpu_job_file *head = program->head;

	*job = (struct vnpu_submit){
		.regions = (unsigned long)program->regions,
		.region_count = head->region_count,
		.command_handle = program->commands.bo.handle,
		.command_bytes = head->commands_bytes,
		.flags = options->has_fences ? VNPU_SUBMIT_OUT_FENCE : 0,
		.priority = options->priority,
		.timeout_ns = options->timeout_ms * NS_PER_MS,
		.estimate_cycles = head->estimate_cycles,
		.sram_blocks = head->sram_blocks,
	};
	if (options->deadline_ms)
		job->deadline_ns = monotonic_ns() + options->deadline_ms * NS_PER_MS;
	if (in_fence >= 0) {
		job->flags |= VNPU_SUBMIT_IN_FENCE;
		job->in_fence = in_fence;
	}
	if (ioctl(program->device, VNPU_IOC_SUBMIT, job))
		die(1, "VNPU_IOC_SUBMIT: %s", strerror(errno));
}

/* Waits for a job, by its fence if it has one, and reports it. */
static int finish(const struct program *program, const struct options *options,
		  const struct vnpu_submit *job)
{
	struct vnpu_wait wait = { .job = job->job, .until_ns = ~0ull };

	if (options->has_fences) {
		struct pollfd fence = { .fd = job->out_fence, .events = POLLIN };

		if (poll(&fence, 1, -1) != 1 || !(fence.revents & POLLIN))
			die(1, "poll of a fence: %s", strerror(errno));
		close(job->out_fence);
		wait.until_ns = 0; /* it has ended */
	}
	if (ioctl(program->device, VNPU_IOC_WAIT, &wait))
		die(1, "VNPU_IOC_WAIT: %s", strerror(errno));
	printf("job %llu: %s", (unsigned long long)wait.job,
	       wait.error ? strerror(wait.error) : "ok");
	if (wait.error == EIO)
		printf(", status %u, command %#x, engine %d", wait.status, wait.failing_command,
		       (int)wait.failing_engine);
	else if (!wait.error)
		printf(", cycles %llu to %llu, %u preemptions",
		       (unsigned long long)wait.start_cycle, (unsigned long long)wait.end_cycle,
		       wait.preemptions);
	printf("\n");
	fflush(stdout);
	return (int)wait.error == options->expected;
}

static int run(const struct program *program, const struct options *options)
{
	static struct vnpu_submit jobs[MAX_JOBS];
	int is_expected = 1;
	unsigned int i;

	for (i = 0; i < options->repeat; i++)
		submit(program, options, &jobs[i],
		       options->has_fences && i ? jobs[i - 1].out_fence : -1);
	for (i = 0; i < options->repeat; i++)
		is_expected &= finish(program, options, &jobs[i]);
	return is_expected;
}

static unsigned int priority_of(const char *name)
{
	static const char *const names[] = { "idle", "normal", "focus", "realtime" };
	unsigned int i;

	for (i = 0; i < 4; i++)
		if (!strcmp(name, names[i]))
			return i;
	die(2, "--priority %s: expected idle, normal, focus or realtime", name);
	return 0;
}

static int error_of(const char *name)
{
	static const struct {
		const char *name;
		int value;
	} errors[] = { { "ok", 0 }, { "io", EIO }, { "deadline", ETIME }, { "timeout", ETIMEDOUT },
		       { "canceled", ECANCELED }, { "gone", ENODEV } };
	unsigned int i;

	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (!strcmp(name, errors[i].name))
			return errors[i].value;
	die(2, "--expect %s: expected ok, io, deadline, timeout, canceled or gone", name);
	return 0;
}

static void take_option(struct options *options, int option)
{
	switch (option) {
	case 'n':
		options->node = optarg;
		break;
	case 'i':
		if (options->input_count == MAX_FILES)
			die(2, "too many --input");
		options->inputs[options->input_count++] = optarg;
		break;
	case 'o':
		options->output = optarg;
		break;
	case 'p':
		options->priority = priority_of(optarg);
		break;
	case 'r':
		options->repeat = strtoul(optarg, NULL, 0);
		if (!options->repeat || options->repeat > MAX_JOBS)
			die(2, "--repeat %s: expected 1 to %d", optarg, MAX_JOBS);
		break;
	case 'd':
		options->deadline_ms = strtoull(optarg, NULL, 0);
		break;
	case 't':
		options->timeout_ms = strtoull(optarg, NULL, 0);
		break;
	case 'f':
		options->has_fences = 1;
		break;
	case 'c':
		options->corrupt = strtol(optarg, NULL, 0);
		break;
	case 'e':
		options->expected = error_of(optarg);
		break;
	default:
		die(2, "usage: vnpu_job [--node NODE] [--input FILE]... [--output DIR] "
		       "[--priority NAME] [--repeat N] [--fences] [--deadline-ms N] "
		       "[--timeout-ms N] [--corrupt OFFSET] [--expect END] FILE");
	}
}

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{ "node", required_argument, NULL, 'n' },
		{ "input", required_argument, NULL, 'i' },
		{ "output", required_argument, NULL, 'o' },
		{ "priority", required_argument, NULL, 'p' },
		{ "repeat", required_argument, NULL, 'r' },
		{ "fences", no_argument, NULL, 'f' },
		{ "deadline-ms", required_argument, NULL, 'd' },
		{ "timeout-ms", required_argument, NULL, 't' },
		{ "corrupt", required_argument, NULL, 'c' },
		{ "expect", required_argument, NULL, 'e' },
		{ NULL, 0, NULL, 0 },
	};
	struct options options = { .node = "/dev/vnpu0", .priority = VNPU_PRIORITY_NORMAL,
				   .repeat = 1, .corrupt = -1 };
	struct program program = { 0 };
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1)
		take_option(&options, option);
	if (optind + 1 != argc)
		take_option(&options, '?');
	load_file(&program, argv[optind]);
	program.device = open(options.node, O_RDWR | O_CLOEXEC);
	if (program.device < 0)
		die(1, "%s: %s", options.node, strerror(errno));
	check_device(&program);
	make_regions(&program);
	load_inputs(&program, &options);
	if (options.corrupt >= 0 && (unsigned long)options.corrupt < program.head->commands_bytes)
		memset(program.commands.bytes + options.corrupt, 0xff, 1);
	if (!run(&program, &options))
		return 1;
	save_outputs(&program, &options);
	return 0;
}
