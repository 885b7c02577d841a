/**
 * Builds the filter of system calls for tools, as a program of classic BPF (seccomp(2)). It refuses what no tool needs
 * and what attacks on a kernel use: other processes' memory, mounts, namespaces, keys, BPF, io_uring, and sockets of
 * families that a network namespace does not confine, such as AF_VSOCK.
 */

interface Architecture {
  /** AUDIT_ARCH_… of linux/audit.h */
  readonly audit: number;
  readonly clone: number;
  readonly ioctl: number;
  readonly socket: number;
  readonly refused: readonly (readonly number[])[];
}

/** Calls with one number on all architectures; they were added after Linux 5.0. */
const REFUSED_EVERYWHERE = [
  [425, 426, 427], // io_uring_setup, io_uring_enter, io_uring_register
  [428, 429, 430, 431, 432, 433, 442], // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr
  [438, 440, 443, 447, 448], // pidfd_getfd, process_madvise, quotactl_fd, memfd_secret, process_mrelease
];

/** By Node's name of the architecture. */
const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000_003e,
    clone: 56,
    ioctl: 16,
    socket: 41,
    refused: [
      [101, 310, 311, 312], // ptrace, process_vm_readv, process_vm_writev, kcmp
      [155, 161, 165, 166, 272, 308], // pivot_root, chroot, mount, umount2, unshare, setns
      [248, 249, 250], // add_key, request_key, keyctl
      [298, 300, 321, 323], // perf_event_open, fanotify_init, bpf, userfaultfd
      [169, 175, 176, 246, 313, 320], // reboot, kexec, modules of the kernel
      [103, 153, 163, 167, 168, 179], // syslog, vhangup, acct, swapon, swapoff, quotactl
      [159, 164, 170, 171, 227, 305], // the clock and the machine's name
      [154, 172, 173, 180, 212, 303, 304], // modify_ldt, iopl, ioperm, nfsservctl, lookup_dcookie, handles of files
    ],
  },
  arm64: {
    audit: 0xc000_00b7,
    clone: 220,
    ioctl: 29,
    socket: 198,
    refused: [
      [117, 270, 271, 272], // ptrace, process_vm_readv, process_vm_writev, kcmp
      [39, 40, 41, 51, 97, 268], // umount2, mount, pivot_root, chroot, unshare, setns
      [217, 218, 219], // add_key, request_key, keyctl
      [241, 262, 280, 282], // perf_event_open, fanotify_init, bpf, userfaultfd
      [104, 105, 106, 142, 273, 294], // kexec, modules of the kernel, reboot
      [58, 60, 89, 116, 224, 225], // vhangup, quotactl, acct, syslog, swapon, swapoff
      [112, 161, 162, 170, 171, 266], // the clock and the machine's name
      [18, 42, 264, 265], // lookup_dcookie, nfsservctl, handles of files
    ],
  },
};

const CLONE3 = 435;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET of linux/sched.h */
const NEW_NAMESPACES = 0x7e02_0000;
/** TIOCSTI and TIOCLINUX type into a terminal. */
const REFUSED_IOCTLS = [0x5412, 0x541c];
const AF_UNIX = 1;
/** AF_INET, AF_INET6, and AF_NETLINK, through which the C library lists addresses. */
const NETWORK_FAMILIES = [2, 10, 16];
/** Numbers from here on are those of the x32 programming interface. */
const X32 = 0x4000_0000;

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Offsets in struct seccomp_data; both architectures are little endian. */
const NUMBER = 0;
const AUDIT = 4;
const argument = (position: number): number => 16 + 8 * position;

/** Instructions of classic BPF (linux/bpf_common.h). */
const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const fail = (errno: number): number => 0x0005_0000 + errno;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (offset: number): Instruction => [LOAD, 0, 0, offset];
const finish = (action: number): Instruction => [RETURN, 0, 0, action];
/** Ends with `action` where the loaded value passes the test. */
const endIf = (test: number, value: number, action: number): Instruction[] => [[test, 0, 1, value], finish(action)];
/** Runs `rules`, which must end, for one system call. */
const forCall = (number: number, rules: readonly Instruction[]): Instruction[] => [
  [JUMP_IF_EQUAL, 0, rules.length, number],
  ...rules,
];

/**
 * @param network whether the tool may open sockets for a network; where they lead to is decided by its namespace
 * @returns the program, or undefined for an architecture whose numbers are not known here
 */
export function seccompFilter(network: "sockets" | "none", arch: string = process.arch): Buffer | undefined {
  const known = ARCHITECTURES[arch];
  if (!known) return undefined;
  const families = [AF_UNIX, ...(network === "sockets" ? NETWORK_FAMILIES : [])];
  const program: Instruction[] = [
    load(AUDIT),
    [JUMP_IF_EQUAL, 1, 0, known.audit],
    finish(KILL_PROCESS),
    load(NUMBER),
    ...(arch === "x64" ? endIf(JUMP_IF_AT_LEAST, X32, fail(ENOSYS)) : []),
    ...[...known.refused, ...REFUSED_EVERYWHERE].flat().flatMap((number) => endIf(JUMP_IF_EQUAL, number, fail(EPERM))),
    // Its flags are in memory, which a filter cannot read. The C library calls clone instead.
    ...endIf(JUMP_IF_EQUAL, CLONE3, fail(ENOSYS)),
    ...forCall(known.clone, [load(argument(0)), ...endIf(JUMP_IF_ANY_BIT, NEW_NAMESPACES, fail(EPERM)), finish(ALLOW)]),
    ...forCall(known.ioctl, [
      load(argument(1)),
      ...REFUSED_IOCTLS.flatMap((request) => endIf(JUMP_IF_EQUAL, request, fail(EPERM))),
      finish(ALLOW),
    ]),
    ...forCall(known.socket, [
      load(argument(0)),
      ...families.flatMap((family) => endIf(JUMP_IF_EQUAL, family, ALLOW)),
      finish(fail(EAFNOSUPPORT)),
    ]),
    finish(ALLOW),
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [position, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, position * 8);
    bytes.writeUInt8(ifTrue, position * 8 + 2);
    bytes.writeUInt8(ifFalse, position * 8 + 3);
    bytes.writeUInt32LE(value, position * 8 + 4);
  }
  return bytes;
}
