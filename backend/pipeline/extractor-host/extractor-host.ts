/**
 * Keeps yt-dlp loaded in a Python process (extractor_host.py) that forks a child for every call. This saves the second
 * that Python and yt-dlp need to start. A call that crashes does not affect others.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { lifeline, runBoundedTool, type ToolCommand, type ToolOutcome } from "../process/tool-process.ts";
import type { ToolSandbox } from "../process/tool-sandbox.ts";
import { CALL_SANDBOX, callOrder, hostPrefix } from "./extractor-sandbox.ts";
import { findInterpreter } from "./interpreter.ts";
import { ExtractorProcess, HostUnavailable, LOAD_TIMEOUT_MS, type LoadedClients } from "./extractor-process.ts";

const HOST_PROGRAM = join(import.meta.dirname, "extractor_host.py");
/** A process that ended is not replaced again sooner than this. */
const RESTART_PAUSE_MS = 1_000;

export interface ExtractorHost extends AsyncDisposable {
  /** YouTube's player clients; null where they are not known. */
  readonly clients: LoadedClients | null;
  /**
   * Runs one call, with the same bounds and outcome as {@link runBoundedTool}. Ignores `onLine` and the pipes.
   * @throws HostUnavailable when the call has to be made in another way, `signal.reason` when aborted
   */
  run(command: ToolCommand, signal: AbortSignal): Promise<ToolOutcome>;
}

/** Starts another process when the current one has ended, and when yt-dlp was updated. */
class RestartingHost implements ExtractorHost {
  readonly #ytDlpPath: string;
  readonly #command: readonly string[];
  readonly #folder: string;
  readonly #sandbox: ToolSandbox | undefined;
  #process: ExtractorProcess;
  /** Modification time of yt-dlp when the current process was started. */
  #versionMs: number;
  #nextRestartMs = 0;
  #isStopped = false;

  private constructor(
    ytDlpPath: string,
    command: readonly string[],
    folder: string,
    sandbox: ToolSandbox | undefined,
    versionMs: number,
  ) {
    this.#ytDlpPath = ytDlpPath;
    this.#command = command;
    this.#folder = folder;
    this.#sandbox = sandbox;
    this.#versionMs = versionMs;
    this.#process = new ExtractorProcess(command, folder);
  }

  /** @throws HostUnavailable when yt-dlp cannot be loaded */
  static async start(
    ytDlpPath: string,
    command: readonly string[],
    folder: string,
    sandbox: ToolSandbox | undefined,
  ): Promise<RestartingHost> {
    const { mtimeMs } = await stat(ytDlpPath);
    const host = new RestartingHost(ytDlpPath, command, folder, sandbox, mtimeMs);
    await host.#process.ready;
    return host;
  }

  get clients(): LoadedClients | null {
    return this.#process.clients;
  }

  async run(command: ToolCommand, signal: AbortSignal): Promise<ToolOutcome> {
    const current = await this.#currentProcess();
    await Promise.race([current.ready, wait(command.timeoutMs, undefined, { ref: false })]);
    const order = this.#sandbox && (await callOrder(this.#sandbox, command));
    return current.run(command, signal, order);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    await this.#process.stop();
  }

  async #currentProcess(): Promise<ExtractorProcess> {
    const { mtimeMs } = await stat(this.#ytDlpPath);
    if (!this.#process.hasEnded && mtimeMs === this.#versionMs) return this.#process;
    if (this.#isStopped || Date.now() < this.#nextRestartMs)
      throw new HostUnavailable("yt-dlp's host is being started again");
    const previous = this.#process;
    this.#versionMs = mtimeMs;
    this.#nextRestartMs = Date.now() + RESTART_PAUSE_MS;
    this.#process = new ExtractorProcess(this.#command, this.#folder);
    // Calls that run on the previous process fail with HostUnavailable, and their callers make them again.
    if (!previous.hasEnded) void previous.stop();
    return this.#process;
  }
}

/**
 * Starts a host for this yt-dlp.
 * @param folder working folder of the host; with a sandbox, the folders of all calls must be in it
 * @param caFile PEM file of a further certificate authority, if the calls name one
 * @param sandbox absent: the host and its calls may do what this process may
 * @returns undefined when yt-dlp is not a Python program or cannot be imported
 */
export async function startExtractorHost(
  ytDlpPath: string,
  folder: string,
  caFile?: string,
  sandbox?: ToolSandbox,
): Promise<ExtractorHost | undefined> {
  try {
    return await loadExtractorHost(ytDlpPath, folder, caFile, sandbox);
  } catch (error) {
    if (error instanceof HostUnavailable) return undefined;
    throw error;
  }
}

/** @throws HostUnavailable */
async function loadExtractorHost(
  ytDlpPath: string,
  folder: string,
  caFile?: string,
  sandbox?: ToolSandbox,
): Promise<ExtractorHost> {
  const program = await hostProgram(ytDlpPath, caFile);
  if (!program) throw new HostUnavailable("yt-dlp is not a Python program");
  const { python, args } = program;
  const readable = caFile === undefined ? [] : [caFile];
  const command = sandbox
    ? [...hostPrefix(folder, await sandbox.readableMounts({ path: ytDlpPath, access: { readable } }), python), ...args]
    : [...(await lifeline()), ...plainCommand(program)];
  return RestartingHost.start(ytDlpPath, command, folder, sandbox);
}

interface HostProgram {
  readonly python: readonly string[];
  /** Arguments of extractor_host.py. */
  readonly args: readonly string[];
}

/** @returns undefined when yt-dlp is not a Python program */
async function hostProgram(ytDlpPath: string, caFile: string | undefined): Promise<HostProgram | undefined> {
  const interpreter = await findInterpreter(ytDlpPath);
  return interpreter && { python: interpreter.python, args: [interpreter.importFrom, caFile ?? ""] };
}

/** @returns program and arguments of the host, without host_sandbox.py around it */
function plainCommand({ python, args }: HostProgram): readonly string[] {
  return [...python, "-I", HOST_PROGRAM, ...args];
}

/**
 * Loads a yt-dlp as a host does, in the sandbox of a call and without a network. The process ends when it has loaded it.
 * @param call the folder and bounds of a call
 * @returns undefined when yt-dlp is not a Python program
 */
export async function tryLoading(
  ytDlpPath: string,
  caFile: string | undefined,
  call: Omit<ToolCommand, "path" | "args" | "timeoutMs">,
  signal: AbortSignal,
): Promise<ToolOutcome | undefined> {
  const program = await hostProgram(ytDlpPath, caFile);
  if (!program) return undefined;
  const [path = "", ...args] = plainCommand(program);
  const readable = [HOST_PROGRAM, CALL_SANDBOX, ...(caFile === undefined ? [] : [caFile])];
  const access = { network: "sockets", programs: [ytDlpPath], readable } as const;
  return runBoundedTool({ ...call, path, args, access, timeoutMs: LOAD_TIMEOUT_MS }, signal);
}
