/** What the button shows. Pure. */
import { isWaiting } from "../../common/job.ts";
import { isReady, isUnderWay, type Conversion, type State } from "./conversions.ts";
import type { ExtensionTexts } from "./texts/en.ts";

export interface Button {
  /** Browsers show about four characters. */
  readonly badge: string;
  readonly color: string;
  readonly textColor: string;
  readonly title: string;
  /** The page that a press opens; empty when the press does something itself. */
  readonly popup: string;
}

/** Of the light scheme of the pages. */
const WORKING = { color: "#f5a81c", textColor: "#2a1d00" };
const OK = { color: "#17734a", textColor: "#ffffff" };
const BAD = { color: "#b3261e", textColor: "#ffffff" };

export const PROBLEM_PAGE = "problem.html";

/** What failed is told first, then what is ready, then what is under way: a press is about what is shown. */
export function buttonOf({ conversions, isLost }: State, texts: ExtensionTexts): Button {
  const failed = conversions.filter((one) => one.phase === "failed");
  if (failed.length > 0)
    return { ...BAD, badge: "!", title: failed.map(({ sentence }) => sentence).join("\n"), popup: PROBLEM_PAGE };
  const ready = conversions.filter(isReady);
  if (ready.length > 0) return { ...OK, badge: "✓", title: texts.download(titlesOf(ready)), popup: "" };
  if (conversions.length === 0) return { ...WORKING, badge: "", title: texts.convert, popup: "" };
  return {
    ...WORKING,
    badge: badgeOf(conversions),
    title: isLost ? texts.lost : progressOf(conversions, texts),
    popup: "",
  };
}

function badgeOf(conversions: readonly Conversion[]): string {
  const percents = conversions.map((one) => (one.phase === "accepted" ? one.job.progress : 0));
  const hasBegun = conversions.some((one) => one.phase === "accepted" && !isWaiting(one.job.status));
  return hasBegun ? `${Math.floor(percents.reduce((sum, percent) => sum + percent, 0) / percents.length)}%` : "…";
}

/** A line for each. */
function progressOf(conversions: readonly Conversion[], texts: ExtensionTexts): string {
  const lines = conversions.map((one) => {
    if (one.phase === "requested") return one.sentence ?? texts.starting;
    if (one.phase === "failed") return one.sentence;
    return texts.progress(one.job.title, isUnderWay(one) && !isWaiting(one.job.status) ? one.job.progress : undefined);
  });
  return lines.join("\n");
}

const titlesOf = (ready: readonly Extract<Conversion, { phase: "accepted" }>[]): string =>
  ready.map(({ job }) => job.title).join(", ");
