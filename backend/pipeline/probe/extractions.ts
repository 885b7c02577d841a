/**
 * Extractions that several callers share: one runs for all that ask for a link at the same time, and its result is kept
 * for some minutes, so that a preview and the conversions after it extract once. Processes that share a Redis do so too.
 */
import { setNewest } from "../../../common/set-newest.ts";
import { SharedWork, type SharedWorkOptions } from "../process/shared-work.ts";
import type { Pipeline } from "../pipeline.ts";
import { keepMsOf, mediaExpiryMs, packInfo, publicAddressOf, unpackInfo } from "./kept-info.ts";
import { infoBytes, type VideoInfo } from "./info.ts";
import { originOf } from "./video-origin.ts";

/** The right to do some work that no other process does meanwhile. Disposing of it gives it back. */
export interface WorkTurn extends AsyncDisposable {
  /** Gives the result to other processes. Never rejects. */
  keep(result: Buffer, keepMs: number): Promise<void>;
}

/** Results that processes give each other. The runtime connects the form in Redis. */
export interface SharedResults {
  /**
   * Waits while another process does the work. Its turn ends too when that process dies.
   * @returns the result of another process, or the turn to make it
   * @throws `signal.reason` when aborted
   */
  acquire(key: string, signal: AbortSignal): Promise<{ readonly result: Buffer } | { readonly turn: WorkTurn }>;
  /** Removes the result. Never rejects. */
  forget(key: string): Promise<void>;
  /** Removes all results. Never rejects. */
  forgetAll(): Promise<void>;
}

export interface ExtractionsOptions extends SharedWorkOptions {
  /** Absent: results are shared within this process only. */
  readonly others?: SharedResults | undefined;
  readonly log?: (line: string) => void;
}

/** The part of the pipeline that an extraction depends on. */
type Extractor = Pick<Pipeline, "youtube" | "extractors" | "blocks">;

/** Addresses of exits that are remembered. Exits change theirs now and then; forgetting one costs an extraction. */
const MAX_REFUSED_ADDRESSES = 1_000;

export class Extractions {
  readonly #own: SharedWork<VideoInfo>;
  readonly #others: SharedResults | undefined;
  readonly #keepMs: number;
  readonly #log: (line: string) => void;
  readonly #fromOthers = new WeakSet<VideoInfo>();
  /** The public address that each exit had in this process's last extraction through it. */
  readonly #addresses = new Map<string | undefined, string>();
  /** "EXIT ADDRESS" of extractions by other processes, after which the site refused the media to this process. */
  readonly #refusedAddresses = new Map<string, true>();

  constructor({ others, log = () => undefined, ...options }: ExtractionsOptions) {
    this.#own = new SharedWork(options, infoBytes, (info) => this.#keepMsOf(info));
    this.#others = others;
    this.#keepMs = options.keepMs;
    this.#log = log;
  }

  /**
   * Returns kept metadata, joins an extraction that runs, or starts one.
   * @param extract its signal is aborted when the last caller of this process has left
   * @throws what `extract` throws, ConversionError "blocked", `signal.reason` when aborted
   */
  async share(
    extractor: Extractor,
    link: string,
    extract: (signal: AbortSignal) => Promise<VideoInfo>,
    signal: AbortSignal,
  ): Promise<VideoInfo> {
    const key = keyOf(extractor, link);
    const info = await this.#own.share(key, (shared) => this.#shareWithOthers(extractor, key, extract, shared), signal);
    // Kept metadata may be older than an entry of the block list.
    extractor.blocks?.requireVideo(link, originOf(info));
    return info;
  }

  /** Drops the kept metadata of a link, because its media addresses may have expired. */
  async forget(extractor: Extractor, link: string): Promise<void> {
    const key = keyOf(extractor, link);
    this.#own.forget(key);
    await this.#others?.forget(key);
  }

  /**
   * Drops the kept metadata of a link, because its media was refused. Newer metadata stays.
   * @param refused what listed the media
   * @returns whether another process had extracted it: then an own extraction may be given the media
   */
  async forgetRefused(extractor: Extractor, link: string, refused: VideoInfo): Promise<boolean> {
    const info = this.#own.peek(keyOf(extractor, link));
    if ((info?.readAtMs ?? 0) > (refused.readAtMs ?? 0)) return false;
    await this.forget(extractor, link);
    if (!info || !this.#fromOthers.has(info)) return false;
    const address = publicAddressOf(info);
    const name = `${info.exit?.name} ${address}`;
    if (address !== undefined) setNewest(this.#refusedAddresses, name, true, MAX_REFUSED_ADDRESSES);
    return true;
  }

  /** Drops all kept metadata, here and in Redis. Called when a video was blocked: there are few results at a time. */
  async forgetAll(): Promise<void> {
    this.#own.forgetAll();
    await this.#others?.forgetAll();
  }

  /** Aborts all extractions and drops all results. */
  stop(): void {
    this.#own.stop();
  }

  async #shareWithOthers(
    extractor: Extractor,
    key: string,
    extract: (signal: AbortSignal) => Promise<VideoInfo>,
    signal: AbortSignal,
  ): Promise<VideoInfo> {
    const found = await this.#others?.acquire(key, signal);
    if (!found) return extract(signal);
    if ("result" in found) return (await this.#unpack(extractor, found.result)) ?? extract(signal);
    await using turn = found.turn;
    const info = await extract(signal);
    this.#rememberAddress(info);
    const keepMs = this.#keepMsOf(info);
    const packed = keepMs > 0 ? await packInfo(info) : undefined;
    if (packed) await turn.keep(packed, keepMs);
    return info;
  }

  /** Metadata of another process has been kept there for a while, and can be had from there again. */
  #keepMsOf(info: VideoInfo): number {
    if (this.#fromOthers.has(info)) return Math.min(this.#keepMs, mediaExpiryMs(info) - Date.now());
    return keepMsOf(info, this.#keepMs);
  }

  /** @returns undefined when this process cannot use the metadata */
  async #unpack({ youtube }: Extractor, packed: Buffer): Promise<VideoInfo | undefined> {
    try {
      const info = await unpackInfo(packed, (name) => youtube?.exits.find(name));
      if (!info || !this.#mayUse(info)) return undefined;
      this.#fromOthers.add(info);
      return info;
    } catch (error) {
      this.#log(`the metadata that another process kept cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  #rememberAddress(info: VideoInfo): void {
    const address = publicAddressOf(info);
    if (address !== undefined) this.#addresses.set(info.exit?.name, address);
  }

  /** An exit such as `direct` has other public addresses on other machines, and media is given to one address only. */
  #mayUse(info: VideoInfo): boolean {
    const own = this.#addresses.get(info.exit?.name);
    const theirs = publicAddressOf(info);
    if (theirs === undefined) return true;
    return own === undefined ? !this.#refusedAddresses.has(`${info.exit?.name} ${theirs}`) : own === theirs;
  }
}

/**
 * Visitors share results: the extractor sends nothing of theirs to the site, and the operator's cookies are the same for
 * all of them. Other clients or another version of yt-dlp may be given other renditions.
 */
function keyOf({ youtube, extractors }: Extractor, link: string): string {
  return JSON.stringify([link, youtube?.clientOrder ?? [], extractors?.version ?? ""]);
}
