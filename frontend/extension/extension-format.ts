import { z } from "zod";

/** What pages are converted to: without more choices, these two. */
export const ExtensionFormat = z.enum(["mp3", "mp4"]);
export type ExtensionFormat = z.infer<typeof ExtensionFormat>;
