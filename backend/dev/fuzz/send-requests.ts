/** Sends random HTTP requests, many at the same time, and judges the answers. */
import * as fc from "fast-check";
import { arbitraryConnection, type FuzzRequest } from "./arbitrary-requests.ts";
import { exchange } from "./exchange.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { deleteOldJobs } from "./old-jobs.ts";
import { renderRequest, type FuzzTarget } from "./render-request.ts";
import type { Tally } from "./tally.ts";
import type { Visitor } from "./visitors.ts";

const AT_A_TIME = 24;
/** Connections that are generated at once; visitors are refreshed after them. */
const CHUNK = 1_000;
/**
 * Long enough for a busy machine. The deletion of an account with 200 jobs makes the embedded database read all jobs a
 * thousand times.
 */
const ANSWER_TIMEOUT_MS = 120_000;
/** How long a request that may stay unanswered is waited for, and one that is broken off. */
const BRIEF_MS = 150;
const ABORT_MS = 5;

export interface FuzzRun {
  readonly server: FuzzTarget & { readonly mongodbUri: string };
  readonly visitors: readonly Visitor[];
  readonly tally: Tally;
  readonly seed: number;
}

/**
 * Sends the next requests of a run.
 * @param until the number of requests that the tally has at the end, about
 */
export async function sendRequests(run: FuzzRun, until: number): Promise<void> {
  const { server, tally, visitors, seed } = run;
  while (tally.requests < until && !tally.isFull()) {
    const first = tally.connections;
    const connections = fc.sample(arbitraryConnection, { numRuns: CHUNK, seed: seed + first }).entries();
    const sendNext = async () => {
      for (const [n, requests] of connections) {
        if (tally.requests >= until || tally.isFull()) return;
        await sendConnection(run, requests, first + n);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, sendNext));
    tally.connections = first + CHUNK;
    if (tally.requests >= until) return;
    await Promise.all(visitors.map((visitor) => visitor.refresh()));
    await deleteOldJobs(server.mongodbUri, visitors);
  }
}

async function sendConnection(
  { server, visitors, tally, seed }: FuzzRun,
  requests: readonly FuzzRequest[],
  number: number,
): Promise<void> {
  tally.requests += requests.length;
  const visitor = visitors[number % visitors.length];
  const other = visitors[(number + 2) % visitors.length];
  if (!visitor || !other) throw new Error("a run needs visitors");
  const bytes = Buffer.concat(
    requests.map((request, n) => renderRequest(request, { server, visitor, other }, n === requests.length - 1)),
  );
  const where = `connection ${number} of seed ${seed}: ${JSON.stringify(bytes.toString("latin1", 0, 600))}`;
  const isUncertain = requests.some(mayStayUnanswered);
  const isAborted = requests.some((request) => request.isAborted);
  const sentAtMs = performance.now();
  const answers = await exchange(server.origin, number, bytes, {
    methods: requests.map(({ method }) => method),
    timeoutMs: isAborted ? ABORT_MS : isUncertain ? BRIEF_MS : ANSWER_TIMEOUT_MS,
  });
  const seconds = (performance.now() - sentAtMs) / 1_000;
  for (const [n, { route }] of requests.entries()) tally.count(route, answers[n]?.status ?? null);
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

/** Whether the server rightly waits for more bytes, or for an event. */
function mayStayUnanswered({ framing, headerLines, method, target, body }: FuzzRequest): boolean {
  return (
    (framing !== "exact" && framing !== "chunked") ||
    method === "CONNECT" ||
    target.includes("{session}") ||
    headerLines.some((line) => /^(?:content-length|transfer-encoding|upgrade|expect):/i.test(line)) ||
    // Such a body is not read: the server answers and closes, which may reset the connection.
    body.length > 60_000
  );
}
