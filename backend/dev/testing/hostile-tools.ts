/** Runs programs that try to break out of the sandbox, in the way of all tools. */
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { runBoundedTool, type ToolCommand, type ToolOutcome } from "../../pipeline/process/tool-process.ts";
import type { ToolSandbox } from "../../pipeline/process/tool-sandbox.ts";
import { testFolder } from "./test-folder.ts";
import { openTestSandbox } from "./test-sandbox.ts";

export const MIB = 1_048_576;
/** As root, a test would pass where only the permissions of files protect them. */
export const SECRET = "a secret of the server";

/** Long enough for a busy machine; only a tool that hangs reaches it. */
export const TOOL_LIMITS = { timeoutMs: 240_000, killGraceMs: 200, maxMemoryBytes: 512 * MIB };
const forever = new AbortController().signal;

/** A sandbox, and beside it what a hostile tool may look for. For the top of a test file. */
export function hostileTools() {
  let root: string;
  /** Folder of the hostile tool. */
  let folder: string;
  let sandbox: ToolSandbox;
  /** Counts who reaches a service of this machine. */
  let service: Server;
  let visitorCount = 0;

  beforeAll(async () => {
    root = await testFolder();
    folder = join(root, "scratch", "job-1");
    await mkdir(folder, { recursive: true });
    await mkdir(join(root, "scratch", "job-2"));
    for (const file of ["scratch/job-2/source.mp4", "session-keys", ".env"]) await writeFile(join(root, file), SECRET);
    sandbox = await openTestSandbox();
    service = createServer((socket) => {
      visitorCount += 1;
      // A visitor may leave at once.
      socket.on("error", () => undefined);
      socket.end("SSH-2.0\r\n");
    }).listen(0, "127.0.0.1");
    await once(service, "listening");
  });
  afterAll(() => service.close());

  const run = (path: string, args: readonly string[], more: Partial<ToolCommand> = {}): Promise<ToolOutcome> =>
    runBoundedTool({ path, args, folder, sandbox, ...TOOL_LIMITS, ...more }, forever);
  const shell = (script: string, more: Partial<ToolCommand> = {}): Promise<ToolOutcome> =>
    run("/bin/sh", ["-c", script], more);
  const python = (script: string, more: Partial<ToolCommand> = {}): Promise<ToolOutcome> =>
    run("/usr/bin/python3", ["-I", "-c", script], more);

  return {
    get root(): string {
      return root;
    },
    get folder(): string {
      return folder;
    },
    get sandbox(): ToolSandbox {
      return sandbox;
    },
    /** Of the service. */
    get port(): number {
      return (service.address() as AddressInfo).port;
    },
    get visitorCount(): number {
      return visitorCount;
    },
    run,
    shell,
    python,
  };
}
