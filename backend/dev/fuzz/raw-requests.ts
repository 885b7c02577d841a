/** Random requests that no HTTP library sends: odd targets, methods, headers and framings of the body. */
import { deflateSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { TRIED_PATHS } from "./declared-calls.ts";
import { exchange } from "./exchange.ts";
import { frameBody, FRAMINGS, type Framing } from "./framing.ts";
import type { FuzzRun } from "./fuzz-run.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { METHODS, ODD_HEADERS, ODD_TARGETS } from "./odd-requests.ts";

const AT_A_TIME = 24;
/** Connections that are generated at once. */
const CHUNK = 1_000;
/** Long enough for a busy machine. */
const ANSWER_TIMEOUT_MS = 120_000;
/** How long a request that may stay unanswered is waited for, and one that is broken off. */
const BRIEF_MS = 150;
const ABORT_MS = 5;

/** Names in braces are replaced by values of the visitor. */
const TARGETS = [
  ...TRIED_PATHS.map((path) => path.replace(":id", "{job}")),
  "/",
  "/pro",
  "/metrics",
  "/service-worker.js",
  "/api/contact",
  "/api/stripe-webhook",
  "/development-sign-in/token",
  "/socket.io/?EIO=4&transport=polling",
];

/** Values of headers that a handler reads itself. */
const HEADER_VALUES: Readonly<Record<string, readonly string[]>> = {
  Range: [
    "bytes=0-",
    "bytes=-1",
    "bytes=5-2",
    "bytes=0-0,2-3",
    "bytes=999999999999999999999-",
    "bytes=-999999999999999999999",
    `bytes=${Array.from({ length: 500 }, (_, n) => `${n * 2}-${n * 2}`).join(",")}`,
    "items=0-5",
  ],
  "If-Range": ['"x"', "Thu, 01 Jan 1970 00:00:00 GMT"],
  "If-None-Match": ["*", '"x", W/"y"', ",".repeat(2_000)],
  "Stripe-Signature": ["", "t=,v1=", "t=1,v1=\u00e9\u00e9", "t=1700000000,v1=x", "t=1,".repeat(500), "__proto__=x,t=1"],
  "Idempotency-Key": ["x", "a".repeat(500), "../..", "__proto__"],
  "Content-Encoding": ["br", "gzip", "deflate", "zstd", "gzip, br", "constructor"],
  Accept: ["text/html", "*/*;q=0", "image/webp", ""],
  "Accept-Language": ["ar", "de-CH, *;q=0.1", "x".repeat(2_000)],
  Authorization: ["Bearer x", "Basic Og=="],
  Expect: ["100-continue"],
};
const VALUE_LINES = Object.entries(HEADER_VALUES).flatMap(([name, values]) =>
  values.map((value) => [`${name}: ${value}`]),
);

const SMALL = '{"youtubeUrl":"{link}","format":"mp3"}';
const BODIES: readonly (string | Uint8Array)[] = [
  "null",
  '{"youtubeUrl":1e400,"format":"mp3"}',
  '{"__proto__":{"tier":"pro"},"youtubeUrl":"{link}"}',
  "\ufeff{}",
  "{}\u0000",
  "40",
  gzipSync(SMALL),
  deflateSync(SMALL).subarray(0, 20),
  gzipSync(Buffer.alloc(20_000_000, " ")),
  // Nesting that a recursive reader would not survive.
  `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  `{"youtubeUrl":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
  `{"youtubeUrl":"${"x".repeat(90_000)}"}`,
];

interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headerLines: readonly string[];
  readonly body: string | Uint8Array;
  readonly framing: Framing;
  /** Whether the client closes the connection without waiting for the answer. */
  readonly isAborted: boolean;
}

/** Mostly the usual value, so that odd ones elsewhere reach a handler. */
const mostly = <T, U>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: odd });
const oddHeader = mostly(fc.constantFrom(...VALUE_LINES), fc.constantFrom(...ODD_HEADERS.map(([, lines]) => lines)));

const rawRequest: fc.Arbitrary<RawRequest> = fc.record({
  method: mostly(fc.constantFrom("GET", "POST"), fc.constantFrom(...METHODS, "\u00ff", "get")),
  target: mostly(fc.constantFrom(...TARGETS), fc.constantFrom(...ODD_TARGETS)),
  headerLines: fc.array(oddHeader, { maxLength: 2 }).map((lines) => lines.flat()),
  body: mostly(fc.constantFrom("", SMALL), mostly(fc.constantFrom(...BODIES), fc.uint8Array({ maxLength: 300 }))),
  framing: mostly(fc.constant<Framing>("exact"), fc.constantFrom(...FRAMINGS)),
  isAborted: fc.nat(19).map((n) => n === 0),
});
/** The requests of one connection, sent without waiting for answers: mostly one. */
const connection: fc.Arbitrary<readonly RawRequest[]> = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(rawRequest) },
  { weight: 1, arbitrary: fc.array(rawRequest, { minLength: 2, maxLength: 4 }) },
);

