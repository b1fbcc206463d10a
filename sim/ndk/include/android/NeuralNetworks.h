// SPDX-License-Identifier: Apache-2.0
#pragma once

// NNAPI's C interface, levels 27 to 30 (Android 8.1 to 11), on virtual NPUs. C99 and C++.
//
// A program builds a model, compiles it for devices, and computes executions of the compilation:
//
//     Model_create, addOperand, setOperandValue, addOperation, identifyInputsAndOutputs, finish
//     Compilation_createForDevices, finish
//     Execution_create, setInput, setOutput, compute
//
// Results. A function that returns int returns one of ResultCode:
// - UNEXPECTED_NULL if a pointer is null that must not be,
// - BAD_STATE if the object is not in the state that the function needs,
// - BAD_DATA if any other argument is wrong,
// - OUT_OF_MEMORY if the host has no memory left.
// The comment of a function gives its reasons for the latter two and for all other codes. A
// function that fails changes no object unless its comment says so, and sets the object that it
// would have created to null. Each wrong argument is also a line in the log on stderr.
//
// Threads. Calls on different objects may run at once, and so may calls that take an object as
// const. All other calls on one object must come one after the other, unless a comment says more.
//
// Lifetimes. `free` with null does nothing. Objects may be freed in any order once no call uses
// them: a compilation keeps its model alive, an execution its compilation, and so on. Memories and
// values that a model refers to in place must exist as long as the model and its compilations.
//
// Time is in nanoseconds of the host's steady clock, durations on a device in its simulated time.

#include <android/NeuralNetworksTypes.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------
// Memories: level 27, where no other is given

/// A memory of `size` bytes from byte `offset` of a file on, which must be possible to map: of
/// shm_open, memfd_create or a disk. `protect` is PROT_READ, PROT_WRITE or both. The descriptor is
/// duplicated, so the caller may close its own. The file must not shrink while the memory exists.
/// BAD_DATA: size 0, other bits in `protect`, a descriptor that is not open, a range beyond the end
/// of the file. UNMAPPABLE: the file cannot be mapped like this.
int ANeuralNetworksMemory_createFromFd(size_t size, int protect, int fd, size_t offset,
                                       ANeuralNetworksMemory** memory);

/// Level 29. A memory of a hardware buffer's bytes; keeps a reference to the buffer. Buffers of the
/// format BLOB may be used like any memory. Those of other formats are images: an execution can
/// only take a whole one, with offset 0 and length 0. BAD_DATA: not a buffer of this project's
/// AHardwareBuffer functions. Link or load those from the same library as the HAL's.
int ANeuralNetworksMemory_createFromAHardwareBuffer(const struct AHardwareBuffer* ahwb,
                                                    ANeuralNetworksMemory** memory);

/// Frees a memory. No model, compilation or running execution may still need its bytes.
void ANeuralNetworksMemory_free(ANeuralNetworksMemory* memory);

/// Level 30. A description without roles or dimensions, for a memory that a device places.
int ANeuralNetworksMemoryDesc_create(ANeuralNetworksMemoryDesc** desc);

/// Level 30. Frees a description. Memories made from it stay.
void ANeuralNetworksMemoryDesc_free(ANeuralNetworksMemoryDesc* desc);

/// Level 30. The memory will be input `index` of executions of `compilation`, with a frequency in
/// (0, 1]: how often, relative to the memory's other uses. All roles of a description must
/// agree in type, quantization and known dimensions. BAD_STATE: the description is finished.
/// BAD_DATA: the compilation is not finished, no such input, a role given twice, a contradiction to
/// another role or to the dimensions set.
int ANeuralNetworksMemoryDesc_addInputRole(ANeuralNetworksMemoryDesc* desc,
                                           const ANeuralNetworksCompilation* compilation,
                                           uint32_t index, float frequency);

/// Level 30. As addInputRole, for output `index`.
int ANeuralNetworksMemoryDesc_addOutputRole(ANeuralNetworksMemoryDesc* desc,
                                            const ANeuralNetworksCompilation* compilation,
                                            uint32_t index, float frequency);

/// Level 30. The shape of the memory; 0 stands for unknown sizes, rank 0 for an unknown shape.
/// BAD_STATE: the description is finished. BAD_DATA: a contradiction to a role or to earlier
/// dimensions. `dimensions` may be null if `rank` is 0.
int ANeuralNetworksMemoryDesc_setDimensions(ANeuralNetworksMemoryDesc* desc, uint32_t rank,
                                            const uint32_t* dimensions);

