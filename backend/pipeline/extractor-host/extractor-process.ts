/** A process that runs extractor_host.py, and the line protocol between it and this process. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import { parseJson } from "../../../common/parse-json.ts";
import { toolEnvironment, type ToolCommand, type ToolOutcome } from "../process/tool-process.ts";
import { ExtractorCall } from "./extractor-call.ts";

/**
 * Loading yt-dlp takes about a second, and half a minute on a busy machine that has nothing of it in memory. A process
 * that takes longer than this is killed, and a server that was starting it runs yt-dlp anew for each call.
 */
export const LOAD_TIMEOUT_MS = 120_000;

const LoadedClients = z.object({
  names: z.array(z.string()),
  defaults: z.array(z.string()),
  /** Those that it uses on a machine without a runtime for scripts. */
  defaultsWithoutScripts: z.array(z.string()),
});
/** YouTube's player clients, as this yt-dlp has them. */
export type LoadedClients = z.infer<typeof LoadedClients>;

const Answer = z.union([
  z.object({ ready: z.literal(true), clients: LoadedClients.nullable() }),
  z.object({ id: z.number(), pid: z.number() }),
  z.object({ id: z.number(), exitCode: z.number() }),
]);
type Answer = z.infer<typeof Answer>;

/** @returns undefined when the line is not an answer. It must not throw, because no promise awaits the line handler. */
function readAnswer(line: string): Answer | undefined {
  return Answer.safeParse(parseJson(line)).data;
}

/** @returns whether a line of the host says that yt-dlp is loaded */
export function saysReady(line: string): boolean {
  const answer = readAnswer(line);
  return answer !== undefined && "ready" in answer;
}

/** The host process has ended or did not start. The caller has to run yt-dlp in another way. */
export class HostUnavailable extends Error {}

/** Starts the host process and distributes its answers to the calls that run. */
export class ExtractorProcess {
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, ExtractorCall>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #loadTimer: NodeJS.Timeout;
  /** Null before yt-dlp is loaded, and for one that does not name them. */
  clients: LoadedClients | null = null;
  #nextId = 1;
  #hasEnded = false;

  /** @param command program and arguments */
  constructor(command: readonly string[], folder: string) {
    const [program = "", ...args] = command;
    this.#child = spawn(program, args, {
      cwd: folder,
      env: toolEnvironment(folder),
      stdio: ["pipe", "pipe", "ignore"],
    });
    // The process may fail before `ready` is awaited.
    this.ready.catch(() => undefined);
    this.#loadTimer = setTimeout(() => this.#child.kill("SIGKILL"), LOAD_TIMEOUT_MS).unref();
    this.#child.once("error", (error) => this.#fail(error));
    this.#child.once("exit", () => this.#fail());
    this.#child.stdin?.on("error", (error) => this.#fail(error));
    if (this.#child.stdout) createInterface({ input: this.#child.stdout }).on("line", (line) => this.#readLine(line));
  }

  /** Resolves when yt-dlp is loaded; rejects with HostUnavailable when the process ends before. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * @param sandboxOrder see `callOrder`; absent: the call may do what the host may
   * @throws HostUnavailable when the process has ended or ends during the call, `signal.reason` when aborted
   */
  async run(command: ToolCommand, signal: AbortSignal, sandboxOrder?: object): Promise<ToolOutcome> {
    signal.throwIfAborted();
    if (this.#hasEnded) throw new HostUnavailable("yt-dlp's host has ended");
    const id = this.#nextId;
    this.#nextId += 1;
    const call = new ExtractorCall(id, command, sandboxOrder);
    this.#calls.set(id, call);
    try {
      return await call.run((request) => this.#child.stdin?.write(`${JSON.stringify(request)}\n`), signal);
    } finally {
      this.#calls.delete(id);
    }
  }

  /** Kills the process; calls that run fail with HostUnavailable. */
  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    const exit = once(this.#child, "exit");
    this.#child.stdin?.end();
    this.#child.kill("SIGKILL");
    await exit;
  }

  #fail(cause?: unknown): void {
    this.#hasEnded = true;
    const error = new HostUnavailable("yt-dlp's host has ended", { cause });
    this.#ready.reject(error);
    for (const call of this.#calls.values()) call.failed(error);
    this.#calls.clear();
  }

  #readLine(line: string): void {
    const answer = readAnswer(line);
    if (!answer) {
      // A process that breaks the protocol is not used any more.
      this.#fail(new Error(`yt-dlp's host printed: ${line.slice(0, 200)}`));
      this.#child.kill("SIGKILL");
    } else this.#handleAnswer(answer);
  }

  #handleAnswer(answer: Answer): void {
    if ("ready" in answer) {
      clearTimeout(this.#loadTimer);
      this.clients = answer.clients;
      this.#ready.resolve();
    } else if ("pid" in answer) this.#calls.get(answer.id)?.started(answer.pid);
    else {
      this.#calls.get(answer.id)?.ended(answer.exitCode);
      this.#calls.delete(answer.id);
    }
  }
}