/**
 * Sends the next requests of a run.
 * @param until the number of raw requests that the tally has at the end, about
 */
export async function sendRawRequests(run: FuzzRun, until: number): Promise<void> {
  const { tally, seed } = run;
  while (tally.rawRequests < until && !tally.isFull()) {
    const first = tally.connections;
    const connections = fc.sample(connection, { numRuns: CHUNK, seed: seed + first }).entries();
    const sendNext = async () => {
      for (const [n, requests] of connections) {
        if (tally.rawRequests >= until || tally.isFull()) return;
        await sendConnection(run, requests, first + n);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, sendNext));
    tally.connections = first + CHUNK;
  }
}

async function sendConnection(run: FuzzRun, requests: readonly RawRequest[], number: number): Promise<void> {
  const { server, tally, seed } = run;
  tally.rawRequests += requests.length;
  const bytes = Buffer.concat(requests.map((request, n) => render(run, request, number, n === requests.length - 1)));
  const where = `connection ${number} of seed ${seed}: ${JSON.stringify(bytes.toString("latin1", 0, 600))}`;
  const isUncertain = requests.some(mayStayUnanswered);
  const isAborted = requests.some((request) => request.isAborted);
  const sentAtMs = performance.now();
  const answers = await exchange(server.origin, number, bytes, {
    methods: requests.map(({ method }) => method),
    timeoutMs: isAborted ? ABORT_MS : isUncertain ? BRIEF_MS : ANSWER_TIMEOUT_MS,
  });
  const seconds = (performance.now() - sentAtMs) / 1_000;
  for (const n of requests.keys()) tally.count("raw request", answers[n]?.status ?? null);
  for (const answer of answers) {
    const fault = judgeAnswer(answer, { isOpenToOtherSites: bytes.includes("/development-sign-in/") });
    if (fault !== null) tally.find(fault, `${where}, answered with ${JSON.stringify(answer.body.slice(0, 300))}`);
  }
  // After a request that cannot be read, the server closes the connection and reads no others.
  if (answers.length === 0 && requests.length === 1 && !isUncertain && !isAborted)
    tally.find(
      "the connection was closed without an answer, or there was none in time",
      `${seconds.toFixed(1)} s, ${where}`,
    );
}

/** @param isLast whether no request follows on the connection */
function render({ server, visitors }: FuzzRun, request: RawRequest, number: number, isLast: boolean): Buffer {
  const visitor = visitors[number % visitors.length];
  if (!visitor) throw new Error("a run needs visitors");
  const { host } = new URL(server.origin);
  const fill = (text: string): string =>
    text.replaceAll("{host}", host).replaceAll("{job}", visitor.job).replaceAll("{link}", server.link);
  const { method, target, headerLines, framing } = request;
  const body = typeof request.body === "string" ? Buffer.from(fill(request.body)) : Buffer.from(request.body);
  const framed = frameBody(framing, body);
  const head = [
    `${method} ${fill(target)} HTTP/1.1`,
    `Host: ${host}`,
    `Origin: ${server.origin}`,
    `Cookie: ${visitor.device.cookie}`,
    "Content-Type: application/json",
    ...headerLines.map(fill),
    ...(hasLength(request) ? [] : framed.lines),
    ...(isLast ? ["Connection: close"] : []),
    "",
    "",
  ];
  return Buffer.concat([Buffer.from(head.join("\r\n"), "latin1"), framed.bytes]);
}

function hasLength({ headerLines }: RawRequest): boolean {
  return headerLines.some((line) => /^(?:content-length|transfer-encoding):/i.test(line));
}

/** Whether the server rightly waits for more bytes, or for an event. */
function mayStayUnanswered(request: RawRequest): boolean {
  const { framing, headerLines, method, body } = request;
  return (
    (framing !== "exact" && framing !== "chunked") ||
    hasLength(request) ||
    method === "CONNECT" ||
    headerLines.some((line) => /^(?:upgrade|expect):/i.test(line)) ||
    // Such a body is not read: the server answers and closes, which may reset the connection.
    body.length > 60_000
  );
}
