import { expect, inject, it } from "vitest";
import { openTestSandbox } from "../../dev/testing/test-sandbox.ts";
import { checkExtractorNetwork, openToolSandbox } from "./open-tool-sandbox.ts";

const missing = "no sandbox (spawn bwrap ENOENT)";

async function open(toolSandbox: "required" | "preferred" | "off", found = {}) {
  const lines: string[] = [];
  const log = { warn: (line: string) => lines.push(line) } as never;
  const sandbox = await openToolSandbox({ toolSandbox }, log, () => Promise.resolve(found));
  return { sandbox, lines };
}

it("uses the sandbox without a word where the machine allows all of it", async () => {
  const sandbox = await openTestSandbox();
  for (const mode of ["required", "preferred"] as const)
    expect(await open(mode, { sandbox })).toEqual({ sandbox, lines: [] });
});

it("does not start without a sandbox where it is required, and says in one line what to do", async () => {
  await expect(open("required", { missing })).rejects.toThrow(
    /^TOOL_SANDBOX is required, but this machine has no sandbox \(spawn bwrap ENOENT\): install bubblewrap .*$/,
  );
  const sandbox = await openTestSandbox();
  await expect(open("required", { sandbox, missing: "no filter of system calls on mips" })).rejects.toThrow("mips");
});

it("goes on where it is preferred, and says in one line what is lost", async () => {
  const { sandbox, lines } = await open("preferred", { missing });
  expect(sandbox).toBeUndefined();
  expect(lines).toEqual([
    expect.stringMatching(/^tools run with no sandbox .* could read this server's files and keys/),
  ]);
});

it("says what is lost where it is off", async () => {
  const sandbox = await openTestSandbox();
  const opened = await open("off", { sandbox });
  expect(opened.sandbox).toBeUndefined();
  expect(opened.lines).toEqual([expect.stringContaining("TOOL_SANDBOX is off")]);
});

it("needs a yt-dlp in Python, which has no network of the machine, where the sandbox is required", async () => {
  const lines: string[] = [];
  const check = (toolSandbox: "required" | "preferred" | "off", path: string) =>
    checkExtractorNetwork({ toolSandbox }, path, { warn: (line: string) => lines.push(line) } as never);
  await expect(check("required", process.execPath)).rejects.toThrow(
    /^TOOL_SANDBOX is required, but .* is no Python program, .*: let YTDLP_PATH name .*$/,
  );
  await check("preferred", process.execPath);
  expect(lines).toEqual([expect.stringContaining("could reach the services of this network")]);
  await check("off", process.execPath);
  for (const path of [inject("toolPaths").ytDlpPath, "/nonexistent/yt-dlp"]) await check("required", path);
  expect(lines).toHaveLength(1);
});
