/** Decides whether an answer to an odd request is as it must be. */
import { createSecurityHeaders } from "../../http/every-request/security-headers.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import type { HttpAnswer } from "./http-answers.ts";

const SECURITY_HEADERS = Object.keys(
  await createSecurityHeaders({ isSecure: false, paymentPage: null, distFolder: "" }),
);
/**
 * A line of a stack, and paths of files on the server. Requests have none of them but one, which a visitor may give as a
 * name and get back; so no answer repeats another.
 */
const INTERNALS = [
  /\n\s+at .+:\d+:\d+/,
  /node:internal/,
  /node_modules/,
  /\bfile:\/\/\/(?!etc\/passwd\b)\w/,
  /\/tmp\/\w/,
];
const TEXT_TYPE = /^(?:text\/|application\/(?:json|javascript|xml))/;

/**
 * @param options.isOpenToOtherSites whether pages of other sites may read it, as they may that of an identity provider
 * @returns what is wrong with an answer, or null
 */
export function judgeAnswer(
  { status, headers, body }: HttpAnswer,
  { isOpenToOtherSites = false }: { readonly isOpenToOtherSites?: boolean } = {},
): string | null {
  if (status === 0) return "the answer is no HTTP";
  const isUnavailable = status === 503 && headers.has("retry-after");
  if (status >= 500 && !isUnavailable) return `it is a ${status}`;
  // An answer to an upgrade is followed by no document.
  const missing = status === 101 ? [] : SECURITY_HEADERS.filter((name) => !headers.has(name));
  if (missing.length > 0) return `the ${status} lacks ${missing.join(", ")}`;
  if (headers.has("x-injected")) return "a line break of the request begins a header of the answer";
  if (!isOpenToOtherSites && headers.has("access-control-allow-origin"))
    return "it is readable by pages of other sites";
  const texts = [...headers.values(), ...(TEXT_TYPE.test(headers.get("content-type") ?? "text/") ? [body] : [])];
  return texts.some((text) => showsInternals(text)) ? "it shows internals of the server" : null;
}

/** Whether a text has a stack or the path of a file on the server. */
export function showsInternals(text: string): boolean {
  return text.includes(`${REPOSITORY_ROOT}/`) || INTERNALS.some((pattern) => pattern.test(text));
}
