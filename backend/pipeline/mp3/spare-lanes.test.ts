/** Encoders that wait: what they are good for, and that none stays. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { startEgressGuard } from "../egress-guard.ts";
import { DEFAULT_PIPELINE_LIMITS, type Pipeline } from "../pipeline.ts";
import { SpareLanes } from "./spare-lanes.ts";
import type { Frame } from "./mp3-frame.ts";

const AAC = { sampleRateHz: 44_100, channelCount: 2, bitrateKbps: 128, input: "aac" } as const;
const never = new AbortController().signal;
let folder: string;
let pipeline: Pipeline;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spare-lanes-"));
  pipeline = { tools: { ...inject("toolPaths"), nodePath: process.execPath }, guard: await startEgressGuard({ allow: [] }), videoHosts: [], limits: DEFAULT_PIPELINE_LIMITS };
});
afterAll(async () => {
  await pipeline.guard.stop();
  await rm(folder, { recursive: true });
});

const open = (): SpareLanes => new SpareLanes(pipeline, folder, { bitrateKbps: 128, laneCount: 2 }, never);

/** Processes at work in the folder. */
async function atWork(): Promise<number> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(ids.map((id) => readlink(`/proc/${id}/cwd`).catch(() => "")));
  return folders.filter((path) => path === folder).length;
}

it("are handed to whoever wants just that, each once", async () => {
  await using spares = open();
  expect(spares.take({ ...AAC, bitrateKbps: 320 })).toBeUndefined();
  expect(spares.take({ ...AAC, input: "samples" })).toBeUndefined();
  expect(spares.take({ ...AAC, hasNoReservoir: true })).toBeUndefined();
  expect(spares.take({ ...AAC, skipSamples: 2_048 })).toBeUndefined();
  const [first, second] = [spares.take({ ...AAC, skipSamples: 1_024 }), spares.take(AAC)];
  expect(first).toBeDefined();
  expect(second).toBeDefined();
  expect(second).not.toBe(first);
  expect(spares.take(AAC)).toBeUndefined();
});

it("encode what they are given, and the others end", async () => {
  const source = join(folder, "sound.aac");
  await promisify(execFile)(pipeline.tools.ffmpegPath, ["-v", "error", "-f", "lavfi", "-i", "sine=d=3:r=44100", "-ac", "2", "-c:a", "aac", source]);
  await using spares = open();
  const frames: Frame[] = [];
  const lane = spares.take(AAC)?.hand((more) => frames.push(...more), never);
  spares.endFree();
  lane?.write(await readFile(source));
  lane?.end();
  await lane?.done;
  expect(frames.length).toBeGreaterThan(100);
  expect(frames.every(({ bitrateKbps }) => bitrateKbps === 128)).toBe(true);
});

it("leave no process, taken or not, whatever happens to who took them", async () => {
  {
    await using spares = open();
    const failed = new AbortController();
    const lane = spares.take(AAC)?.hand(() => undefined, failed.signal);
    failed.abort(new Error("the source broke off"));
    await expect(lane?.done).rejects.toThrow("the source broke off");
    spares.take({ ...AAC, skipSamples: 1_024 });
  }
  expect(await atWork()).toBe(0);
});
