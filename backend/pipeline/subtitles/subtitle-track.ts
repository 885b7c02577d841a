/** Gives subtitles to ffmpeg, for a track of an MP4 that viewers can switch on. */
import { writeFile } from "../../tool-files/tool-files.ts";
import type { Work } from "../pipeline.ts";
import type { Kept } from "../probe/time-in-result.ts";
import { runFfmpeg } from "../process/ffmpeg.ts";
import { cuesOfPart, toVtt } from "./cues.ts";
import type { Subtitles } from "./fetch-subtitles.ts";

/** Those of the sources do not allow texts. */
const LOCAL_ONLY = ["-protocol_whitelist", "file,pipe"] as const;

/** ISO 639-1 to 639-2/T, which an MP4 needs: each entry has the two letters of the one and the three of the other. */
const CODES =
  "aaaar ababk aeave afafr akaka amamh anarg arara asasm avava ayaym azaze babak bebel bgbul bhbih " +
  "bibis bmbam bnben bobod brbre bsbos cacat ceche chcha cocos crcre csces cuchu cvchv cycym dadan " +
  "dedeu dvdiv dzdzo eeewe elell eneng eoepo esspa etest eueus fafas ffful fifin fjfij fofao frfra " +
  "fyfry gagle gdgla glglg gngrn guguj gvglv hahau heheb hihin hohmo hrhrv hthat huhun hyhye hzher " +
  "iaina idind ieile igibo iiiii inind ikipk ioido isisl itita iuiku iwheb jajpn jiyid jvjav kakat kgkon kikik kjkua " +
  "kkkaz klkal kmkhm knkan kokor krkau kskas kukur kvkom kwcor kykir lalat lbltz lglug lilim lnlin " +
  "lolao ltlit lulub lvlav mgmlg mhmah mimri mkmkd mlmal mnmon mrmar msmsa mtmlt mymya nanau nbnob " +
  "ndnde nenep ngndo nlnld nnnno nonor nrnbl nvnav nynya ococi ojoji omorm orori ososs papan peper " +
  "pipli plpol pspus ptpor quque rmroh rnrun roron rurus rwkin sasan scsrd sdsnd sesme sgsag sisin " +
  "skslk slslv smsmo snsna sosom sqsqi srsrp ssssw stsot susun svswe swswa tatam tetel tgtgk ththa " +
  "titir tktuk tltgl tntsn toton trtur tstso tttat twtwi tytah uguig ukukr ururd uzuzb veven vivie " +
  "vovol wawln wowol xhxho yiyid yoyor zazha zhzho zuzul";
const THREE_LETTERS = new Map(CODES.split(" ").map((code) => [code.slice(0, 2), code.slice(2)]));

/** @returns ISO 639-2 of a language such as "pt-BR" or "en-ehkg1hFWq8A"; "und" for one that has no code */
export function threeLetters(language: string): string {
  const [primary = ""] = language.toLowerCase().split(/[-.]/);
  return primary.length === 3 ? primary : (THREE_LETTERS.get(primary) ?? "und");
}

export interface SubtitleTrack {
  readonly path: string;
  /** ISO 639-2. */
  readonly language: string;
  readonly cueCount: number;
  /** Of the texts. */
  readonly sizeBytes: number;
}

/**
 * Writes what the result shows beside it, on its own time line, as an MP4 whose track is copied: where a result is cut at
 * its beginning, ffmpeg 7.1 leaves the times of texts that it encodes as they were.
 * @returns undefined when it shows no subtitles
 * @throws what {@link runFfmpeg} throws
 */
export async function writeSubtitleTrack(
  work: Work,
  outputPath: string,
  subtitles: Subtitles | undefined,
  { part, cuts, durationSeconds }: Partial<Kept> & { readonly durationSeconds: number },
): Promise<SubtitleTrack | undefined> {
  if (!subtitles) return undefined;
  const cues = cuesOfPart(subtitles.cues, part ?? { startSeconds: 0, endSeconds: durationSeconds }, cuts);
  if (cues.length === 0) return undefined;
  const textPath = `${outputPath}.vtt`;
  const path = `${outputPath}.subtitles`;
  // ffmpeg 5.1 would put a backslash before each of the braces.
  const text = toVtt(cues).replaceAll("{", "(").replaceAll("}", ")");
  await writeFile(textPath, text);
  const encode = ["-y", "-c:s", "mov_text", "-f", "mp4", path];
  await runFfmpeg(work, [...LOCAL_ONLY, "-f", "webvtt", "-i", `file:${textPath}`, ...encode], path);
  const language = threeLetters(subtitles.language);
  return { path, language, cueCount: cues.length, sizeBytes: Buffer.byteLength(text) };
}

/** Options before the input. */
export const SUBTITLE_INPUT = [...LOCAL_ONLY, "-f", "mp4"] as const;

/** @returns options before the output @param input number of the input */
export function subtitleArgs({ language }: SubtitleTrack, input: number): readonly string[] {
  return ["-map", `${input}:0`, "-c:s", "copy", "-metadata:s:s:0", `language=${language}`];
}

/** In the index: an entry in each table for a text, and as much for the pause after it. */
const CUE_INDEX_BYTES = 64;

/** @returns bytes that the track takes in the index */
export function subtitleIndexBytes(track: SubtitleTrack | undefined): number {
  return track ? 2_048 + track.cueCount * CUE_INDEX_BYTES : 0;
}
