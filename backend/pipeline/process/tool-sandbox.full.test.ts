/** The sandbox with many processes, with programs outside of the system's folders, and with ffmpeg. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { hostileTools, MIB, TOOL_LIMITS } from "../../dev/testing/hostile-tools.ts";
import { DEFAULT_PIPELINE_LIMITS } from "../limits.ts";
import { runBoundedTool, type ToolCommand, type ToolOutcome } from "./tool-process.ts";
import { MAX_TOOL_PROCESSES } from "./tool-sandbox.ts";

const tools = hostileTools();
const { run, shell } = tools;

describe("a tool in the sandbox", () => {
  it("cannot start 10,000 processes", async () => {
    const outcome = await shell("for i in $(seq 10000); do sleep 60 & done; wait");
    // A limit of the kernel holds for ordinary users; root's processes are counted by the server.
    expect(outcome.ending === "memory" || outcome.stderrTail.includes("Cannot fork")).toBe(true);
    expect(MAX_TOOL_PROCESSES).toBeLessThan(1_000);
  });

  it("ends with its children when it exits, is aborted or takes too long", async () => {
    // A child keeps the end of this pipe open.
    const waits = "sleep 60 & sleep 60 & ";
    expect((await shell(`${waits} echo done`)).output).toBe("done\n");
    expect((await shell(`${waits} wait`, { timeoutMs: 300 })).ending).toBe("timeout");
    const abort = new AbortController();
    const onLine = (): void => abort.abort(new Error("canceled"));
    const command: ToolCommand = {
      ...TOOL_LIMITS,
      path: "/bin/sh",
      args: ["-c", `trap '' TERM; ${waits} echo started; wait`],
      folder: tools.folder,
      sandbox: tools.sandbox,
      onLine,
    };
    await expect(runBoundedTool(command, abort.signal)).rejects.toThrow("canceled");
  });

  it("finds a program outside of the system's folders", async () => {
    const { ytDlpPath } = inject("toolPaths");
    expect((await run(process.execPath, ["-p", "1 + 1"], { maxMemoryBytes: 1_024 * MIB })).output).toBe("2\n");
    expect((await run(ytDlpPath, ["--version"])).output).toMatch(/^\d{4}\.\d\d/);
  });
});

describe("ffmpeg in the sandbox", () => {
  const { ffmpegPath } = inject("toolPaths");
  const convert = (args: readonly string[]): Promise<ToolOutcome> =>
    run(ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args], {
      maxMemoryBytes: DEFAULT_PIPELINE_LIMITS.maxToolMemoryBytes,
    });

  it("does not follow what a playlist or script names outside of its folder", async () => {
    const { port } = tools;
    const before = tools.visitorCount;
    const http = `http://127.0.0.1:${port}/a.ts`;
    const file = `file://${join(tools.root, "scratch", "job-2", "source.mp4")}`;
    await writeFile(
      join(tools.folder, "http.m3u8"),
      `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${http}\n#EXT-X-ENDLIST\n`,
    );
    await writeFile(join(tools.folder, "script.ffconcat"), `ffconcat version 1.0\nfile '${file}'\n`);
    // Without the options that refuse such inputs, as if ffmpeg had a mistake there.
    const open = [
      "-protocol_whitelist",
      "file,http,tcp,concat,crypto,data",
      "-allowed_extensions",
      "ALL",
      "-safe",
      "0",
    ];
    for (const input of [
      "http.m3u8",
      "script.ffconcat",
      "concat:/etc/passwd|/etc/shadow",
      "file:///etc/passwd",
      http,
    ]) {
      const some = input.endsWith("m3u8") ? open : input.endsWith("concat") ? [...open.slice(0, 2), "-safe", "0"] : [];
      const { exitCode, stderrTail } = await convert([...some, "-i", input, "-f", "null", "-"]);
      expect({ input, exitCode: exitCode === 0, stderrTail }).toMatchObject({
        exitCode: false,
        stderrTail: expect.stringMatching(
          /No such file|not supported by protocol|refused|Error opening|Input\/output|unreachable/i,
        ),
      });
    }
    expect(tools.visitorCount).toBe(before);
  });

  it("makes an MP4 and an MP3", async () => {
    const source = ["-f", "lavfi", "-i", "testsrc=d=1:s=320x180", "-f", "lavfi", "-i", "sine=d=1"];
    const outcomes = [
      await convert([...source, "-c:v", "libx264", "-c:a", "aac", "clip.mp4"]),
      await convert(["-i", "clip.mp4", "-c:a", "libmp3lame", "clip.mp3"]),
    ];
    expect(outcomes.map(({ exitCode, stderrTail }) => ({ exitCode, stderrTail }))).toEqual([
      { exitCode: 0, stderrTail: "" },
      { exitCode: 0, stderrTail: "" },
    ]);
  });
});
