/** One call of yt-dlp in a child of the extractor host: its request, its bounds and its outcome. */
import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import { join } from "node:path";
import { openFile, readAt, readFile, sizeOrZero } from "../../tool-files/tool-files.ts";
import { measureProcesses } from "../process/process-memory.ts";
import { MAX_TOOL_PROCESSES } from "../process/tool-sandbox.ts";
import { briefNiceness } from "../process/tool-niceness.ts";
import {
  DEFAULT_MAX_OUTPUT_BYTES,
  signalGroup,
  signalProcess,
  STDERR_TAIL_BYTES,
  toolEnvironment,
  type ToolCommand,
  type ToolOutcome,
} from "../process/tool-process.ts";

const BOUNDS_CHECK_MS = 200;

async function readTail(path: string): Promise<string> {
  const size = await sizeOrZero(path);
  if (size === 0) return "";
  await using file = await openFile(path);
  const start = Math.max(0, size - STDERR_TAIL_BYTES);
  return (await readAt(file, start, size - start)).toString("utf8");
}

/** Sends one request to the host, enforces the bounds of the call and collects its outcome. */
export class ExtractorCall {
  readonly #id: number;
  readonly #command: ToolCommand;
  readonly #sandboxOrder: object | undefined;
  /** Names of the files in the call's folder that receive standard output and standard error. */
  readonly #files: { readonly out: string; readonly err: string };
  readonly #outputPath: string;
  readonly #maxOutputBytes: number;
  readonly #exit = Promise.withResolvers<number>();
  #pid: number | undefined;
  #ending: ToolOutcome["ending"] = "exit";
  #isEnding = false;
  #killTimer: NodeJS.Timeout | undefined;

  /**
   * @param id unique among the calls of a host
   * @param sandboxOrder absent: the call may do what the host may
   */
  constructor(id: number, command: ToolCommand, sandboxOrder: object | undefined) {
    this.#sandboxOrder = sandboxOrder;
    this.#id = id;
    this.#command = command;
    // Several calls may use one folder, also of hosts that count from one again.
    const name = `call-${randomUUID()}`;
    this.#files = { out: command.outputFile ?? `${name}.out`, err: `${name}.err` };
    this.#outputPath = join(command.folder, this.#files.out);
    this.#maxOutputBytes = command.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
  }

  /** The host has forked a child for this call. */
  started(pid: number): void {
    this.#pid = pid;
    // The call was ended before its child existed.
    if (this.#isEnding) this.#signalChild("SIGTERM");
  }

  /** @param exitCode negative when a signal ended the child */
  ended(exitCode: number): void {
    this.#exit.resolve(exitCode);
  }

  failed(error: unknown): void {
    this.#exit.reject(error);
  }

  /**
   * Runs the call to its end.
   * @param send writes the request to the host
   * @throws what {@link failed} was called with, `signal.reason` when aborted
   */
  async run(send: (request: object) => void, signal: AbortSignal): Promise<ToolOutcome> {
    const onAbort = (): void => this.#end();
    signal.addEventListener("abort", onAbort, { once: true });
    const timeout = setTimeout(() => this.#end("timeout"), this.#command.timeoutMs);
    const boundsCheck = setInterval(() => {
      // What is in the place of the output is refused once the call has ended.
      this.#checkBounds().catch(() => this.#end());
    }, BOUNDS_CHECK_MS);
    try {
      send(this.#request());
      const exitCode = await this.#exit.promise;
      // Kills processes that the call has left behind.
      signalGroup(this.#pid, "SIGKILL");
      signal.throwIfAborted();
      return await this.#outcome(exitCode);
    } finally {
      clearTimeout(timeout);
      clearTimeout(this.#killTimer);
      clearInterval(boundsCheck);
      signal.removeEventListener("abort", onAbort);
    }
  }

  #request(): object {
    const { args, folder, maxCpuSeconds } = this.#command;
    const env = { ...toolEnvironment(folder), ...this.#command.environment };
    const sandbox = this.#sandboxOrder;
    return {
      id: this.#id,
      argv: args,
      folder,
      files: this.#files,
      env,
      niceness: briefNiceness(),
      maxCpuSeconds,
      sandbox,
    };
  }

  /** Signals the group of the child, which has not ended, or the child itself while it does not lead one yet. */
  #signalChild(name: NodeJS.Signals): void {
    if (!signalGroup(this.#pid, name)) signalProcess(this.#pid, name);
  }

  /** Ends the child's process group: SIGTERM first, SIGKILL after the grace period. */
  #end(ending?: ToolOutcome["ending"]): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (ending) this.#ending = ending;
    this.#signalChild("SIGTERM");
    this.#killTimer = setTimeout(() => this.#kill(), this.#command.killGraceMs);
  }

  /** A host that has been taken over may never tell that the call has ended. */
  #kill(): void {
    this.#signalChild("SIGKILL");
    this.#killTimer = setTimeout(() => this.ended(-constants.signals.SIGKILL), this.#command.killGraceMs);
  }

  #exceedsMemory(pid: number): boolean {
    const { memoryBytes, count } = measureProcesses(pid, MAX_TOOL_PROCESSES);
    return memoryBytes > this.#command.maxMemoryBytes || count > MAX_TOOL_PROCESSES;
  }

  async #checkBounds(): Promise<void> {
    if (this.#pid !== undefined && this.#exceedsMemory(this.#pid)) {
      this.#ending = "memory";
      this.#signalChild("SIGKILL");
    }
    if ((await sizeOrZero(this.#outputPath)) > this.#maxOutputBytes) this.#end("output");
  }

  async #outcome(exitCode: number): Promise<ToolOutcome> {
    const sizeBytes = await sizeOrZero(this.#outputPath);
    if (this.#ending === "exit" && sizeBytes > this.#maxOutputBytes) this.#ending = "output";
    const isCollected = this.#command.outputFile === undefined && this.#ending !== "output" && sizeBytes > 0;
    return {
      ending: this.#ending,
      exitCode: exitCode < 0 ? null : exitCode,
      output: isCollected ? (await readFile(this.#outputPath, this.#maxOutputBytes)).toString("utf8") : "",
      stderrTail: await readTail(join(this.#command.folder, this.#files.err)),
    };
  }
}
