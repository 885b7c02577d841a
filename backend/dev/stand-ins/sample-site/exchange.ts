/** One request to the sample site and what an answer needs to know to serve it. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** Where a page may point its readers. */
export interface Places {
  /** This site, as links name it. */
  readonly origin: string;
  /** A neighbour on another port that nobody listed; whoever contacts it was led astray. */
  readonly privateOrigin: string;
  /** The name of the page asked for. */
  readonly page: string;
  /** What the asker put behind the page's address, from the question mark on, or nothing. */
  readonly search: string;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly places: Places;
  /** The clips' folder on disk. */
  readonly clips: string;
  /** How often this path was asked for since the last reset, this time included. */
  readonly nth: number;
  /** Resolves when whoever tries this site lets go what was asked with the same words behind the address. */
  readonly letGo: Promise<void>;
}

export type Answer = (exchange: Exchange) => void | Promise<void>;

/** An address a page may name, made once the ports are known. */
export type Address = (places: Places) => string;

/** A file among the well-behaved clips. */
export function clip(file: string): Address {
  return ({ origin }) => `${origin}/clips/${file}`;
}

/** A file the page answers itself. */
export function own(file: string): Address {
  return ({ origin, page }) => `${origin}/media/${page}/${file}`;
}

/** The same, told apart by what stands behind the page's address. */
export function ownOfAsker(file: string): Address {
  return (places) => `${own(file)(places)}${places.search}`;
}

/** The neighbour that must not be contacted. */
export function neighbour(file: string): Address {
  return ({ privateOrigin }) => `${privateOrigin}/${file}`;
}

/** An address word for word. */
export function exactly(address: string): Address {
  return () => address;
}
