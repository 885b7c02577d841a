import type { Format } from "../../../common/tiers.ts";

/** The formats that the page offers beside each other, in this order. */
export const OFFERED_FORMATS = ["mp3", "mp4"] as const satisfies readonly Format[];

export const isOffered = (format: Format): boolean => OFFERED_FORMATS.some((offered) => offered === format);
