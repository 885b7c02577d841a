/**
 * yt-dlp kept loaded in a process of its own (extractor_host.py), forked anew for every call. It takes the
 * second that Python and yt-dlp need to start out of every job; a call that breaks takes nothing along.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { open, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { residentBytes } from "../process/process-memory.ts";
import { briefNiceness } from "../process/tool-niceness.ts";
import { lifeline, signalGroup, toolEnvironment, type ToolCommand, type ToolOutcome } from "../process/tool-process.ts";

const HOST_PROGRAM = join(import.meta.dirname, "extractor_host.py");
const CHECK_MS = 200;
const STDERR_TAIL_BYTES = 16_384;
/** A host that has not loaded yt-dlp by then never will. */
const LOAD_TIMEOUT_MS = 30_000;

const Answer = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ id: z.number(), pid: z.number() }),
  z.object({ id: z.number(), exitCode: z.number() }),
]);

/** Undefined: the line is no answer. An error would be thrown outside of any promise. */
function readAnswer(line: string): z.infer<typeof Answer> | undefined {
  try {
    return Answer.safeParse(JSON.parse(line)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The host is gone, or never came: the call has to be made in another way. */
export class HostUnavailable extends Error {}

export interface ExtractorHost extends AsyncDisposable {
  /**
   * Runs one call, under the same bounds as {@link runBoundedTool} and with the same outcome; lines and pipes are
   * not for it. Throws HostUnavailable, and `signal.reason` when aborted.
   */
  run(command: ToolCommand, signal: AbortSignal): Promise<ToolOutcome>;
}

/**
 * The interpreter that runs this yt-dlp, and the file to import it from when it is all in one. Undefined: it is no
 * Python program.
 */
async function findInterpreter(
  ytDlpPath: string,
): Promise<{ python: readonly string[]; importFrom: string } | undefined> {
  const path = await realpath(ytDlpPath).catch(() => undefined);
  if (path === undefined) return undefined;
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
  const [firstLine = "", secondLine = ""] = buffer.subarray(0, bytesRead).toString("latin1").split("\n", 2);
  const python = /^#!\s*(\S*python\S*|\/usr\/bin\/env\s+python\S*)\s*$/.exec(firstLine)?.[1]?.split(/\s+/);
  if (!python) return undefined;
  return { python, importFrom: secondLine.startsWith("PK") ? path : "" };
}

interface Running {
  started(pid: number): void;
  ended(exitCode: number): void;
  failed(error: unknown): void;
}

class Host {
  readonly ready: Promise<void>;
  readonly #child: ChildProcess;
  readonly #running = new Map<number, Running>();
  #nextId = 1;
  isGone = false;

  constructor(command: readonly string[], folder: string) {
    const [program = "", ...args] = command;
    this.#child = spawn(program, args, {
      cwd: folder,
      env: toolEnvironment(folder),
      stdio: ["pipe", "pipe", "ignore"],
    });
    const ready = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.ready.catch(() => undefined);
    const gone = (cause?: unknown): void => {
      this.isGone = true;
      const error = new HostUnavailable("yt-dlp's host has ended", { cause });
      ready.reject(error);
      for (const running of this.#running.values()) running.failed(error);
      this.#running.clear();
    };
    const patience = setTimeout(() => this.#child.kill("SIGKILL"), LOAD_TIMEOUT_MS).unref();
    this.#child.once("error", gone);
    this.#child.once("exit", () => gone());
    this.#child.stdin?.on("error", gone);
    if (!this.#child.stdout) return;
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      const answer = readAnswer(line);
      if (!answer) {
        // What it says next cannot be trusted either.
        gone(new Error(`yt-dlp's host said: ${line.slice(0, 200)}`));
        this.#child.kill("SIGKILL");
      } else if ("ready" in answer) {
        clearTimeout(patience);
        ready.resolve();
      } else if ("pid" in answer) this.#running.get(answer.id)?.started(answer.pid);
      else {
        this.#running.get(answer.id)?.ended(answer.exitCode);
        this.#running.delete(answer.id);
      }
    });
  }

  async stop(): Promise<void> {
    if (this.isGone) return;
    const exit = once(this.#child, "exit");
    this.#child.stdin?.end();
    this.#child.kill("SIGKILL");
    await exit;
  }

  async run(command: ToolCommand, signal: AbortSignal): Promise<ToolOutcome> {
    signal.throwIfAborted();
    if (this.isGone) throw new HostUnavailable("yt-dlp's host has ended");
    const id = this.#nextId;
    this.#nextId += 1;
    const files = { out: `call-${id}.out`, err: `call-${id}.err` };
    const [outPath, errPath] = [join(command.folder, files.out), join(command.folder, files.err)];
    let pid: number | undefined;
    let ending: ToolOutcome["ending"] = "exit";
    let killTimer: NodeJS.Timeout | undefined;
    const kill = (name: NodeJS.Signals): void => signalGroup(pid, name);
    let isEnding = false;
    const end = (why?: ToolOutcome["ending"]): void => {
      if (isEnding) return;
      isEnding = true;
      if (why) ending = why;
      kill("SIGTERM");
      killTimer = setTimeout(() => kill("SIGKILL"), command.killGraceMs);
    };
    const onAbort = (): void => end();
    signal.addEventListener("abort", onAbort, { once: true });
    const timeout = setTimeout(() => end("timeout"), command.timeoutMs);
    const check = async (): Promise<void> => {
      if (pid !== undefined && residentBytes(pid) > command.maxMemoryBytes) {
        ending = "memory";
        kill("SIGKILL");
      }
      const size = await stat(outPath).then(
        (stats) => stats.size,
        () => 0,
      );
      if (size > (command.maxOutputBytes ?? STDERR_TAIL_BYTES)) end("output");
    };
    const checks = setInterval(() => void check(), CHECK_MS);
    try {
      const exitCode = await new Promise<number>((resolve, reject) => {
        this.#running.set(id, {
          started: (started) => {
            pid = started;
            // Called off before it had begun; its group may not be its own yet, so the grace period's end is waited
            // for.
            if (isEnding) kill("SIGTERM");
          },
          ended: resolve,
          failed: reject,
        });
        this.#child.stdin?.write(
          `${JSON.stringify({ id, argv: command.args, folder: command.folder, files, env: toolEnvironment(command.folder), niceness: briefNiceness() })}\n`,
        );
      });
      // Whatever the call has left behind.
      kill("SIGKILL");
      signal.throwIfAborted();
      const { size } = await stat(outPath).catch(() => ({ size: 0 }));
      if (ending === "exit" && size > (command.maxOutputBytes ?? STDERR_TAIL_BYTES)) ending = "output";
      const output = ending === "output" || size === 0 ? "" : await readFile(outPath, "utf8");
      return { ending, exitCode: exitCode < 0 ? null : exitCode, output, stderrTail: await readTail(errPath) };
    } finally {
      this.#running.delete(id);
      clearTimeout(timeout);
      clearTimeout(killTimer);
      clearInterval(checks);
      signal.removeEventListener("abort", onAbort);
    }
  }
}