/// Level 30. Ends the description. BAD_STATE: finished already. BAD_DATA: no roles.
int ANeuralNetworksMemoryDesc_finish(ANeuralNetworksMemoryDesc* desc);

/// Level 30. A memory in the place that suits the roles of a finished description: a device's own
/// memory if all roles are of one device that offers it, else host memory. It has no contents
/// before something is written. An execution can use it in its roles only, with offset 0 and length
/// 0. BAD_STATE: the description is not finished. OP_FAILED: the shape is not fully known and no
/// device takes it, or there is no memory of that size.
int ANeuralNetworksMemory_createFromDesc(const ANeuralNetworksMemoryDesc* desc,
                                         ANeuralNetworksMemory** memory);

/// Level 30. Copies all bytes of one memory into another. Sizes must be equal; memories from
/// descriptions must agree in type and shape, and their unknown sizes become those of the source.
/// Host memories take part if their size is that of the shape. BAD_DATA: they do not agree, the
/// source has no contents, or a memory is an image. BAD_STATE: a running execution writes one of
/// them.
int ANeuralNetworksMemory_copy(const ANeuralNetworksMemory* src, const ANeuralNetworksMemory* dst);

// ------------------------------------------------------------------------------------------------
// Models: level 27, where no other is given. BAD_STATE of every function that changes a model: the
// model is finished.

/// An empty model.
int ANeuralNetworksModel_create(ANeuralNetworksModel** model);

/// Frees a model. Its compilations keep what they need.
void ANeuralNetworksModel_free(ANeuralNetworksModel* model);

/// Ends the building of a model and checks it as a whole: each operand is written at most once,
/// each value is there when it is read, and there is no cycle. Operations may have been added in
/// any order. BAD_STATE: finished already, or an earlier call on the model failed with BAD_DATA
/// where that made it invalid. BAD_DATA: the model is wrong.
int ANeuralNetworksModel_finish(ANeuralNetworksModel* model);

/// Adds an operand. The first is operand 0, the next 1, and so on. An operand becomes a constant by
/// setOperandValue, an input or output by identifyInputsAndOutputs, and is internal otherwise.
/// BAD_DATA: an unknown type, a scalar with dimensions, a wrong scale or zero point, a tensor of
/// more than 2^32 - 1 bytes.
int ANeuralNetworksModel_addOperand(ANeuralNetworksModel* model,
                                    const ANeuralNetworksOperandType* type);

/// Makes an operand a constant. Up to 128 bytes are copied at once; longer values stay where they
/// are and must neither move nor change as long as the model and its compilations exist. A null
/// buffer with length 0 makes the operand absent, for optional operands of operations. BAD_DATA: no
/// such operand, a length that is not the operand's size, a shape that is not fully known, a model
/// or an operand whose value comes from elsewhere.
int ANeuralNetworksModel_setOperandValue(ANeuralNetworksModel* model, int32_t index,
                                         const void* buffer, size_t length);

/// Level 29. Sets the scales of an operand of type TENSOR_QUANT8_SYMM_PER_CHANNEL; copies them.
/// BAD_DATA: another type, no such dimension, scales not above 0, not as many as the dimension has.
int ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(
        ANeuralNetworksModel* model, int32_t index,
        const ANeuralNetworksSymmPerChannelQuantParams* channelQuant);

/// Makes an operand a constant in a memory, which must exist as long as the model and its
/// compilations, with bytes that do not change. Reasons for BAD_DATA are those of setOperandValue,
/// a range beyond the memory, an image, and a memory from a description.
int ANeuralNetworksModel_setOperandValueFromMemory(ANeuralNetworksModel* model, int32_t index,
                                                   const ANeuralNetworksMemory* memory,
                                                   size_t offset, size_t length);

/// Level 30. Makes an operand of type MODEL refer to a finished model, which must exist as long as
/// this model and its compilations. BAD_DATA: another type. BAD_STATE: `value` is not finished.
int ANeuralNetworksModel_setOperandValueFromModel(ANeuralNetworksModel* model, int32_t index,
                                                  const ANeuralNetworksModel* value);

/// Adds an operation with its inputs and outputs in the order of the reference. Types, shapes as
/// far as they are known, and constant values are checked. BAD_DATA: an unknown operation, no such
/// operand, no inputs or outputs, operands that the operation does not take, an output that another
/// operation writes or that is a constant.
int ANeuralNetworksModel_addOperation(ANeuralNetworksModel* model,
                                      ANeuralNetworksOperationType type, uint32_t inputCount,
                                      const uint32_t* inputs, uint32_t outputCount,
                                      const uint32_t* outputs);

