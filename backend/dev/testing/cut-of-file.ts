/** Cuts of finished files, with real tools and a network that reaches nothing. */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConversionChoices } from "../../../common/choices.ts";
import { TIERS, type Format } from "../../../common/tiers.ts";
import type { ConvertedFile, Found } from "../../pipeline/conversion.ts";
import { convert } from "../../pipeline/convert.ts";
import { openJobFolder } from "../../pipeline/process/job-folder.ts";
import type { Span } from "./click-track.ts";
import type { TestPipeline } from "./test-pipeline.ts";

interface Cut {
  /** Of the stored file. */
  readonly path: string;
  readonly format: Format;
  /** Of the whole video. */
  readonly part: Span;
  /** What the file is of its video. */
  readonly of?: Span;
  readonly choices?: ConversionChoices;
  /** Sees the file before its folder is removed. */
  readonly check: (file: ConvertedFile, found: Found) => Promise<void>;
}

const partOf = ([startSeconds, endSeconds]: Span) => ({ startSeconds, endSeconds });

/** The link of the video leads nowhere. */
export async function cutFile({ pipeline, folder }: TestPipeline, cut: Cut): Promise<void> {
  const { path, format, part, of, choices, check } = cut;
  await using own = await openJobFolder(join(folder, "jobs"), "cut");
  const found: Found = {};
  const file = await convert({
    request: {
      url: "http://127.0.0.1:1/gone",
      stored: { sizeBytes: 1, part: of && partOf(of), copyTo: (to) => copyFile(path, to) },
      format,
      choices: { ...choices, part: partOf(part) },
      limits: TIERS.pro,
      folder: own.path,
    },
    listener: { found: (one) => void Object.assign(found, one), progress: () => undefined },
    pipeline,
    signal: new AbortController().signal,
  });
  await check(file, found);
}
