import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBoundedTool, type ToolCommand } from "./tool-process.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tool-"));
});
afterAll(() => rm(folder, { recursive: true }));

const forever = new AbortController().signal;
const shell = (script: string, more: Partial<ToolCommand> = {}): ToolCommand => ({
  path: "/bin/sh",
  args: ["-c", script],
  folder,
  timeoutMs: 30_000,
  killGraceMs: 200,
  maxMemoryBytes: 200_000_000,
  ...more,
});

/** A dead process that nobody has asked after yet does not count. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}/stat`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

/** Runs a script that prints pids, aborts once it has, and returns them once the run is over. */
async function pidsOfCanceled(script: string): Promise<number[]> {
  const controller = new AbortController();
  const pids: number[] = [];
  const onLine = (line: string): void => {
    pids.push(...line.split(" ").map(Number));
    controller.abort(new Error("canceled"));
  };
  await expect(runBoundedTool(shell(script, { onLine }), controller.signal)).rejects.toThrow("canceled");
  expect(pids.length).toBeGreaterThan(0);
  return pids;
}

describe("runBoundedTool", () => {
  it("collects what the tool says and how it ended", async () => {
    expect(await runBoundedTool(shell("echo out; echo err >&2; exit 3"), forever)).toEqual({
      ending: "exit",
      exitCode: 3,
      output: "out\n",
      stderrTail: "err\n",
    });
  });

  it("gives the tool no environment but its own", async () => {
    process.env["HTTP_PROXY"] = "http://elsewhere:1";
    const { output } = await runBoundedTool(shell("env"), forever);
    delete process.env["HTTP_PROXY"];
    const shellsOwn = new Set(["_", "PWD", "OLDPWD", "SHLVL"]);
    const names = output
      .trim()
      .split("\n")
      .map((line) => line.replace(/=.*/, ""));
    expect(new Set(names.filter((name) => !shellsOwn.has(name)))).toEqual(new Set(["HOME", "LANG", "PATH", "TMPDIR"]));
    expect(output).toContain(`HOME=${folder}`);
  });

  it("ends a tool and its children when canceled", async () => {
    const pids = await pidsOfCanceled("sleep 60 & echo $$ $!; wait");
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });

  it("ends those too that do not listen", async () => {
    const pids = await pidsOfCanceled("trap '' TERM; (trap '' TERM; sleep 60) & echo $$ $!; sleep 60; sleep 60");
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });

  it("leaves no child behind when the tool itself is done", async () => {
    const { output } = await runBoundedTool(shell("sleep 60 & echo $!"), forever);
    // Killed by now; the kernel may still be clearing it away.
    await expect.poll(() => isRunning(Number(output.trim()))).toBe(false);
  });

  it("ends what takes too long", async () => {
    expect((await runBoundedTool(shell("sleep 60", { timeoutMs: 50 }), forever)).ending).toBe("timeout");
  });

  it("ends what says too much", async () => {
    expect((await runBoundedTool(shell("yes", { maxOutputBytes: 100_000 }), forever)).ending).toBe("output");
  });

  it("ends what takes too much memory, in a child as well", async () => {
    expect((await runBoundedTool(shell("tail /dev/zero; true"), forever)).ending).toBe("memory");
  });

  it("keeps only the end of endless complaints", async () => {
    const { stderrTail } = await runBoundedTool(shell("yes complaint | head -c 1000000 >&2; echo last >&2"), forever);
    expect(stderrTail.length).toBeLessThan(20_000);
    expect(stderrTail).toMatch(/last\n$/);
  });

  it("ends the tool when a line cannot be taken, with the reason", async () => {
    const onLine = (): void => {
      throw new RangeError("enough");
    };
    await expect(runBoundedTool(shell("echo line; sleep 60", { onLine }), forever)).rejects.toThrow("enough");
  });

  it("lets no tool outlive this process, even when it is killed", async () => {
    const fifo = join(folder, "fifo");
    await promisify(execFile)("mkfifo", [fifo]);
    // The tool says its pid and holds the pipe open for as long as it lives.
    const command = shell(`exec >${fifo}; echo $$; exec sleep 60`);
    const script = `import { runBoundedTool } from ${JSON.stringify(new URL("tool-process.ts", import.meta.url).href)};
      await runBoundedTool(${JSON.stringify(command)}, new AbortController().signal);`;
    const server = spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: "inherit" });
    const pipe = createReadStream(fifo, "utf8");
    const [pid] = (await once(pipe, "data")) as [string];
    expect(isRunning(Number(pid))).toBe(true);
    server.kill("SIGKILL");
    await once(pipe, "end");
    await expect.poll(() => isRunning(Number(pid))).toBe(false);
  });

  it("does not start for somebody who has left", async () => {
    await expect(runBoundedTool(shell("true"), AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  });

  it("tells when there is no such tool", async () => {
    const outcome = runBoundedTool(shell("", { path: "/nonexistent/tool" }), forever);
    await expect(outcome.then(({ exitCode }) => exitCode)).resolves.toBe(127);
  });
});
