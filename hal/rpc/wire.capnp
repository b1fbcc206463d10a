# SPDX-License-Identifier: Apache-2.0
# The protocol between processes: calls of HAL objects. The HAL's structures are bytes here, encoded by codec.h.
@0xd3a1b8e0f46c2957;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("vnpu::hal::rpc::wire");

const version :UInt32 = 1;  # rises with every change of this file, of the encoding, or of the interfaces' numbers

interface Descriptor {}  # a file descriptor, attached to the same message

struct ObjectReference {
  interface @0 :UInt16;  # number of the last known interface in the object's chain (interfaces.h)
  object @1 :Object;
}

struct Parcel {
  bytes @0 :Data;
  objects @1 :List(ObjectReference);    # in the order in which the bytes refer to them
  descriptors @2 :List(Descriptor);     # likewise
}

struct Status {  # as android::hardware::Status
  exception @0 :Int32;
  transactionError @1 :Int32;
  message @2 :Text;
}

interface Object {
  # An object of a process, with all methods of all its interfaces.
  call @0 (interface :UInt16, method :UInt16, arguments :Parcel) -> (status :Status, results :Parcel);
}

interface Registry {
  # The services of a process.
  find @0 (version :UInt32, descriptor :Text, name :Text) -> (isFound :Bool, service :ObjectReference);
  names @1 (descriptor :Text) -> (names :List(Text));
}
