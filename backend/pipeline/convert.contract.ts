/** The contract of what a worker converts with: of the pipeline, and of what stands for it in tests of other rooms. */
import { openSync, closeSync, readSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ConversionError } from "../../common/errors.ts";
import type { FinalBytes } from "../../common/final-bytes.ts";
import { Stage } from "../../common/job.ts";
import { TIERS, type Format } from "../../common/tiers.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { ConvertedFile, ConvertListener, Found } from "./conversion.ts";
import { openJobFolder } from "./process/job-folder.ts";
import type { ConvertProgress } from "./progress/progress-reporter.ts";

export interface ConversionsUnderTest {
  readonly convert: NonNullable<Runtime["convert"]>;
  /** Its tools may write there. Absent: anywhere. */
  readonly folder?: string;
  /** @param page "cello" can be converted to each format, "slow" is converted until it is aborted, "gone" is refused */
  readonly linkOf: (page: "cello" | "slow" | "gone") => string;
}

/** What the listener got, in order. */
type Told = { readonly found: Found } | { readonly progress: ConvertProgress } | { readonly final: FinalBytes | null };

/**
 * Registers the tests.
 * @param given called when the tests run
 * @param refuses whether it refuses what is gone; otherwise it refuses nothing
 */
export function describeConversions(given: () => ConversionsUnderTest, refuses = true): void {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(given().folder ?? tmpdir(), "contract-"));
  });
  afterAll(() => rm(root, { recursive: true }));

  interface Attempt {
    readonly format?: Format;
    readonly signal?: AbortSignal;
    readonly onProgress?: () => void;
    readonly check?: (file: ConvertedFile, folder: string) => Promise<void>;
  }

  let count = 0;
  /** @param told is filled while it is converted */
  async function attempt(
    page: Parameters<ConversionsUnderTest["linkOf"]>[0],
    told: Told[],
    { format = "mp3", signal = new AbortController().signal, onProgress, check }: Attempt = {},
  ): Promise<void> {
    const { convert, linkOf } = given();
    count += 1;
    await using folder = await openJobFolder(root, `job-${count}`);
    const early: EarlyBytes[] = [];
    const listener: ConvertListener = {
      found: (found) => void told.push({ found }),
      progress(progress) {
        told.push({ progress });
        onProgress?.();
      },
      written(path, final) {
        expect(dirname(path)).toBe(folder.path);
        told.push({ final });
        if (final === null) early.length = 0;
        else early.push(readEarly(path, final));
      },
    };
    const request = { url: linkOf(page), format, limits: TIERS.free, folder: folder.path };
    const file = await convert(request, listener, signal);
    const bytes = await readFile(file.path);
    for (const { from, part } of early) expect(bytes.subarray(from, from + part.length).equals(part)).toBe(true);
    await check?.(file, folder.path);
  }

  it.each(["mp3", "original"] as const)(
    "leaves a file in the folder as %s, of the size that it says",
    async (format) => {
      const check = async (file: ConvertedFile, folder: string): Promise<void> => {
        expect(dirname(file.path)).toBe(folder);
        expect((await stat(file.path)).size).toBe(file.sizeBytes);
        expect(file.sizeBytes).toBeGreaterThan(0);
        expect(file.durationSeconds).toBeGreaterThan(0);
        const kinds = told.flatMap((one) => ("found" in one ? (one.found.fileKind ?? []) : []));
        expect(kinds.length > 0).toBe(format === "original");
      };
      const told: Told[] = [];
      await attempt("cello", told, { format, check });
    },
  );

  it("tells first what the video is, and then only of progress that goes forward", async () => {
    const told: Told[] = [];
    let atEnd = 0;
    await attempt("cello", told, {
      check: async () => {
        atEnd = await Promise.resolve(told.length);
      },
    });
    expect(told[0]).toMatchObject({ found: { title: expect.any(String), durationSeconds: expect.any(Number) } });
    const progress = told.flatMap((one) => ("progress" in one ? [one.progress] : []));
    const percents = progress.map(({ percent }) => percent);
    expect(percents).not.toEqual([]);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.every((percent) => percent >= 0 && percent < 100)).toBe(true);
    const stages = progress.map(({ stage }) => Stage.options.indexOf(stage));
    expect(stages).toEqual(stages.toSorted((a, b) => a - b));
    expect(told).toHaveLength(atEnd);
  });

  it("never takes back bytes that it has called final, unless it begins anew", async () => {
    const told: Told[] = [];
    await attempt("cello", told);
    let to = 0;
    for (const { final } of told.filter((one) => "final" in one)) {
      // Null begins anew.
      expect(final?.to ?? Infinity).toBeGreaterThanOrEqual(Math.max(final?.from ?? 0, to));
      expect(final?.standIn?.length ?? 0).toBeLessThanOrEqual(final?.from ?? 0);
      to = final?.to ?? 0;
    }
  });

  it("ends with the reason of the signal when it is aborted, and tells nothing more", async () => {
    const told: Told[] = [];
    const abort = new AbortController();
    const reason = new Error("canceled");
    let whenAborted = Infinity;
    const onProgress = (): void => {
      if (abort.signal.aborted) return;
      abort.abort(reason);
      whenAborted = told.length;
    };
    await expect(attempt("slow", told, { signal: abort.signal, onProgress })).rejects.toBe(reason);
    expect(told).toHaveLength(whenAborted);
  });

  it("begins nothing when it is aborted already", async () => {
    const told: Told[] = [];
    const reason = new Error("early");
    await expect(attempt("cello", told, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(told).toEqual([]);
  });

  it.runIf(refuses)("refuses a video that is gone with the code of that, and has found nothing", async () => {
    const told: Told[] = [];
    const refused = attempt("gone", told);
    await expect(refused).rejects.toBeInstanceOf(ConversionError);
    await expect(refused).rejects.toMatchObject({ code: "unavailable" });
    expect(told.filter((one) => "found" in one)).toEqual([]);
  });
}

interface EarlyBytes {
  readonly from: number;
  readonly part: Buffer;
}

/** @returns the bytes as they are when they are called final */
function readEarly(path: string, { from, to }: FinalBytes): EarlyBytes {
  const part = Buffer.alloc(to - from);
  const file = openSync(path, "r");
  try {
    expect(readSync(file, part, 0, part.length, from)).toBe(part.length);
  } finally {
    closeSync(file);
  }
  return { from, part };
}
