/** Tests the extractor host with the real yt-dlp. */
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import type { ToolCommand } from "../process/tool-process.ts";
import { ExtractorCall } from "./extractor-call.ts";
import { startExtractorHost, type ExtractorHost } from "./extractor-host.ts";

const folder = await testFolder();
let host: ExtractorHost;
/** Accepts requests and never responds. */
let silent: Server;

beforeAll(async () => {
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
});

const neverAborted = new AbortController().signal;
const command = (args: string[], more: Partial<ToolCommand> = {}): ToolCommand => ({
  path: inject("toolPaths").ytDlpPath,
  args,
  folder,
  // Long enough for a busy machine; only a tool that hangs reaches it.
  timeoutMs: 240_000,
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

/** Answers with a file that is named as the address says. */
async function ofNames() {
  const server = createServer((request, response) => {
    const says = new URL(request.url ?? "", "http://localhost").searchParams.get("says") ?? "";
    response.writeHead(200, { "content-type": "video/mp4", "content-disposition": says }).end("media");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

it("returns the same outcome as the program itself", async () => {
  expect(await host.run(command(["--version"]), neverAborted)).toMatchObject({
    ending: "exit",
    exitCode: 0,
    output: expect.stringMatching(/^\d{4}\.\d\d/),
  });
  expect(await host.run(command(["--no-such-option"]), neverAborted)).toMatchObject({
    ending: "exit",
    exitCode: 2,
    stderrTail: expect.stringContaining("no such option"),
  });
});

it("leaves the output in a file of the folder instead of collecting it", async () => {
  const written = command(["--version"], { outputFile: "version" });
  expect(await host.run(written, neverAborted)).toMatchObject({ ending: "exit", exitCode: 0, output: "" });
  expect(await readFile(join(written.folder, "version"), "utf8")).toMatch(/^\d{4}\.\d\d/);
});

it("calls a file what its server calls it", async () => {
  const named = [
    ['attachment; filename="Rain on a tin roof.mp4"', "Rain on a tin roof"],
    ["attachment; filename=rain.mp4", "rain"],
    ["inline; filename*=UTF-8''Caf%C3%A9%20%E2%98%95.webm", "Café ☕"],
    [`attachment; filename*=UTF-8''%E9%9B%A8.mp4; filename="rain.mp4"`, "雨"],
    [`attachment; filename="rain.mp4"; filename*=utf-8'en'%E9%9B%A8.mp4`, "雨"],
    ["attachment; filename*=ISO-8859-1''Caf%E9.mp4", "Café"],
    [String.raw`attachment; filename="The \"best\" rain, vol.2"`, 'The "best" rain, vol.2'],
    [`attachment; filename="${Buffer.from("Café.mp4").toString("latin1")}"`, "Café"],
    ['attachment; filename="Caf%C3%A9 100%.mp4"', "Café 100%"],
    ["attachment; filename*=UTF-8''a.mp4; filename*0=b.mp4", "download"],
    ["attachment; filename*=x-unknown''a.mp4", "a"],
    ["attachment", "download"],
    ['attachment; filename=""', "download"],
  ] as const;
  await using server = await ofNames();
  const links = named.map(([says]) => `${server.origin}/download.mp4?says=${encodeURIComponent(says)}`);
  const outcome = await host.run(command(["--ignore-config", "--dump-json", ...links]), neverAborted);
  const titles = outcome.output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).title);
  expect(titles).toEqual(named.map(([, title]) => title));
});

it("runs several calls at once, each with its own outcome", async () => {
  const outcomes = await Promise.all(
    ["--version", "--no-such-option", "--version"].map((option) => host.run(command([option]), neverAborted)),
  );
  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 2, 0]);
});

it("does not start a call when the signal is already aborted", async () => {
  const reason = new Error("gone");
  await expect(host.run(command(silentPage()), AbortSignal.abort(reason))).rejects.toBe(reason);
});

it("ends a call that is aborted before it starts or while it runs", async () => {
  for (const abortedWhen of ["at once", "after its first request"] as const) {
    const abort = new AbortController();
    const requested = once(silent, "request");
    const call = host.run(command(silentPage()), abort.signal);
    if (abortedWhen === "after its first request") await requested;
    abort.abort(new Error(abortedWhen));
    await expect(call).rejects.toThrow(abortedWhen);
  }
});

it("ends a call whose child does not lead a process group yet", async () => {
  const child = spawn("sleep", ["infinity"]);
  try {
    const abort = new AbortController();
    const call = new ExtractorCall(1, command([]), undefined);
    child.once("exit", () => call.ended(-1));
    const running = call.run(() => call.started(child.pid ?? 0), abort.signal);
    abort.abort(new Error("canceled"));
    await expect(running).rejects.toThrow("canceled");
  } finally {
    child.kill("SIGKILL");
  }
});

it("ends a call that exceeds timeoutMs", async () => {
  expect(await host.run(command(silentPage(), { timeoutMs: 300 }), neverAborted)).toMatchObject({ ending: "timeout" });
});

it("ends a call that exceeds maxMemoryBytes", async () => {
  expect(await host.run(command(silentPage(), { maxMemoryBytes: 1_000 }), neverAborted)).toMatchObject({
    ending: "memory",
  });
});

it("returns undefined when the host breaks the protocol", async () => {
  const python = join(folder, "python");
  const program = join(folder, "program");
  await writeFile(python, "#!/bin/sh\necho 'Traceback (most recent call last):'\nread nothing\n", { mode: 0o755 });
  await writeFile(program, `#!${python}\n`, { mode: 0o755 });
  expect(await startExtractorHost(program, folder)).toBeUndefined();
});
