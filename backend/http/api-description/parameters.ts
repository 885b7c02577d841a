/** What calls take beside path and body: query parameters, and headers that change the answer. Names of headers are lower case. */
import { z } from "zod";

/** DELETE /api/conversions/:id. */
export const RemovalQuery = z.object({
  while: z
    .literal("active")
    .optional()
    .describe("Only cancel: if the job has ended meanwhile, it keeps its file, and the answer is `conflict`."),
});

// Browsers come here by a link or a redirect, so what cannot be read is left out instead of refused.
const Lenient = z.string().optional().catch(undefined);

/** GET /api/login. */
export const SignInQuery = z.object({
  fresh: Lenient.describe("With any value: the provider asks the user again, even if it knows the browser."),
  here: Lenient.describe("With any value: the sign-in begins at this host, without a redirect to the public address."),
});

/** The redirect of the identity provider, which may have more parameters. */
export const SignInAnswer = z.looseObject({
  state: Lenient.describe("Names the sign-in that this answers."),
  code: Lenient.describe("For which the server gets the user's identity."),
  error: Lenient.describe("Why the provider refused."),
});

/** GET /api/events. */
export const EventHeaders = z.object({
  "last-event-id": z
    .string()
    .optional()
    .describe("The `id` of the last event that was read. An unknown or old one counts as none."),
});

/** Downloads. */
export const FileHeaders = z.object({
  range: z
    .string()
    .optional()
    .describe("One range of bytes, such as `bytes=0-499`. Several ranges and other units count as none."),
  "if-range": z
    .string()
    .optional()
    .describe("The `ETag` or `Last-Modified` of an earlier answer: if the file is another one, it is sent as a whole."),
  "if-match": z.string().optional().describe("The `ETag` of an earlier answer: 412 if the file is another one."),
  "if-none-match": z.string().optional().describe("The `ETag` of an earlier answer: 304 if the file is the same."),
});
