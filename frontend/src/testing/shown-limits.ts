/** The limits of the plans as English pages show them: `shown.pro.size` is "500 MB". `common/tiers.test.ts` states them. */
import { en } from "../texts/en.ts";
import { createFigures } from "../texts/figures.ts";
import { createFormats } from "../texts/format.ts";

export const shown = createFigures(createFormats("en", en.figures));

/** What a visitor of the free plan reads of a video that only Pro takes. */
export const LONGER_THAN_FREE = `Longer than ${shown.free.length}. Pro takes up to ${shown.pro.length}.`;
