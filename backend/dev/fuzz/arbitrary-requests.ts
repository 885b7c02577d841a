/** Random requests: a valid call of a route, changed in up to three ways. */
import * as fc from "fast-check";
import { CALLS, OTHER_CALLS, type Call } from "./calls.ts";
import { FRAMINGS, type Framing } from "./framing.ts";
import { METHODS, ODD_HEADERS, ODD_TARGETS } from "./odd-requests.ts";
import { arbitraryBody, arbitraryField, type BodyChange } from "./arbitrary-bodies.ts";
import { PATH_CHANGES, PATH_IDS, QUERIES, ROUTE_HEADERS } from "./odd-values.ts";

/** A request before its names in braces are replaced. */
export interface FuzzRequest {
  /** The route of the call that it was made from; the figures are counted by it. */
  readonly route: string;
  readonly method: string;
  readonly target: string;
  readonly headerLines: readonly string[];
  /** A text may have names in braces; bytes are sent as they are. */
  readonly body: string | Uint8Array;
  readonly framing: Framing;
  /** Whether the client closes the connection without waiting for the answer. */
  readonly isAborted: boolean;
}

type Change =
  | { readonly kind: "method"; readonly method: string }
  | { readonly kind: "target"; readonly target: string }
  | { readonly kind: "path"; readonly change: (path: string) => string }
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "query"; readonly query: string }
  /** `replaces` is the name of a header that is left out. */
  | { readonly kind: "header"; readonly lines: readonly string[]; readonly replaces?: string | undefined }
  | { readonly kind: "body"; readonly body: BodyChange }
  | { readonly kind: "field"; readonly name: string; readonly value: unknown }
  | { readonly kind: "framing"; readonly framing: Framing }
  | { readonly kind: "abort" };

const COOKIES = [
  "",
  "Cookie: {cutCookie}",
  "Cookie: {forgedCookie}",
  "Cookie: {otherCookie}",
  "Cookie: {cookie}; {otherCookie}",
  "Cookie: {otherCookie}; {cookie}",
];

const VALID_BODIES: ReadonlySet<unknown> = new Set(
  [...CALLS, ...OTHER_CALLS].flatMap(({ body = "" }) => (body.startsWith("{") ? [body] : [])),
);

const path = fc.constantFrom(...PATH_CHANGES);
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("method"), method: fc.constantFrom(...METHODS, "\u00ff", "get") }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("target"), target: fc.constantFrom(...ODD_TARGETS) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("path"), change: path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("id"), id: fc.constantFrom(...PATH_IDS) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("query"), query: fc.constantFrom(...QUERIES) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("header"),
      lines: fc.constantFrom(...ODD_HEADERS.map(([, lines]) => lines)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("header"),
      lines: fc.constantFrom(...COOKIES).map((line) => (line === "" ? [] : [line])),
      replaces: fc.constant("cookie"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...ROUTE_HEADERS)
      .map(([replaces, line]) => ({ kind: "header", lines: [line], replaces }) as const),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("body"), body: arbitraryBody }) },
  { weight: 4, arbitrary: arbitraryField.map((field) => ({ kind: "field", ...field }) as const) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("framing"), framing: fc.constantFrom(...FRAMINGS) }) },
  { weight: 1, arbitrary: fc.constant({ kind: "abort" } as const) },
);

const anyCall = fc.oneof(
  ...[...CALLS, ...OTHER_CALLS].map((call) => ({
    weight: Math.round((call.weight ?? 1) * 100),
    arbitrary: fc.constant(call),
  })),
);

/** Half of the requests are valid calls, so that every handler is reached. */
const arbitraryRequest: fc.Arbitrary<FuzzRequest> = fc
  .tuple(anyCall, fc.oneof(fc.constant<Change[]>([]), fc.array(anyChange, { minLength: 1, maxLength: 3 })))
  .map(([call, changes]) => changes.reduce(applyChange, validRequest(call)));

/** The requests of one connection, sent without waiting for answers: mostly one. */
export const arbitraryConnection: fc.Arbitrary<readonly FuzzRequest[]> = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(arbitraryRequest) },
  { weight: 1, arbitrary: fc.array(arbitraryRequest, { minLength: 2, maxLength: 4 }) },
);

function validRequest({ route, path, body, headerLines = [] }: Call): FuzzRequest {
  const [method = ""] = route.split(" ");
  const type = route === "POST /socket.io/" ? "text/plain;charset=UTF-8" : "application/json";
  return {
    route,
    method,
    target: path,
    headerLines: [
      "Host: {host}",
      "Origin: {origin}",
      "Cookie: {cookie}",
      ...(body === undefined ? [] : [`Content-Type: ${type}`]),
      ...headerLines,
    ],
    body: body ?? "",
    framing: "exact",
    isAborted: false,
  };
}

function applyChange(request: FuzzRequest, change: Change): FuzzRequest {
  switch (change.kind) {
    case "method":
      return { ...request, method: change.method };
    case "target":
      return { ...request, target: change.target };
    case "path":
      return { ...request, target: change.change(request.target) };
    case "id":
      return { ...request, target: request.target.replace(/\{(?:job|failedJob|batch|session)\}/, () => change.id) };
    case "query":
      return { ...request, target: `${request.target}${request.target.includes("?") ? "&" : "?"}${change.query}` };
    case "header":
      return {
        ...request,
        headerLines: [...request.headerLines.filter((line) => !hasName(line, change.replaces)), ...change.lines],
      };
    case "body":
      return {
        ...request,
        body: change.body.bytes,
        headerLines: [...request.headerLines, ...change.body.headerLines],
      };
    case "field":
      return { ...request, body: withField(request.body, change.name, change.value) };
    case "framing":
      return { ...request, framing: change.framing };
    case "abort":
      return { ...request, isAborted: true };
  }
}

function hasName(line: string, name: string | undefined): boolean {
  return name !== undefined && line.toLowerCase().startsWith(`${name}:`);
}

/** Changes one field of a valid JSON body; other bodies stay as they are. */
function withField(body: FuzzRequest["body"], name: string, value: unknown): FuzzRequest["body"] {
  if (!VALID_BODIES.has(body)) return body;
  const fields = JSON.parse(String(body)) as Record<string, unknown>;
  const names = Object.keys(fields);
  // "*" is one of the fields that the call has.
  const field = name === "*" ? (names[JSON.stringify(value).length % Math.max(1, names.length)] ?? "x") : name;
  return JSON.stringify({ ...fields, [field]: value });
}