/// Declares the operands that executions give and take, in this order; once for each model.
/// BAD_DATA: no inputs or outputs, no such operand, a constant, an operand named twice.
int ANeuralNetworksModel_identifyInputsAndOutputs(ANeuralNetworksModel* model, uint32_t inputCount,
                                                  const uint32_t* inputs, uint32_t outputCount,
                                                  const uint32_t* outputs);

/// Level 28. Allows (true) or forbids (false, the default) computing float32 with the range and
/// precision of float16. For a model within a model the outermost one decides.
int ANeuralNetworksModel_relaxComputationFloat32toFloat16(ANeuralNetworksModel* model, bool allow);

/// Level 29. Reports for each operation, in the order of addOperation, whether one of the devices
/// can run it. `supportedOps` has room for them all. BAD_STATE: the model is not finished.
/// BAD_DATA: no devices, or one named twice.
int ANeuralNetworksModel_getSupportedOperationsForDevices(
        const ANeuralNetworksModel* model, const ANeuralNetworksDevice* const* devices,
        uint32_t numDevices, bool* supportedOps);

// ------------------------------------------------------------------------------------------------
// Devices: level 29, where no other is given

/// The number of devices: those of the service at the socket of VNPU_SOCKET if it answers, else one
/// in this process with the configuration of VNPU_CONFIG, and last the CPU device
/// "nnapi-reference". The list is made by the first call that needs it and stays.
int ANeuralNetworks_getDeviceCount(uint32_t* numDevices);

/// A device by its number. BAD_DATA: no such device.
int ANeuralNetworks_getDevice(uint32_t devIndex, ANeuralNetworksDevice** device);

/// The name: "vnpu-edge" for the configuration edge. The string belongs to the device.
int ANeuralNetworksDevice_getName(const ANeuralNetworksDevice* device, const char** name);

/// One of DeviceTypeCode.
int ANeuralNetworksDevice_getType(const ANeuralNetworksDevice* device, int32_t* type);

/// The version of the driver. The string belongs to the device.
int ANeuralNetworksDevice_getVersion(const ANeuralNetworksDevice* device, const char** version);

/// The highest level all of whose features the device has, 27 to 30.
int ANeuralNetworksDevice_getFeatureLevel(const ANeuralNetworksDevice* device,
                                          int64_t* featureLevel);

/// Level 30. Waits until the device can be used: it has booted, or its service answers again.
/// DEAD_OBJECT: the service does not come back within ten seconds. UNAVAILABLE_DEVICE: the device
/// has been given up.
int ANeuralNetworksDevice_wait(const ANeuralNetworksDevice* device);

// ------------------------------------------------------------------------------------------------
// Compilations: level 27, where no other is given. BAD_STATE of every function that changes a
// compilation: the compilation is finished.

/// A compilation for all devices: each operation goes to the first device that supports it.
/// BAD_STATE: the model is not finished.
int ANeuralNetworksCompilation_create(ANeuralNetworksModel* model,
                                      ANeuralNetworksCompilation** compilation);

/// Level 29. A compilation for the given devices, which together must support all operations. Each
/// operation goes to the first that supports it. BAD_STATE: the model is not finished. BAD_DATA: no
/// devices, or one named twice.
int ANeuralNetworksCompilation_createForDevices(ANeuralNetworksModel* model,
                                                const ANeuralNetworksDevice* const* devices,
                                                uint32_t numDevices,
                                                ANeuralNetworksCompilation** compilation);

/// Frees a compilation. Its executions, bursts and memories stay usable until they are freed.
void ANeuralNetworksCompilation_free(ANeuralNetworksCompilation* compilation);

/// Sets one of PreferenceCode. BAD_DATA: another value.
int ANeuralNetworksCompilation_setPreference(ANeuralNetworksCompilation* compilation,
                                             int32_t preference);

/// Level 29. Lets devices store the compilation in a folder and take it from there the next time.
/// The token, of 32 bytes, must be another for every model, device list and settings of the caller.
/// A damaged file is replaced. The folder must exist; if it cannot be written, nothing is cached.
int ANeuralNetworksCompilation_setCaching(ANeuralNetworksCompilation* compilation,
                                          const char* cacheDir, const uint8_t* token);

