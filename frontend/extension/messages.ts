/** What the page of problems asks the background. */
import { z } from "zod";
import { ExtensionFormat } from "./extension-format.ts";

const Retry = z.object({ link: z.string(), format: ExtensionFormat });

export const Message = z.discriminatedUnion("ask", [
  /** Which conversions have failed: they are told once. */
  z.object({ ask: z.literal("problems") }),
  z.object({ ask: z.literal("convert"), pages: z.array(Retry) }),
]);
export type Message = z.infer<typeof Message>;

export const Problems = z.array(Retry.extend({ sentence: z.string() }));
export type Problems = z.infer<typeof Problems>;
