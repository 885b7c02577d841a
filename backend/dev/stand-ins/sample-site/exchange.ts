/** One request to the sample site, with all that an answer needs to serve it. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** What the addresses in a page are made of. */
export interface PageContext {
  /** Origin of the sample site. */
  readonly origin: string;
  /** Origin on another port that is not in the list of video hosts; the product must never connect to it. */
  readonly privateOrigin: string;
  /** Name of the requested page. */
  readonly page: string;
  /** Query of the request with its question mark, or "". */
  readonly search: string;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly context: PageContext;
  /** The clips' folder on disk. */
  readonly clips: string;
  /** Number of requests for this path since the last reset, this one included. */
  readonly nth: number;
  /** Resolves when the test releases pages with the query of this request. */
  readonly released: Promise<void>;
}

export type Answer = (exchange: Exchange) => void | Promise<void>;

/** Makes an address in a page; the ports are known only at run time. */
export type Address = (context: PageContext) => string;

/** A clip that is served without faults. */
export function clip(file: string): Address {
  return ({ origin }) => `${origin}/clips/${file}`;
}

/** Another page of the site. */
export function watch(page: string): Address {
  return ({ origin }) => `${origin}/watch/${page}`;
}

/** A file that the page itself answers, at /media/PAGE/FILE. */
export function ownFile(file: string): Address {
  return ({ origin, page }) => `${origin}/media/${page}/${file}`;
}

/** The same with the query of the request for the page. */
export function ownFileWithQuery(file: string): Address {
  return (context) => `${ownFile(file)(context)}${context.search}`;
}

/** A file on the origin that must not be contacted. */
export function onPrivateOrigin(file: string): Address {
  return ({ privateOrigin }) => `${privateOrigin}/${file}`;
}

/** An address that is always the same. */
export function fixedAddress(address: string): Address {
  return () => address;
}
