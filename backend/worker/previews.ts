import type { Estimate, Preview } from "../../common/api.ts";
import type { ConversionChoices, Part } from "../../common/choices.ts";
import { ConversionError, UserError } from "../../common/errors.ts";
import { MAX_LANGUAGES, type PreviewDetails } from "../../common/preview-details.ts";
import type { Format, Tier } from "../../common/tiers.ts";
import type { Previews } from "../domain/jobs/previews.ts";
import { secondsOfCuts } from "../pipeline/part/cuts.ts";
import { partSeconds } from "../pipeline/part/part.ts";
import { chaptersOfPart } from "../pipeline/probe/chapters.ts";
import type { Pipeline, Work } from "../pipeline/pipeline.ts";
import { estimate } from "../pipeline/plan/estimate.ts";
import { extract } from "../pipeline/probe/extraction.ts";
import { Extractions } from "../pipeline/probe/extractions.ts";
import { inSoundLanguage, soundLanguagesOf } from "../pipeline/plan/sound-language.ts";
import type { VideoInfo } from "../pipeline/probe/info.ts";
import { afterRefusedMedia } from "../pipeline/probe/youtube.ts";
import { sponsoredSpans } from "../pipeline/sponsors/segments.ts";
import type { SharedWorkOptions } from "../pipeline/process/shared-work.ts";
import { LinkPictures } from "./link-pictures.ts";
import type { LinkSlots } from "./link-slots.ts";

export interface PreviewSettings {
  /** A preview has no picture if making it takes longer than this. */
  readonly pictureMs: number;
  /** Longest wait for sponsored segments. */
  readonly sponsorsMs: number;
  /** How long results are reused. */
  readonly kept: SharedWorkOptions;
}

function detailsFor(info: VideoInfo, sponsored: readonly Part[]): PreviewDetails {
  const { chapters = [], subtitles = [], durationSeconds = Infinity } = info;
  const whole = { startSeconds: 0, endSeconds: durationSeconds };
  return {
    clip: info.clip && { part: info.clip, videoSeconds: info.durationSeconds ?? info.clip.endSeconds },
    soundLanguages: soundLanguagesOf(info).slice(0, MAX_LANGUAGES),
    chapters: chaptersOfPart(chapters, whole).map(({ title, startSeconds }) => ({ title, startSeconds })),
    subtitles: subtitles.map(({ language, isAutomatic, trackName }) => ({ language, isAutomatic, trackName })),
    withholdsSubtitles: info.withholdsSubtitles ? true : undefined,
    sponsored: sponsored.length === 0 ? undefined : { count: sponsored.length, seconds: secondsOfCuts(sponsored) },
  };
}

/**
 * Reads a link's metadata and picture before a visitor converts it. Equal requests share one run, which is aborted
 * when all of them are aborted. The extracted metadata is kept in the pipeline, so that a conversion can reuse it.
 */
export class PreviewMaker implements Previews {
  readonly #pipeline: Pipeline;
  readonly #settings: PreviewSettings;
  readonly #slots: LinkSlots;
  readonly #extractions: Extractions;
  readonly #pictures: LinkPictures;

  constructor(pipeline: Pipeline, slots: LinkSlots, settings: PreviewSettings) {
    this.#pipeline = pipeline;
    this.#slots = slots;
    this.#settings = settings;
    this.#extractions = pipeline.extractions ?? new Extractions(settings.kept);
    this.#pictures = new LinkPictures(pipeline, slots, settings.pictureMs, settings.kept);
  }

  async create(link: string, tier: Tier, choices: ConversionChoices, signal: AbortSignal): Promise<Preview> {
    this.#slots.requireFreeSlot(link);
    const [info, segments = "unknown"] = await Promise.all([
      this.#readWithSubtitles(link, choices, signal),
      this.#pipeline.sponsorBlock?.find(link, signal, this.#settings.sponsorsMs),
    ]);
    const sponsored = segments === "unknown" ? [] : sponsoredSpans(segments, info.durationSeconds);
    const thumbnail = await this.#pictures.of(link, info, signal);
    const { maxSourceFactor } = this.#pipeline.limits;
    const { title, artist, album, date, description } = info.tags;
    const wanted = inSoundLanguage(info, choices.soundLanguage);
    const estimateOf = (format: Format): Estimate =>
      estimate(wanted, format, tier, maxSourceFactor, choices, sponsored);
    return {
      title: info.title,
      tags: { title, artist, album, date, description },
      thumbnail,
      durationSeconds: info.clip ? partSeconds(info.clip) : (info.durationSeconds ?? null),
      estimates: {
        mp3: estimateOf("mp3"),
        mp4: estimateOf("mp4"),
      },
      moreEstimates: {
        original: estimateOf("original"),
        flac: estimateOf("flac"),
        wav: estimateOf("wav"),
        transcript: estimateOf("transcript"),
      },
      details: detailsFor(info, sponsored),
    };
  }

  #read(work: Work, link: string): Promise<VideoInfo> {
    const read = (shared: AbortSignal): Promise<VideoInfo> =>
      this.#slots.run(link, shared, (folder) => extract({ ...work, signal: shared }, link, folder));
    return this.#extractions.share(work.pipeline, link, read, work.signal);
  }

  /**
   * Asks other clients for subtitles that YouTube withheld, as a conversion with subtitles does. Only for visitors who
   * choose some, because it takes a further extraction.
   */
  async #readWithSubtitles(link: string, choices: ConversionChoices, signal: AbortSignal): Promise<VideoInfo> {
    const info = await this.#read({ pipeline: this.#pipeline, signal }, link);
    const { youtube } = this.#pipeline;
    if (!youtube || !choices.subtitles || !info.withholdsSubtitles) return info;
    try {
      const others = { ...this.#pipeline, youtube: afterRefusedMedia(youtube, info.exit) };
      const { subtitles, withholdsSubtitles } = await this.#read({ pipeline: others, signal }, link);
      return subtitles ? { ...info, subtitles, withholdsSubtitles } : info;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ConversionError || error instanceof UserError)) throw error;
      return info;
    }
  }

  /** Drops all kept pictures. */
  forgetPictures(): void {
    this.#pictures.forgetAll();
  }

  /** Aborts everything that runs. */
  stop(): void {
    this.#extractions.stop();
    this.#pictures.stop();
  }
}
