/**
 * Joins the links of a chained Ogg file. ffmpeg takes the length of the last link for that of the file, and finds no
 * moment before it; a link may also differ from the others in its sample rate and channels.
 */
import { once } from "node:events";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { ConversionError } from "../../../common/errors.ts";
import { removeFile } from "../../tool-files/tool-files.ts";
import { NOT_READABLE, TOO_MANY_PIECES } from "../errors/wording.ts";
import type { Work } from "../pipeline.ts";
import { INPUT_GUARD, inspectMedia, type AudioStream, type MediaFile } from "../probe/media-file.ts";
import { readFfmpeg, runFfmpeg } from "../process/ffmpeg.ts";
import { checkFreeSpace } from "../process/free-space.ts";
import { readChainLinks } from "./chain-links.ts";
import { copyLink } from "./copy-link.ts";

/** A tool is started for each. A recording of two hours with a link for each song has about forty. */
const MAX_LINKS = 500;
/** Surround sound is mixed down. */
const MAX_CHANNELS = 2;
const BYTES_PER_SAMPLE = 2;
/** Decoded sound at 48 kHz has this many times the bytes of sound at 32 kbit/s. */
const MOST_GROWTH = 48;

/**
 * @param media of a complete Ogg file
 * @param maxSeconds what is behind it is left out
 * @returns the joined sound as FLAC, beside the source; the source itself when it is not chained
 * @throws ConversionError "unavailable" for a chain with a picture, "too_large" for more links than {@link MAX_LINKS},
 *   "storage" when the disk has no space for the sound
 */
export async function joinChain(work: Work, media: MediaFile, maxSeconds: number): Promise<MediaFile> {
  const links = await readChainLinks(media.path, MAX_LINKS);
  if (links.length <= 1) return media;
  if (!media.audio || media.video)
    throw new ConversionError("unavailable", { ...NOT_READABLE, detail: `a chain of ${links.length} links` });
  if (links.length > MAX_LINKS)
    throw new ConversionError("too_large", { ...TOO_MANY_PIECES, detail: `a chain of ${links.length} links` });
  const path = `${media.path}.flac`;
  const format = pcmArgs(media.audio);
  const args = [...format, "-i", "pipe:0", "-c:a", "flac", "-f", "flac", "-y", path];
  const maxBytes = Math.ceil(maxSeconds * media.audio.sampleRateHz) * MAX_CHANNELS * BYTES_PER_SAMPLE;
  const linkPath = `${media.path}.link`;
  const joinedBytes = Math.min(maxBytes, media.sizeBytes * MOST_GROWTH);
  await checkFreeSpace(dirname(path), work.pipeline.limits.minFreeDiskBytes + media.sizeBytes + joinedBytes);
  const decodeArgs = [...INPUT_GUARD, "-i", `file:${linkPath}`, "-map", "0:a:0", ...format, "pipe:1"];
  const decodeLinks = async (input: Writable): Promise<void> => {
    const output = new PcmOutput(input, maxBytes);
    for (const link of links) {
      if (output.isFull) break;
      await copyLink(media.path, link, linkPath);
      await readFfmpeg(work, decodeArgs, linkPath, (chunk) => output.write(chunk), []);
    }
    input.end();
  };
  await runFfmpeg(work, args, path, undefined, [decodeLinks]);
  await removeFile(linkPath);
  return inspectMedia(work, path);
}

/** Two channels, because a link with one may be followed by others. */
function pcmArgs({ sampleRateHz }: AudioStream): readonly string[] {
  return ["-f", "s16le", "-ar", String(sampleRateHz), "-ac", String(MAX_CHANNELS)];
}

/** The input of the encoder, up to a number of bytes. */
class PcmOutput {
  readonly #input: Writable;
  #bytesLeft: number;

  constructor(input: Writable, maxBytes: number) {
    this.#input = input;
    this.#bytesLeft = maxBytes;
  }

  get isFull(): boolean {
    return this.#bytesLeft <= 0 || this.#input.destroyed;
  }

  async write(chunk: Buffer): Promise<void> {
    const taken = chunk.subarray(0, Math.max(0, this.#bytesLeft));
    this.#bytesLeft -= taken.length;
    if (taken.length === 0 || this.#input.destroyed || this.#input.write(taken)) return;
    // An encoder that has ended reports its failure itself.
    await Promise.race([once(this.#input, "drain"), once(this.#input, "close")]);
  }
}
