import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { runBoundedTool, type ToolCommand } from "./tool-process.ts";

const folder = await testFolder();

const forever = new AbortController().signal;
const shell = (script: string, more: Partial<ToolCommand> = {}): ToolCommand => ({
  path: "/bin/sh",
  args: ["-c", script],
  folder,
  // Long enough for a busy machine; only a tool that hangs reaches it.
  timeoutMs: 240_000,
  killGraceMs: 200,
  maxMemoryBytes: 200_000_000,
  ...more,
});

/** A zombie, whose parent has not read its exit code yet, does not count as running. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}/stat`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

/** Runs a script, aborts it when it prints its first line, and returns the pids that it printed. */
async function runCanceledScript(script: string): Promise<number[]> {
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
  it("returns exit code, standard output and standard error", async () => {
    expect(await runBoundedTool(shell("echo out; echo err >&2; exit 3"), forever)).toEqual({
      ending: "exit",
      exitCode: 3,
      output: "out\n",
      stderrTail: "err\n",
    });
  });

  it("starts the tool with a minimal environment", async () => {
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

  it("ends a tool and its children when aborted", async () => {
    const pids = await runCanceledScript("sleep 60 & echo $$ $!; wait");
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });

  it("kills a tool and its children that ignore SIGTERM", async () => {
    const pids = await runCanceledScript("trap '' TERM; (trap '' TERM; sleep 60) & echo $$ $!; sleep 60; sleep 60");
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });

  it("kills children that are left when the tool exits", async () => {
    const { output } = await runBoundedTool(shell("sleep 60 & echo $!"), forever);
    // It is killed by now, but the kernel may still list it.
    await expect.poll(() => isRunning(Number(output.trim()))).toBe(false);
  });

  it("ends a tool that exceeds timeoutMs", async () => {
    expect((await runBoundedTool(shell("sleep 60", { timeoutMs: 50 }), forever)).ending).toBe("timeout");
  });

  it("ends a tool that exceeds maxOutputBytes", async () => {
    expect((await runBoundedTool(shell("yes", { maxOutputBytes: 100_000 }), forever)).ending).toBe("output");
  });

  it("writes standard output to a file of its own instead of collecting it", async () => {
    expect(await runBoundedTool(shell("echo out", { outputFile: "written" }), forever)).toMatchObject({
      ending: "exit",
      exitCode: 0,
      output: "",
    });
    expect(await readFile(join(folder, "written"), "utf8")).toBe("out\n");
    await expect(runBoundedTool(shell("echo again", { outputFile: "written" }), forever)).rejects.toMatchObject({
      code: "EEXIST",
    });
  });

  it("ends a tool that exceeds maxOutputBytes of a file", async () => {
    const endless = shell("yes", { outputFile: "endless", maxOutputBytes: 100_000 });
    expect((await runBoundedTool(endless, forever)).ending).toBe("output");
    expect((await stat(join(folder, "endless"))).size).toBeLessThanOrEqual(100_000);
  });

  it("ends a tool whose child exceeds maxMemoryBytes", async () => {
    // The child keeps what it has taken: one that takes ever more could fill the machine if it is measured late.
    const large = shell("dd if=/dev/zero of=/dev/null bs=400M; true");
    expect((await runBoundedTool(large, forever)).ending).toBe("memory");
  });

  it("keeps only the end of a long standard error", async () => {
    const { stderrTail } = await runBoundedTool(shell("yes warning | head -c 1000000 >&2; echo last >&2"), forever);
    expect(stderrTail.length).toBeLessThan(20_000);
    expect(stderrTail).toMatch(/last\n$/);
  });

  it("ends the tool when onLine throws, and rejects with that error", async () => {
    const onLine = (): void => {
      throw new RangeError("enough");
    };
    await expect(runBoundedTool(shell("echo line; sleep 60", { onLine }), forever)).rejects.toThrow("enough");
  });

  it("ends the tool when this process is killed with SIGKILL", async () => {
    const fifo = join(folder, "fifo");
    await promisify(execFile)("mkfifo", [fifo]);
    // The tool prints its pid and keeps the pipe open until it ends.
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

  it("does not start the tool when the signal is already aborted", async () => {
    await expect(runBoundedTool(shell("true"), AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  });

  it("exits with 127 when the tool does not exist", async () => {
    const outcome = runBoundedTool(shell("", { path: "/nonexistent/tool" }), forever);
    await expect(outcome.then(({ exitCode }) => exitCode)).resolves.toBe(127);
  });
});
