/** The sandboxes of yt-dlp: of the extractor host, of each of its calls, and of a yt-dlp that starts by itself. */
import { join } from "node:path";
import type { Mount } from "../process/sandbox-mounts.ts";
import type { ToolCommand } from "../process/tool-process.ts";
import { seccompFilter } from "../process/seccomp-filter.ts";
import { kernelLimits, type ToolSandbox } from "../process/tool-sandbox.ts";
import { findInterpreter } from "./interpreter.ts";

/** Makes the sandbox of a call from the inside. */
export const CALL_SANDBOX = join(import.meta.dirname, "call_sandbox.py");
const HOST_SANDBOX = join(import.meta.dirname, "host_sandbox.py");
/** The kernel counts the processes of all calls of a host together; each call's are counted by this server. */
const MAX_HOST_PROCESSES = 8_192;

/**
 * The program that keeps the extractor host runs no foreign code. It may mount, so that the host and each call get views
 * of their own, and has no network. The host that it starts sees only `mounts` and what its calls bring.
 * @param folder in which the folders of all calls lie
 * @param mounts see `ToolSandbox.readableMounts`
 * @param python program and arguments of the interpreter
 * @returns program and arguments in front of the host's own
 */
export function hostPrefix(folder: string, mounts: readonly Mount[], python: readonly string[]): readonly string[] {
  const rights = ["--uid", "65534", "--gid", "65534", "--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN"];
  return [
    "bwrap",
    // The processes of calls keep the numbers by which this server measures and ends them.
    "--unshare-user",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-net",
    ...rights,
    "--die-with-parent",
    "--ro-bind",
    "/",
    "/",
    "--dev-bind",
    "/dev",
    "/dev",
    // Names the user of the host in its own namespace.
    "--bind",
    "/proc",
    "/proc",
    "--bind",
    folder,
    folder,
    "--chdir",
    folder,
    "--",
    ...python,
    "-I",
    // The packages beside yt-dlp may have code that Python runs at its start.
    "-S",
    HOST_SANDBOX,
    JSON.stringify(mounts),
  ];
}

function filterText(sandbox: ToolSandbox, network: "sockets" | "none"): string {
  return (sandbox.hasFilter && seccompFilter(network)?.toString("base64")) || "";
}

/** @returns the sandbox of one call, which call_sandbox.py makes */
export async function callOrder(sandbox: ToolSandbox, command: ToolCommand): Promise<object> {
  const { fileBytes, addressBytes, dataBytes } = kernelLimits(command);
  return {
    mounts: await sandbox.mountsFor(command),
    limits: { CORE: 0, FSIZE: fileBytes, AS: addressBytes, DATA: dataBytes, NPROC: MAX_HOST_PROCESSES },
    filter: filterText(sandbox, "sockets"),
    programFilter: filterText(sandbox, "none"),
    ways: command.access?.ways ?? [],
  };
}

/**
 * A Python program that reaches the network by its ways only: bubblewrap makes its sandbox, and call_sandbox.py leads
 * from there.
 * @param command its path is the program
 * @param python program and arguments of its interpreter
 */
export function forwardedProgram(sandbox: ToolSandbox, command: ToolCommand, python: readonly string[]): ToolCommand {
  const { access = {}, path, args } = command;
  const [interpreter = "", ...pythonArgs] = python;
  const order = { filter: "", programFilter: filterText(sandbox, "none"), ways: access.ways ?? [] };
  return {
    ...command,
    path: interpreter,
    args: [...pythonArgs, "-I", CALL_SANDBOX, JSON.stringify(order), path, ...args],
    access: { ...access, readable: [...(access.readable ?? []), CALL_SANDBOX] },
  };
}

/** A yt-dlp without a host. One that is no Python program uses the network of this machine. */
export async function forwardedCommand(sandbox: ToolSandbox, command: ToolCommand): Promise<ToolCommand> {
  const interpreter = await findInterpreter(command.path);
  if (!interpreter) return { ...command, access: { ...command.access, network: "machine" } };
  return forwardedProgram(sandbox, command, interpreter.python);
}
