/** What all ways of making a file are given. */
import type { TierLimits } from "../../../common/tiers.ts";
import type { GrowingRendition } from "../fetch/rendition-download.ts";
import type { Work } from "../pipeline.ts";
import type { EncodePlan } from "../plan/encode-plan.ts";
import type { FileTags } from "./encode.ts";

export interface FileWork extends Work {
  readonly limits: TierLimits;
  readonly tags: FileTags;
  readonly outputPath: string;
  /** 0 to 1. */
  readonly onFraction: (fraction: number) => void;
}

/** A source that is still being fetched. */
export interface StreamedSource {
  readonly growing: readonly GrowingRendition[];
  /** Length of the video by its site. */
  readonly siteSeconds: number | undefined;
  /** Called when it is known what has to be done with how many bytes, even if that starts only after the download. */
  readonly onPlanned: (plan: EncodePlan, sizeBytes: number) => void;
  /** Called when the encode starts while the source is still fetched. */
  readonly onStart: () => void;
  /** @param fraction of the result that is encoded, 0 to 1 */
  readonly onFraction: (fraction: number) => void;
}
