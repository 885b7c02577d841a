/** yt-dlp kept loaded, with the real one. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import type { ToolCommand } from "../process/tool-process.ts";
import { startExtractorHost, type ExtractorHost } from "./extractor-host.ts";

let folder: string;
let host: ExtractorHost;
/** Takes connections and says nothing. */
let silent: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "host-"));
  const started = await startExtractorHost(inject("toolPaths").ytDlpPath, folder);
  if (!started) throw new Error("yt-dlp cannot be kept loaded");
  host = started;
  silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  silent.closeAllConnections();
  silent.close();
  await rm(folder, { recursive: true });
});

const never = new AbortController().signal;
const command = (args: string[], more: Partial<ToolCommand> = {}): ToolCommand => ({
  path: inject("toolPaths").ytDlpPath,
  args,
  folder,
  timeoutMs: 60_000,
  killGraceMs: 500,
  maxMemoryBytes: 1_000_000_000,
  maxOutputBytes: 1_000_000,
  ...more,
});
const silentPage = (): string[] => [
  "--ignore-config",
  "--socket-timeout=60",
  "--dump-single-json",
  `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`,
];

it("answers as the program itself would", async () => {
  expect(await host.run(command(["--version"]), never)).toMatchObject({
    ending: "exit",
    exitCode: 0,
    output: expect.stringMatching(/^\d{4}\.\d\d/),
  });
  expect(await host.run(command(["--no-such-option"]), never)).toMatchObject({
    ending: "exit",
    exitCode: 2,
    stderrTail: expect.stringContaining("no such option"),
  });
});

it("makes calls side by side, each with an outcome of its own", async () => {
  const outcomes = await Promise.all(
    ["--version", "--no-such-option", "--version"].map((option) => host.run(command([option]), never)),
  );
  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 2, 0]);
});

it("begins nothing for a caller that has gone already", async () => {
  const reason = new Error("gone");
  await expect(host.run(command(silentPage()), AbortSignal.abort(reason))).rejects.toBe(reason);
});

it("ends a call whose caller goes before it has begun, and one in mid-work", async () => {
  for (const whenGone of ["at once", "once it asks"] as const) {
    const abort = new AbortController();
    const asked = once(silent, "request");
    const call = host.run(command(silentPage()), abort.signal);
    if (whenGone === "once it asks") await asked;
    abort.abort(new Error(whenGone));
    await expect(call).rejects.toThrow(whenGone);
  }
});

it("ends a call that takes too long", async () => {
  expect(await host.run(command(silentPage(), { timeoutMs: 300 }), never)).toMatchObject({ ending: "timeout" });
});

it("ends a call that takes too much memory", async () => {
  expect(await host.run(command(silentPage(), { maxMemoryBytes: 1_000 }), never)).toMatchObject({ ending: "memory" });
});

it("does without a host that says what nobody asked", async () => {
  const [python, program] = [join(folder, "python"), join(folder, "program")];
  await writeFile(python, "#!/bin/sh\necho 'Traceback (most recent call last):'\nread nothing\n", { mode: 0o755 });
  await writeFile(program, `#!${python}\n`, { mode: 0o755 });
  expect(await startExtractorHost(program, folder)).toBeUndefined();
});
