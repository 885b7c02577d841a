/** What is read out of a text: links, and addresses that are refused. */
import type { ConversionErrorCode } from "../error-codes.ts";
import type { PageReason } from "../errors.ts";

/** `page`: a page or file of a site other than YouTube. */
export type LinkKind = "video" | "clip" | "list" | "channel" | "page";

export interface Link {
  /** Canonical: equal for all links to the same thing. Its host is accepted. */
  readonly url: string;
  readonly kind: LinkKind;
  /** To show to the visitor: as it stands in the text, or mended. Keeps the moment and the list that it names. */
  readonly text: string;
  /** Where it wants the video to begin, above 0. */
  readonly startSeconds: number | undefined;
  /** The list that it names beside the video, canonical, or why that list cannot be opened. */
  readonly list: string | LinkRefusal | undefined;
}

export interface LinkRefusal {
  readonly code: ConversionErrorCode;
  /** Says more than the code. */
  readonly reason: PageReason | undefined;
}

/** What one address leads to: one link, or several when it lists videos by their ids. */
export type Found = readonly [Link, ...Link[]] | LinkRefusal;

/** In the order of the text. */
export interface Reading {
  /** Each once. Without channels and start pages if there is something better. */
  readonly links: readonly Link[];
  readonly refusals: readonly RefusedAddress[];
}

export interface RefusedAddress extends LinkRefusal {
  /** As it stands in the text. */
  readonly text: string;
}

/** Whether links to this host and port are accepted. @param url with the scheme http or https */
export type HostRule = (url: URL) => boolean;

export const isRefusal = (found: Found | Link): found is LinkRefusal => "code" in found;

export function refusal(code: ConversionErrorCode, reason?: PageReason): LinkRefusal {
  return { code, reason };
}
