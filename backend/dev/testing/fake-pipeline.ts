/** What a server reads of links before it converts them, as a test says: no tool is started. */
import { ConversionError } from "../../../common/errors.ts";
import type { Format } from "../../../common/tiers.ts";
import type { FoundList } from "../../domain/jobs/lists.ts";
import { DEFAULT_PIPELINE_LIMITS } from "../../pipeline/limits.ts";
import { estimate } from "../../pipeline/plan/estimate.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { testInfo } from "./test-info.ts";
import { untilAborted } from "./until-aborted.ts";

/** What is at a link: an error is thrown, "held" is read until the reading is aborted. */
type Found<T> = T | ConversionError | "held";

interface FakeVideo {
  readonly title: string;
  readonly durationSeconds: number;
}

const PICTURE = "data:image/jpeg;base64,/9j/";

/** A link of which a test has said nothing is gone. */
export class FakePipeline {
  readonly videos = new Map<string, Found<FakeVideo>>();
  readonly lists = new Map<string, Found<FoundList>>();
  /** The links that were read, in order. */
  readonly reads: string[] = [];
  /** Those of them whose reading was aborted. */
  readonly aborted: string[] = [];

  readonly lookups: NonNullable<Runtime["lookups"]> = {
    previews: {
      create: async (link, tier, choices, signal) => {
        const { title, durationSeconds } = await this.#read(this.videos, link, signal);
        const info = testInfo(durationSeconds, {});
        const estimateOf = (format: Format) =>
          estimate(info, format, tier, DEFAULT_PIPELINE_LIMITS.maxSourceFactor, choices);
        const estimates = { mp3: estimateOf("mp3"), mp4: estimateOf("mp4") };
        const moreEstimates = {
          original: estimateOf("original"),
          flac: estimateOf("flac"),
          wav: estimateOf("wav"),
          transcript: estimateOf("transcript"),
        };
        return { title, durationSeconds, thumbnail: PICTURE, estimates, moreEstimates };
      },
    },
    lists: {
      read: async (link, most, signal) => {
        const list = await this.#read(this.lists, link, signal);
        return { ...list, entries: list.entries.slice(0, most) };
      },
      picture: (url) => Promise.resolve(url.includes("gone") ? null : PICTURE),
    },
  };

  /** Forgets what tests have said, and what was read. */
  reset(): void {
    this.videos.clear();
    this.lists.clear();
    this.reads.length = 0;
    this.aborted.length = 0;
  }

  async #read<T>(links: ReadonlyMap<string, Found<T>>, link: string, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    this.reads.push(link);
    const found = links.get(link) ?? new ConversionError("unavailable");
    if (found === "held") {
      signal.addEventListener("abort", () => this.aborted.push(link));
      await untilAborted(signal);
      throw new Error("it was aborted");
    }
    if (found instanceof ConversionError) throw found;
    return found;
  }
}
