import { execFile } from "node:child_process";
import { rm, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { testFolder } from "../testing/test-folder.ts";
import { prepareTools } from "./tools.ts";

const tools = inject("toolPaths");
let dataDir: string;
let lines: string[];
beforeEach(async () => {
  dataDir = await testFolder();
  lines = [];
});

const prepare = async (own: { ytDlpPath?: string; ffmpegPath?: string } = {}) =>
  await prepareTools({ dataDir, ...tools, ...own, report: (line) => lines.push(line) });

describe("prepareTools", () => {
  it("returns programs that run", async () => {
    const { ytDlpPath, ffmpegPath, ffprobePath } = await prepare();
    const run = promisify(execFile);
    expect((await run(ytDlpPath, ["--version"])).stdout).toMatch(/^\d{4}\.\d{2}\.\d{2}/);
    expect((await run(ffmpegPath, ["-version"])).stdout).toMatch(/^ffmpeg version/);
    expect((await run(ffprobePath, ["-version"])).stdout).toMatch(/^ffprobe version/);
  });

  it("runs a program once, and again after its file changed", async () => {
    await prepare();
    expect(lines).toHaveLength(2);
    await prepare();
    expect(lines).toHaveLength(2);
    const own = path.join(dataDir, "yt-dlp");
    await symlink(tools.ytDlpPath, own);
    await prepare({ ytDlpPath: own });
    expect(lines).toHaveLength(3);
    await rm(own);
    await writeFile(own, "#!/bin/sh\necho 2026.01.02\n", { mode: 0o755 });
    await utimes(own, 1, 1);
    await prepare({ ytDlpPath: own });
    expect(lines.at(-1)).toBe(`yt-dlp 2026.01.02: ${own}`);
  });

  it("does the work once for two starts on one folder", async () => {
    const [first, second] = await Promise.all([prepare(), prepare()]);
    expect(first).toEqual(second);
    expect(lines.filter((line) => line.startsWith("ffmpeg "))).toHaveLength(1);
  });

  it.each([
    [
      "YTDLP_PATH names a missing file",
      { ytDlpPath: "/nowhere/yt-dlp" },
      /^YTDLP_PATH names \/nowhere\/yt-dlp.*correct or unset it\.$/,
    ],
    [
      "YTDLP_PATH names another program",
      { ytDlpPath: "/bin/true" },
      /^YTDLP_PATH names \/bin\/true.*correct or unset it\.$/,
    ],
    [
      "FFMPEG_PATH names a missing file",
      { ffmpegPath: "/nowhere/ffmpeg" },
      /^FFMPEG_PATH names \/nowhere\/ffmpeg.*correct or unset it\.$/,
    ],
  ])("says in one line what to do when %s", async (_, own, sentence) => {
    await expect(prepare(own)).rejects.toMatchObject({ name: "SetUpError", message: expect.stringMatching(sentence) });
  });
});
