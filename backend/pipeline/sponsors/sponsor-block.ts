/** Asks the operator's SponsorBlock server for the sponsored segments of a YouTube video. */
import { createHash } from "node:crypto";
import type { ConversionChoices } from "../../../common/choices.ts";
import { ConversionError } from "../../../common/errors.ts";
import { isYouTubeHost, type HostEntry } from "../../../common/hosts.ts";
import { fetchRemoteFile } from "../fetch/remote-file.ts";
import type { EgressGuard } from "../guard/egress-guard.ts";
import { normalizeHost } from "../guard/public-address.ts";
import { SharedWork } from "../process/shared-work.ts";
import { segmentsFrom, type StatedSegment } from "./segments.ts";

/** An answer about one category has some kilobytes. */
const MAX_BYTES = 2_000_000;
/** Longest wait for an answer. The site's own metadata take about as long, and are read at the same time. */
const TIMEOUT_MS = 4_000;
/** As many digits as SponsorBlock recommends: about a hundred marked videos share them. */
const PREFIX_DIGITS = 4;
/** A preview is asked for again with each choice, and a conversion follows it. */
const KEPT = { keepMs: 10 * 60_000, maxKept: 500, maxKeptBytes: 4_000_000 };
const BYTES_PER_SEGMENT = 100;

const YOUTUBE_ID = /^[\w-]{11}$/;

/** @returns the id that a canonical link to a YouTube video has; undefined for any other link */
function videoIdOf(link: string): string | undefined {
  const url = URL.parse(link);
  if (!url || !isYouTubeHost(url.hostname)) return undefined;
  const id = url.searchParams.get("v") ?? "";
  return YOUTUBE_ID.test(id) ? id : undefined;
}

/** The host of the operator's address, which may be a private one. */
function hostOf({ hostname, port, protocol }: URL): Required<HostEntry> {
  return { host: normalizeHost(hostname), port: Number(port || (protocol === "https:" ? 443 : 80)) };
}

/** For the log: the sentence of such an error is about a video site. */
function whatHappened(error: unknown): string {
  return error instanceof ConversionError ? (error.detail ?? error.code) : String(error);
}

/** "unknown": there was no answer. */
export type FoundSegments = readonly StatedSegment[] | "unknown";

export interface SponsorBlockOptions {
  /** Of the server, as the operator named it. */
  readonly address: string;
  readonly guard: EgressGuard;
  readonly log?: (line: string) => void;
  readonly timeoutMs?: number;
}

export class SponsorBlock {
  readonly #address: string;
  readonly #guard: EgressGuard;
  readonly #log: (line: string) => void;
  readonly #timeoutMs: number;
  readonly #kept = new SharedWork<readonly StatedSegment[]>(KEPT, ({ length }) => (1 + length) * BYTES_PER_SEGMENT);
  #isAnswering = true;

  constructor({ address, guard, log = () => undefined, timeoutMs = TIMEOUT_MS }: SponsorBlockOptions) {
    this.#timeoutMs = timeoutMs;
    this.#address = address.replace(/\/+$/, "");
    this.#guard = guard;
    this.#log = log;
  }

  /**
   * @param link canonical
   * @param patienceMs longest wait
   * @returns the segments of the video; none for a link that does not lead to a YouTube video
   * @throws `signal.reason` when aborted
   */
  async find(link: string, signal: AbortSignal, patienceMs: number = this.#timeoutMs): Promise<FoundSegments> {
    const videoId = videoIdOf(link);
    if (videoId === undefined) return [];
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    try {
      const segments = await this.#kept.share(videoId, (shared) => this.#ask(videoId, shared), bounded);
      this.#isAnswering = true;
      return segments;
    } catch (error) {
      signal.throwIfAborted();
      // Once for each time that it stops answering: thousands of conversions may go on without it.
      if (this.#isAnswering)
        this.#log(`SponsorBlock at ${this.#address} does not answer as it should: ${whatHappened(error)}`);
      this.#isAnswering = false;
      return "unknown";
    }
  }

  /** Aborts all requests. */
  stop(): void {
    this.#kept.stop();
  }

  /** @throws ConversionError, or what parsing throws, when the server does not answer as it should */
  async #ask(videoId: string, signal: AbortSignal): Promise<readonly StatedSegment[]> {
    const prefix = createHash("sha256").update(videoId).digest("hex").slice(0, PREFIX_DIGITS);
    const url = new URL(`${this.#address}/api/skipSegments/${prefix}`);
    url.searchParams.set("categories", '["sponsor"]');
    using session = this.#guard.open(2 * MAX_BYTES, { operatorsHost: hostOf(url) });
    const request = { url: url.href, maxBytes: MAX_BYTES, timeoutMs: this.#timeoutMs };
    try {
      const { body } = await fetchRemoteFile(session, request, signal);
      return segmentsFrom(JSON.parse(body.toString("utf8")), videoId);
    } catch (error) {
      // The server answers 404 when it knows no segment of any video with these digits.
      if (error instanceof ConversionError && error.code === "unavailable") return [];
      throw error;
    }
  }
}

/**
 * Asks only where the visitor wants something done with the segments.
 * @returns "unknown" also where the operator has not switched this on
 * @throws `signal.reason` when aborted
 */
export async function findWanted(
  sponsorBlock: SponsorBlock | undefined,
  { url, choices }: { readonly url: string; readonly choices?: ConversionChoices },
  signal: AbortSignal,
): Promise<FoundSegments> {
  if (choices?.sponsored === undefined || videoIdOf(url) === undefined) return [];
  return sponsorBlock ? sponsorBlock.find(url, signal) : "unknown";
}