async function readTail(path: string): Promise<string> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size === 0) return "";
  let text = "";
  for await (const chunk of createReadStream(path, { start: Math.max(0, size - STDERR_TAIL_BYTES) }))
    text += String(chunk);
  return text;
}

/** After a host has died, the next one is tried no sooner. */
const RESTART_PAUSE_MS = 1_000;

/**
 * Starts a host for this yt-dlp, and another when it dies or when yt-dlp was updated.
 * Undefined when yt-dlp is no Python program, or nothing that can be imported.
 */
export async function startExtractorHost(ytDlpPath: string, folder: string): Promise<ExtractorHost | undefined> {
  const found = await findInterpreter(ytDlpPath);
  if (!found) return undefined;
  const command = [...(await lifeline()), ...found.python, "-I", HOST_PROGRAM, found.importFrom];
  const versionOf = async (): Promise<number> => (await stat(ytDlpPath)).mtimeMs;
  let version = await versionOf();
  let host = new Host(command, folder);
  let notBeforeMs = 0;
  let isStopped = false;
  try {
    await host.ready;
  } catch (error) {
    if (error instanceof HostUnavailable) return undefined;
    throw error;
  }
  const current = async (): Promise<Host> => {
    const now = await versionOf();
    if (!host.isGone && now === version) return host;
    if (isStopped || Date.now() < notBeforeMs) throw new HostUnavailable("yt-dlp's host is being started again");
    const old = host;
    [version, notBeforeMs] = [now, Date.now() + RESTART_PAUSE_MS];
    host = new Host(command, folder);
    // Calls under way on the old one are made again by their callers.
    if (!old.isGone) void old.stop();
    return host;
  };
  const stop = async (): Promise<void> => {
    isStopped = true;
    await host.stop();
  };
  return {
    async run(toolCommand, signal) {
      const chosen = await current();
      await Promise.race([chosen.ready, wait(toolCommand.timeoutMs, undefined, { ref: false })]);
      return chosen.run(toolCommand, signal);
    },
    [Symbol.asyncDispose]: stop,
  };
}
