/** Draws the picture of a tape: a card as in a cassette's case, with the names and times of its songs. */
import { join } from "node:path";
import { ConversionError } from "../../../common/errors.ts";
import { RefusedFile, writeFile } from "../../tool-files/tool-files.ts";
import { pictureIn, type Picture } from "../encode/picture.ts";
import type { Work } from "../pipeline.ts";
import { INPUT_GUARD } from "../probe/media-file.ts";
import { runFfmpeg } from "../process/ffmpeg.ts";
import { cardScript, CARD_PIXELS, MARGIN_PIXELS, PAPER, PICTURE_PIXELS, type JCard } from "./j-card-text.ts";

export interface CardWork extends Work {
  readonly folder: string;
  /** Told why there is no card. */
  readonly log: (line: string) => void;
}

/** In libass's words. No character has the number 0: then there is no font at all. */
const LACKED = /failed to find any fallback with glyph 0x([0-9A-F]+)/g;
/** Without them a text says something else. Signs and pictograms are left out. */
const NEEDED = /[\p{L}\p{N}\0]/u;

/**
 * Draws the card and makes both pictures of it.
 * @param coverPath a picture for its corner
 * @returns undefined when this machine cannot draw it: it has no fonts for a script, or an ffmpeg without libass
 * @throws RefusedFile; `signal.reason` when aborted
 */
export async function drawCard(
  work: CardWork,
  card: Omit<JCard, "hasPicture">,
  coverPath: string | undefined,
): Promise<Picture | undefined> {
  const whole = { ...card, hasPicture: coverPath !== undefined };
  try {
    const lacked = await draw(work, cardScript(whole), coverPath);
    const needed = [...lacked].filter((character) => NEEDED.test(character));
    if (needed.length > 0) {
      work.log(needed.includes("\0") ? "there are no fonts" : `no font has ${needed.map(codeOf).join(", ")}`);
      return undefined;
    }
    if (lacked.size > 0) await draw(work, cardScript(whole, lacked), coverPath);
    return await pictureIn(work, join(work.folder, CARD), work.folder);
  } catch (error) {
    work.signal.throwIfAborted();
    if (!(error instanceof ConversionError) || error instanceof RefusedFile) throw error;
    work.log((error.detail ?? error.message).trim());
    return undefined;
  }
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** By an ending, ffmpeg would read it as a sequence of pictures. */
const CARD = "card";
/** The filter gets this name alone: no title is ever among the arguments. */
const SCRIPT = "card.ass";

/** @returns the characters that no font has */
async function draw(work: CardWork, script: string, coverPath: string | undefined): Promise<ReadonlySet<string>> {
  await writeFile(join(work.folder, SCRIPT), Buffer.from(script));
  const outputPath = join(work.folder, CARD);
  const paper = `color=c=${PAPER}:s=${CARD_PIXELS}x${CARD_PIXELS}:d=1`;
  const square = `scale=${PICTURE_PIXELS}:${PICTURE_PIXELS}:force_original_aspect_ratio=increase,crop=${PICTURE_PIXELS}:${PICTURE_PIXELS},setsar=1`;
  const cover = coverPath === undefined ? [] : [...INPUT_GUARD, "-f", "jpeg_pipe", "-i", `file:${coverPath}`];
  const corner =
    coverPath === undefined ? "[0:v]null" : `[1:v]${square}[p];[0:v][p]overlay=${MARGIN_PIXELS}:${MARGIN_PIXELS}`;
  const filters = `${corner}[b];[b]ass=${SCRIPT}:shaping=complex[out]`;
  const output = ["-map", "[out]", "-frames:v", "1", "-c:v", "png", "-f", "image2pipe", "-y", outputPath];
  const args = ["-loglevel", "warning", "-f", "lavfi", "-i", paper, ...cover, "-filter_complex", filters, ...output];
  const complaints = await runFfmpeg(work, args, outputPath);
  return new Set(
    Array.from(complaints.matchAll(LACKED), ([, code = "0"]) => String.fromCodePoint(Number.parseInt(code, 16))),
  );
}
