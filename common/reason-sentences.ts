/** English sentences of reasons with figures: for the server, and for the pages' catalogue in English. */
import { describeSize, sentenceOfLimit, type LimitReason } from "./reasons.ts";

/** Ends a sentence about a limit where the one of Pro is enough. @param limit such as "2 hours" */
export function proTakesSentence(limit: string): string {
  return `Pro takes up to ${limit}.`;
}

/** English sentences with formatted figures. */
export const REASON_SENTENCES = {
  longer_than_plan: (most: string, proMost: string | null) =>
    proMost === null
      ? `Longer than ${most}, the longest that can be converted.`
      : `Longer than ${most}. ${proTakesSentence(proMost)}`,
  result_too_large: (needed: string, most: string, proMost: string | null) =>
    `This video would take ${needed} at the lowest quality; your plan allows ${most}.${upToWithPro(proMost)}`,
  file_too_large: (needed: string, most: string, proMost: string | null) =>
    `This file would take ${needed}; your plan allows ${most}.${upToWithPro(proMost)}`,
  source_too_large: (source: string, most: string, proMost: string | null) =>
    `This video is ${source} at its source, too much to fetch for a file of at most ${most}.${upToWithPro(proMost)}`,
};

function upToWithPro(most: string | null): string {
  return most === null ? "" : ` ${proTakesSentence(most)}`;
}

/** "20 minutes", "2 hours", "1 hour 30 minutes". */
function describeDuration(durationSeconds: number): string {
  const totalMinutes = Math.max(1, Math.round(durationSeconds / 60));
  const hours = Math.floor(totalMinutes / 60);
  const minutes = totalMinutes % 60;
  const parts = [];
  if (hours > 0) parts.push(`${hours} hour${hours === 1 ? "" : "s"}`);
  if (minutes > 0) parts.push(`${minutes} minute${minutes === 1 ? "" : "s"}`);
  return parts.join(" ");
}

/** @returns the English sentence of a reason that a conversion may fail with */
export function describeReason(reason: LimitReason): string {
  return sentenceOfLimit(reason, REASON_SENTENCES, describeDuration, describeSize);
}

/** @returns the English sentence about a format that only Pro has. @param format such as "FLAC" */
export function formatForProSentence(format: string): string {
  return `${format} is for Pro only.`;
}

export const CHAPTER_FILES_FOR_PRO = "One file per chapter is for Pro only.";
