/** What a request wants made of a link: a format, with choices. */
import { chosen, type ConversionChoices } from "../../../common/choices.ts";
import { UserError } from "../../../common/errors.ts";
import { CHAPTER_FILES_FOR_PRO, formatForProSentence } from "../../../common/reason-sentences.ts";
import {
  isSameInAllTiers,
  qualityFor,
  tierAllows,
  tierConvertsTo,
  TIERS,
  type Format,
  type Quality,
} from "../../../common/tiers.ts";
import type { StoredJob } from "./job-model.ts";
import { type Viewer } from "../accounts/viewer.ts";

/** What is made of a link. */
export type Output = Pick<StoredJob, "format" | "choices">;

/** What a request says of what it wants. */
interface OutputInput {
  readonly format: Format;
  readonly choices?: ConversionChoices | undefined;
}

/** @returns what a request asks for; empty choices are left out */
export function outputOf(input: OutputInput): Output {
  const choices = chosen(input.choices ?? {});
  return choices ? { format: input.format, choices } : { format: input.format };
}

/** @returns the parts of a key that name the output. Without choices it is the format alone, as in stored keys of older versions */
export function keyPartsOf({ format, choices }: Output): readonly unknown[] {
  return choices ? [format, choices] : [format];
}

/** @throws UserError pro_required when only Pro has the format or a choice */
export function requireTier({ tier }: Viewer, { format, choices }: OutputInput): void {
  if (choices?.chapterFiles === true && !TIERS[tier].hasChapterFiles)
    throw new UserError("pro_required", CHAPTER_FILES_FOR_PRO, { name: "chapter_files_for_pro" });
  if (tierConvertsTo(tier, format)) return;
  throw new UserError("pro_required", formatForProSentence(format.toUpperCase()), { name: "format_for_pro", format });
}

const NOTHING_CUT_OUT =
  "The original sound is copied as it is, so nothing can be cut out of it. Choose another format, or marks.";

/** @throws UserError pro_required, with what Pro allows; bad_request for what no plan has */
export function requireQuality(
  viewer: Viewer,
  { format, quality, choices }: OutputInput & { quality?: Quality | undefined },
): void {
  requireTier(viewer, { format, choices });
  if (format === "transcript" && choices?.chapterFiles === true)
    throw new UserError("bad_request", "A transcript is one file. Choose a part to have that of a chapter.");
  if (format === "transcript" && choices?.sponsored !== undefined)
    throw new UserError("bad_request", "A transcript has no marks for sponsored segments. Choose another format.");
  if (format === "original" && choices?.sponsored === "cut") throw new UserError("bad_request", NOTHING_CUT_OUT);
  if (quality === undefined || tierAllows(viewer.tier, format, quality)) return;
  const name = format.toUpperCase();
  const best = qualityFor("pro", format);
  if (!tierAllows("pro", format, quality))
    throw new UserError(
      "bad_request",
      isSameInAllTiers(format) ? `The quality of ${format} is always "${best}".` : `${name} comes in up to ${best}.`,
    );
  throw new UserError(
    "pro_required",
    `Pro converts ${name} up to ${best}; your plan up to ${qualityFor(viewer.tier, format)}.`,
  );
}