/// Level 30. Sets one of PriorityCode. BAD_DATA: another value.
int ANeuralNetworksCompilation_setPriority(ANeuralNetworksCompilation* compilation, int priority);

/// Level 30. Limits the time of finish(), in nanoseconds from its call on; 0: no limit. BAD_DATA:
/// the compilation is not for exactly one device of createForDevices.
int ANeuralNetworksCompilation_setTimeout(ANeuralNetworksCompilation* compilation,
                                          uint64_t duration);

/// Compiles. The compilation is finished afterwards even if this fails, but cannot be used then.
/// BAD_STATE: finished already. BAD_DATA: the devices do not support an operation.
/// MISSED_DEADLINE_*: the timeout passed or would pass. RESOURCE_EXHAUSTED_*: the device lacks
/// memory. DEAD_OBJECT: the service has ended. OP_FAILED: another failure of the device.
int ANeuralNetworksCompilation_finish(ANeuralNetworksCompilation* compilation);

// ------------------------------------------------------------------------------------------------
// Executions: level 27, where no other is given. BAD_STATE of every function that changes an
// execution: it is being computed, or has been.

/// An execution of a finished compilation. BAD_STATE: the compilation is not finished, or failed.
int ANeuralNetworksExecution_create(ANeuralNetworksCompilation* compilation,
                                    ANeuralNetworksExecution** execution);

/// Frees an execution. If it is being computed, this waits for its end.
void ANeuralNetworksExecution_free(ANeuralNetworksExecution* execution);

/// Gives input `index` (of identifyInputsAndOutputs) in place: the bytes must stay until the
/// computation ends. `type` may be null; it gives sizes that the model left open and must otherwise
/// be the operand's, with the sizes that the model has. A null buffer with length 0 means an absent
/// input. BAD_DATA: no such input, a type that is not the model's, a shape that stays open, a wrong
/// length.
int ANeuralNetworksExecution_setInput(ANeuralNetworksExecution* execution, int32_t index,
                                      const ANeuralNetworksOperandType* type, const void* buffer,
                                      size_t length);

/// As setInput, with bytes of a memory. Offset and length 0 mean all of it: images and memories
/// from descriptions need this. BAD_DATA also: a range beyond the memory, a memory without this
/// role.
int ANeuralNetworksExecution_setInputFromMemory(ANeuralNetworksExecution* execution, int32_t index,
                                                const ANeuralNetworksOperandType* type,
                                                const ANeuralNetworksMemory* memory, size_t offset,
                                                size_t length);

/// Gives the place of output `index`, as setInput does for inputs. If the shape is open, `length`
/// is the room for it. A null buffer with length 0 means that the output is not needed.
int ANeuralNetworksExecution_setOutput(ANeuralNetworksExecution* execution, int32_t index,
                                       const ANeuralNetworksOperandType* type, void* buffer,
                                       size_t length);

/// As setOutput, with bytes of a memory; see setInputFromMemory.
int ANeuralNetworksExecution_setOutputFromMemory(ANeuralNetworksExecution* execution, int32_t index,
                                                 const ANeuralNetworksOperandType* type,
                                                 const ANeuralNetworksMemory* memory, size_t offset,
                                                 size_t length);

/// Begins to compute and returns an event for its end; the event's wait() gives the result. Inputs
/// and outputs must all be set. BAD_STATE: started before. BAD_DATA: an argument is missing.
int ANeuralNetworksExecution_startCompute(ANeuralNetworksExecution* execution,
                                          ANeuralNetworksEvent** event);

/// Level 29. Computes and returns when all is done. BAD_STATE: started before. BAD_DATA: an
/// argument is missing or contradicts the model. OUTPUT_INSUFFICIENT_SIZE: an output has too little
/// room; ranks and dimensions then give the shape that it needs. MISSED_DEADLINE_*: the timeout or
/// a loop's. RESOURCE_EXHAUSTED_*, UNAVAILABLE_DEVICE, OP_FAILED: the device. DEAD_OBJECT: its
/// service has ended; a new compilation works when it is back.
int ANeuralNetworksExecution_compute(ANeuralNetworksExecution* execution);

/// Level 29. As compute(), in a burst of the same compilation. BAD_STATE also: the burst computes
/// another execution now. BAD_DATA also: the burst is of another compilation.
int ANeuralNetworksExecution_burstCompute(ANeuralNetworksExecution* execution,
                                          ANeuralNetworksBurst* burst);

