/**
 * The sandbox of tools, made by bubblewrap: namespaces of its own for users, processes, network and files, no
 * capabilities, a filter of system calls, and limits of the kernel. A tool reads the system's programs and libraries,
 * and writes to its folder only. There is no /proc, so a tool sees no other process.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, release, tmpdir } from "node:os";
import { join } from "node:path";
import {
  networkMounts,
  programMounts,
  readable,
  systemMounts,
  withoutCovered,
  writable,
  type Mount,
} from "./sandbox-mounts.ts";
import { seccompFilter } from "./seccomp-filter.ts";

const GIB = 1_073_741_824;
/** More than the largest source and the largest result. */
const MAX_FILE_BYTES = 8 * GIB;
/** Reserved addresses cost no memory, and JavaScript engines reserve many. */
const MAX_ADDRESS_BYTES = 64 * GIB;
/** Of one thread; counts as memory of the process even where it is not used. */
const STACK_BYTES = 8 * 1_048_576;

const NAMESPACES = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"];
/** bubblewrap would let root's tools keep all capabilities in their namespaces. */
const NO_RIGHTS = ["--uid", "65534", "--gid", "65534", "--cap-drop", "ALL", "--die-with-parent"];

/** A way out of a network that is empty: connections to a port of its loopback address go to a Unix socket. */
export interface NetworkWay {
  readonly port: number;
  readonly socketPath: string;
}

/** What a tool may use besides the system's programs and its folder. */
export interface ToolAccess {
  /** Files and folders that it may read. */
  readonly readable?: readonly string[];
  /** Further programs that it starts. */
  readonly programs?: readonly string[];
  /** One more of them. It asks the kernel where its own file is; it gets this answer, and nothing else of /proc. */
  readonly scriptRuntime?: string;
  /** Its only ways to the network. */
  readonly ways?: readonly NetworkWay[];
  /** Default "none". "sockets": a network of its own without a way out. "machine": the network of this machine. */
  readonly network?: "none" | "sockets" | "machine";
}

/** The parts of a tool's command that decide about its sandbox. */
export interface EnclosedCommand {
  readonly path: string;
  readonly folder: string;
  readonly timeoutMs: number;
  readonly maxMemoryBytes: number;
  readonly access?: ToolAccess;
}

/** Program and arguments in front of the tool's own, and a file that it inherits. */
export interface Enclosure extends Disposable {
  readonly prefix: readonly string[];
  /** Undefined where this kernel or processor has no filter. */
  readonly filterDescriptor: number | undefined;
}

/** Kernel limits of one tool and its children: the last bounds, where the checks of this server come too late. */
interface KernelLimits {
  readonly fileBytes: number;
  readonly addressBytes: number;
  /** Private memory of one process. */
  readonly dataBytes: number;
  readonly processes: number;
  readonly cpuSeconds: number;
}

/**
 * How many processes and threads a tool may have: encoders have about four threads for each core. These are counted once,
 * because Node reads files of the kernel for that, and each tool is compared with this limit several times a second.
 */
export const MAX_TOOL_PROCESSES = 256 + 8 * availableParallelism();

export function kernelLimits({ timeoutMs, maxMemoryBytes }: EnclosedCommand): KernelLimits {
  const cores = availableParallelism();
  return {
    fileBytes: MAX_FILE_BYTES,
    addressBytes: MAX_ADDRESS_BYTES,
    dataBytes: 2 * maxMemoryBytes + 4 * cores * STACK_BYTES + GIB / 4,
    processes: MAX_TOOL_PROCESSES,
    cpuSeconds: Math.ceil((timeoutMs / 1_000) * cores) + 10,
  };
}

