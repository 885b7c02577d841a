/** Converts pages of the sample site to the original sound, FLAC and WAV, and compares the sound with its source. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseFile } from "music-metadata";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { parseHostList } from "../../common/hosts.ts";
import type { FileKind } from "../../common/job.ts";
import { TIERS, type Format, type TierLimits } from "../../common/tiers.ts";
import { repositoryDataDir } from "../dev/repository.ts";
import { startTestExtractor } from "../dev/testing/test-extractor.ts";
import { PATIENT_LIMITS } from "../dev/testing/patient-limits.ts";
import { openTestSandbox } from "../dev/testing/test-sandbox.ts";
import { startSampleSite, type PageName, type SampleSite } from "../dev/stand-ins/sample-site/sample-site.ts";
import { convert, type ConvertedFile } from "./convert.ts";
import type { ExtractorHost } from "./extractor-host/extractor-host.ts";
import { startEgressGuard } from "./guard/egress-guard.ts";
import type { Pipeline } from "./pipeline.ts";
import { openJobFolder } from "./process/job-folder.ts";
import { findScriptRuntime } from "./process/script-runtime.ts";

const run = promisify(execFile);
let site: SampleSite;
let pipeline: Pipeline;
let extractorHost: ExtractorHost;
let root: string;

beforeAll(async () => {
  const tools = inject("toolPaths");
  root = await mkdtemp(join(tmpdir(), "sound-formats-"));
  site = await startSampleSite({ dataDir: repositoryDataDir(), ffmpegPath: tools.ffmpegPath, report: () => {} });
  const videoHosts = parseHostList(site.host);
  extractorHost = await startTestExtractor(root);
  pipeline = {
    tools: { ...tools, denoPath: findScriptRuntime() },
    sandbox: await openTestSandbox(),
    extractorHost,
    guard: await startEgressGuard({ allow: videoHosts }),
    videoHosts,
    limits: PATIENT_LIMITS,
  };
});
afterAll(async () => {
  await extractorHost[Symbol.asyncDispose]();
  await pipeline.guard.stop();
  await site.stop();
  await rm(root, { recursive: true });
});

interface Received {
  readonly kinds: FileKind[];
  readonly stages: Set<string>;
}

let folders = 0;

/** @param check gets the file before its folder is removed */
async function converted(
  page: PageName,
  format: Format,
  check: (file: ConvertedFile, received: Received) => Promise<void>,
  limits: TierLimits = TIERS.pro,
): Promise<void> {
  folders += 1;
  await using folder = await openJobFolder(root, `job-${folders}`);
  const received: Received = { kinds: [], stages: new Set() };
  const file = await convert(
    { url: site.urlOf(page), format, limits, folder: folder.path },
    {
      metadata: () => undefined,
      thumbnail: () => undefined,
      shortfall: () => undefined,
      fileKind: (kind) => received.kinds.push(kind),
      progress: ({ stage }) => received.stages.add(stage),
    },
    pipeline,
    new AbortController().signal,
  );
  await check(file, received);
}

/** @returns the address of a clip, or of its playlist; ffmpeg reads several files, parted by "|", as one */
const clip = (paths: string): string => {
  const addresses = paths.split("|").map((path) => new URL(`/clips/${path}`, site.urlOf("rain")).href);
  return addresses.length > 1 ? `concat:${addresses.join("|")}` : addresses.join("");
};

async function hashOf(input: string, ...args: string[]): Promise<string> {
  const protocols = ["-protocol_whitelist", "file,crypto,http,tcp,concat"];
  const command = [
    "-v",
    "error",
    ...protocols,
    "-i",
    input,
    "-map",
    "0:a:0",
    ...args,
    "-f",
    "streamhash",
    "-hash",
    "md5",
    "-",
  ];
  return (await run(pipeline.tools.ffmpegPath, command)).stdout;
}
/** Transport streams have AAC with a header for each packet; MP4 has it without. */
const packetsOf = (input: string, codec: string): Promise<string> =>
  hashOf(input, "-c", "copy", ...(codec === "aac" ? ["-bsf:a", "aac_adtstoasc"] : []));
const samplesOf = (input: string): Promise<string> => hashOf(input, "-c:a", "pcm_s16le");

/** As many segments as the length in the manifest has; the encoder wrote a seventh for its own padding. */
const DASH_FILES = ["init-4.m4s", ...Array.from({ length: 6 }, (_, index) => `part-4-${index + 1}.m4s`)];

/** A page, the clip behind it, its codec, and what its original sound is stored as. */
const SOURCES = [
  ["a progressive MP4 with a picture", "rain", "rain/video.mp4", "aac", "m4a"],
  ["HLS", "tide", "tide/720/index.m3u8", "aac", "m4a"],
  ["DASH", "observatory", DASH_FILES.map((name) => `observatory/${name}`).join("|"), "aac", "m4a"],
  ["a sound-only M4A", "cello", "cello/audio.m4a", "aac", "m4a"],
  ["WebM with Opus", "lanterns", "lanterns/video.webm", "opus", "opus"],
] as const;

describe.each(SOURCES)("the sound of %s", (_, page, path, codec, kind) => {
  it("is copied packet by packet as the original, with its tags", async () => {
    await converted(page, "original", async (file, received) => {
      expect(received.kinds).toEqual([kind]);
      expect(file.fileKind).toBe(kind);
      expect(await packetsOf(file.path, codec)).toBe(await packetsOf(clip(path), codec));
      const { common, format } = await parseFile(file.path);
      expect(common.title).toBeTruthy();
      expect(format.container).toMatch(kind === "m4a" ? /^M4A/ : /^Ogg/);
      expect(common.picture).toHaveLength(1);
    });
  });

  it.each(["flac", "wav"] as const)("has the same samples as %s", async (format) => {
    await converted(page, format, async (file, received) => {
      expect(received.kinds).toEqual([]);
      expect(await samplesOf(file.path)).toBe(await samplesOf(clip(path)));
      const { common, format: found } = await parseFile(file.path);
      expect(found).toMatchObject({ sampleRate: 48_000, numberOfChannels: 2, lossless: true });
      expect(common.title).toBeTruthy();
    });
  });
});

it.each(["original", "flac", "wav"] as const)("refuses a video without sound in %s", async (format) => {
  await expect(converted("snow", format, () => Promise.resolve())).rejects.toMatchObject({
    code: "unavailable",
    message: "This video has no sound to make an MP3 from.",
  });
});

describe("the size limit", () => {
  it.each([
    ["original", "cello"],
    ["flac", "cello"],
    ["wav", "cello"],
  ] as const)("is exact for %s", async (format, page) => {
    let sizeBytes = 0;
    await converted(page, format, (file) => Promise.resolve(void ({ sizeBytes } = file)));
    const limitsOf = (maxFileBytes: number): TierLimits => ({ ...TIERS.pro, maxFileBytes });
    await converted(page, format, async (file) => expect(file.sizeBytes).toBe(sizeBytes), limitsOf(sizeBytes));
    await expect(converted(page, format, () => Promise.resolve(), limitsOf(sizeBytes - 1))).rejects.toMatchObject({
      code: "too_large",
      reason: { name: "file_too_large", neededBytes: sizeBytes, maxBytes: sizeBytes - 1 },
    });
  });
});