/// Level 30. Begins to compute once all dependencies have ended well, and returns an event for its
/// end. `duration`, in nanoseconds, limits the time after the last dependency; 0: no limit. If a
/// dependency fails, so does the execution. `dependencies` may be null if there are none. Outputs
/// must have known shapes. BAD_STATE: started before. BAD_DATA: an argument is missing, a duration
/// for a compilation that is not for exactly one device.
int ANeuralNetworksExecution_startComputeWithDependencies(
        ANeuralNetworksExecution* execution, const ANeuralNetworksEvent* const* dependencies,
        uint32_t num_dependencies, uint64_t duration, ANeuralNetworksEvent** event);

/// Level 29. Whether durations are measured; the default is false. BAD_DATA: true for a compilation
/// that is not for exactly one device of createForDevices.
int ANeuralNetworksExecution_setMeasureTiming(ANeuralNetworksExecution* execution, bool measure);

/// Level 29. A duration in nanoseconds, UINT64_MAX if the device reports none. BAD_STATE: not
/// measured, or the computation has not ended. BAD_DATA: an unknown code.
int ANeuralNetworksExecution_getDuration(const ANeuralNetworksExecution* execution,
                                         int32_t durationCode, uint64_t* duration);

/// Level 29. The rank of output `index` after the computation, also after OUTPUT_INSUFFICIENT_SIZE,
/// which is returned again if this output was the one. BAD_STATE: the computation has not ended.
/// BAD_DATA: no such output, or nothing is known of it.
int ANeuralNetworksExecution_getOutputOperandRank(ANeuralNetworksExecution* execution,
                                                  int32_t index, uint32_t* rank);

/// Level 29. The sizes of output `index`, as many as its rank. BAD_DATA also: an output of rank 0.
int ANeuralNetworksExecution_getOutputOperandDimensions(ANeuralNetworksExecution* execution,
                                                        int32_t index, uint32_t* dimensions);

/// Level 30. Limits the time of the computation, in nanoseconds from its start on; 0: no limit.
/// BAD_DATA: the compilation is not for exactly one device of createForDevices.
int ANeuralNetworksExecution_setTimeout(ANeuralNetworksExecution* execution, uint64_t duration);

/// Level 30. Limits the time of each WHILE loop, in nanoseconds; the default is
/// getDefaultLoopTimeout(), and more than getMaximumLoopTimeout() counts as that.
int ANeuralNetworksExecution_setLoopTimeout(ANeuralNetworksExecution* execution, uint64_t duration);

/// Level 30. 2 s, in nanoseconds.
uint64_t ANeuralNetworks_getDefaultLoopTimeout(void);

/// Level 30. 15 s, in nanoseconds.
uint64_t ANeuralNetworks_getMaximumLoopTimeout(void);

// ------------------------------------------------------------------------------------------------
// Bursts: level 29

/// A burst of a finished compilation. It computes one execution at a time. BAD_STATE: the
/// compilation is not finished, or failed.
int ANeuralNetworksBurst_create(ANeuralNetworksCompilation* compilation,
                                ANeuralNetworksBurst** burst);

/// Ends a burst. No execution may be computed in it any more.
void ANeuralNetworksBurst_free(ANeuralNetworksBurst* burst);

// ------------------------------------------------------------------------------------------------
// Events: level 27, where no other is given. Any number of threads may use one event.

/// Waits for the end and returns the result of the computation: the codes of compute(). For an
/// event of a sync fence, OP_FAILED if the fence reports a failure.
int ANeuralNetworksEvent_wait(ANeuralNetworksEvent* event);

/// Frees an event. Waits for the end of its computation, if it has one.
void ANeuralNetworksEvent_free(ANeuralNetworksEvent* event);

/// Level 30. An event that ends when a sync fence is signaled. A fence is a descriptor that poll()
/// reports as readable. It is duplicated. BAD_DATA: the descriptor is not open.
int ANeuralNetworksEvent_createFromSyncFenceFd(int sync_fence_fd, ANeuralNetworksEvent** event);

/// Level 30. A new descriptor of the event's sync fence, which the caller closes; -1 if there is no
/// fence, because the computation has already ended or its end is known to this process only.
/// BAD_DATA: the event is of startCompute().
int ANeuralNetworksEvent_getSyncFenceFd(const ANeuralNetworksEvent* event, int* sync_fence_fd);

#ifdef __cplusplus
}
#endif