/** Linux 5.14 and newer count processes per user namespace; older ones would count those of this server too. */
function countsProcessesPerSandbox(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

function limitArgs(limits: KernelLimits): string[] {
  return [
    "prlimit",
    "--core=0",
    `--fsize=${limits.fileBytes}`,
    `--as=${limits.addressBytes}`,
    `--data=${limits.dataBytes}`,
    `--cpu=${limits.cpuSeconds}`,
    ...(countsProcessesPerSandbox() ? [`--nproc=${limits.processes}`] : []),
    "--",
  ];
}

function mountArgs(mount: Mount): string[] {
  if (mount.kind === "link") return ["--symlink", mount.target, mount.path];
  const option = { readable: "--ro-bind", writable: "--bind", device: "--dev-bind-try" }[mount.kind];
  return [option, mount.source, mount.path];
}

/** @returns path of a file that has no name, so that nothing is left behind when this process is killed */
function openNamelessFile(bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "tapedeck-filter-"));
  try {
    const path = join(folder, "filter");
    writeFileSync(path, bytes);
    return `/proc/self/fd/${openSync(path, "r")}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Filters = Readonly<Record<"none" | "sockets", string>>;
/** Exist once per process; null for an unknown processor. */
let filters: Filters | null | undefined;

function openFilters(): Filters | null {
  if (filters !== undefined) return filters;
  const [none, sockets] = [seccompFilter("none"), seccompFilter("sockets")];
  filters = none && sockets ? { none: openNamelessFile(none), sockets: openNamelessFile(sockets) } : null;
  return filters;
}

export class ToolSandbox {
  readonly #system: readonly Mount[] = systemMounts();
  readonly #programs = new Map<string, Promise<readonly Mount[]>>();
  readonly #filters: Filters | null;

  /** @param options.withFilter whether system calls are filtered, where the filter for this processor is known */
  constructor(options: { readonly withFilter: boolean }) {
    this.#filters = options.withFilter ? openFilters() : null;
  }

  get hasFilter(): boolean {
    return this.#filters !== null;
  }

  /**
   * @param descriptor number that the filter's file gets in the tool
   * @returns to be disposed of when the tool has started
   */
  async enclose(command: EnclosedCommand, descriptor: number): Promise<Enclosure> {
    const { folder, access: { network = "none" } = {} } = command;
    const mounts = await this.mountsFor(command);
    const filter = this.#filters?.[network === "none" ? "none" : "sockets"];
    // Opened anew for each tool, because the position in a file is shared.
    const filterDescriptor = filter === undefined ? undefined : openSync(filter, "r");
    const prefix = [
      "bwrap",
      ...NAMESPACES,
      ...(network === "machine" ? [] : ["--unshare-net"]),
      ...NO_RIGHTS,
      ...mounts.flatMap(mountArgs),
      "--remount-ro",
      "/",
      "--chdir",
      folder,
      ...(filterDescriptor === undefined ? [] : ["--seccomp", String(descriptor)]),
      "--",
      ...limitArgs(kernelLimits(command)),
    ];
    return {
      prefix,
      filterDescriptor,
      [Symbol.dispose]: () => {
        if (filterDescriptor !== undefined) closeSync(filterDescriptor);
      },
    };
  }

  /** @returns all paths that the tool sees */
  async mountsFor(command: EnclosedCommand): Promise<readonly Mount[]> {
    return [...(await this.readableMounts(command)), writable(command.folder)];
  }

  /** @returns all paths that the tool sees besides its folder */
  async readableMounts({ path, access = {} }: Pick<EnclosedCommand, "path" | "access">): Promise<readonly Mount[]> {
    const { ways = [], network, programs = [], scriptRuntime } = access;
    const all = [path, ...programs, ...(scriptRuntime === undefined ? [] : [scriptRuntime])];
    const ofPrograms = await Promise.all(all.map((program) => this.#mountsOf(program)));
    const itself: Mount[] =
      scriptRuntime === undefined ? [] : [{ kind: "link", path: "/proc/self/exe", target: scriptRuntime }];
    const given = [...(access.readable ?? []), ...ways.map((way) => way.socketPath)];
    const paths = ofPrograms.flat().map((mount) => mount.path);
    return [
      ...this.#system,
      ...itself,
      ...(network === "machine" ? networkMounts() : []),
      ...withoutCovered([...paths, ...given]).map(readable),
    ];
  }

  #mountsOf(path: string): Promise<readonly Mount[]> {
    const known = this.#programs.get(path) ?? programMounts(path);
    this.#programs.set(path, known);
    known.catch(() => this.#programs.delete(path));
    return known;
  }
}
