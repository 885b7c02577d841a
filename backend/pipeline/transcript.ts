/** Makes a transcript: the subtitles of a video as a file of their own. Neither sound nor picture is fetched. */
import { join } from "node:path";
import { languageOfSubtitles } from "../../common/choices.ts";
import { ConversionError, exactly } from "../../common/errors.ts";
import { createFile } from "../tool-files/tool-files.ts";
import type { ConvertedFile, ConversionWork } from "./conversion.ts";
import { PictureTask } from "./encode/picture-task.ts";
import { fileTooLarge } from "./errors/wording.ts";
import { withMediaRefusals } from "./media-refusal.ts";
import { checkDuration } from "./plan/plan-bounds.ts";
import { planTranscript, type TranscriptPlan } from "./plan/transcript-plan.ts";
import { ProgressReporter } from "./progress/progress-reporter.ts";
import { aboutVideo, readVideo } from "./read-video.ts";
import type { Cue } from "./subtitles/cue.ts";
import { cuesOfPart, toPlainText, toSrt, toVtt } from "./subtitles/cues.ts";
import { fetchSubtitles } from "./subtitles/fetch-subtitles.ts";

/** One small file is fetched. */
const PLANNED_SECONDS = { download: 0.3, convert: 0, store: 0.03 } as const;

const WRITERS = { srt: toSrt, vtt: toVtt, txt: toPlainText } as const;

/**
 * @returns the cues of the result, on its own time line
 * @throws ConversionError "no_subtitles" for a part in which nothing is shown
 */
function cuesFor(cues: readonly Cue[], { part }: TranscriptPlan): readonly Cue[] {
  if (!part) return cues;
  const shown = cuesOfPart(cues, part);
  if (shown.length > 0) return shown;
  throw new ConversionError("no_subtitles", exactly("no_text_in_part"));
}

/**
 * @returns the file in the request's folder
 * @throws ConversionError "no_subtitles", "too_long", "too_large", "part_outside", and what reading the video and
 *   fetching throw; MediaRefused; `signal.reason` when aborted
 */
export async function makeTranscript(work: ConversionWork): Promise<ConvertedFile> {
  const { request, listener } = work;
  const { limits, folder } = request;
  const info = await readVideo(work);
  const plan = await withMediaRefusals(work, info, () => planTranscript(info, limits, request.choices));
  const { kind, source } = plan;
  if (plan.part) listener.found(aboutVideo(info, plan.durationSeconds));
  listener.found({ subtitleLanguage: languageOfSubtitles(source.language) });
  // The caller removes the folder next, so the picture must not be written after this function returns.
  await using picture = new PictureTask(work, info);
  const reporter = new ProgressReporter({
    planned: PLANNED_SECONDS,
    work: "copy",
    listen: (progress) => listener.progress(progress),
  });
  using stack = new DisposableStack();
  stack.use(reporter.tickRegularly());
  reporter.report("download", 0);
  const whole = await withMediaRefusals(work, info, () => fetchSubtitles(work, source, info.exit));
  const cues = cuesFor(whole.cues, plan);
  reporter.report("store", 0);
  const durationSeconds = plan.durationSeconds ?? Math.max(...cues.map(({ endSeconds }) => endSeconds));
  // The site may not have stated it.
  checkDuration(durationSeconds, limits);
  const text = WRITERS[kind](cues);
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > limits.maxFileBytes) throw new ConversionError("too_large", fileTooLarge(sizeBytes, limits));
  const path = join(folder, `result.${kind}`);
  await using file = await createFile(path);
  await file.writeFile(text);
  await file.sync();
  return {
    path,
    sizeBytes,
    durationSeconds,
    coverPath: await picture.coverPath,
  };
}
