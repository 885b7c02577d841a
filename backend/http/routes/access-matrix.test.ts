/** The status of every route for every kind of caller. */
import type { Router } from "koa-router";
import pino from "pino";
import { beforeAll, describe, expect, it } from "vitest";
import { DELETE_ACCOUNT_PHRASE } from "../../../common/account-calls.ts";
import { BatchAnswer } from "../../../common/api.ts";
import { CONTACTS_AS_BUILT } from "../../../common/contacts.ts";
import { CreatedToken, TokenScope } from "../../../common/token-calls.ts";
import { errorsOf } from "../api-description/call.ts";
import { ErrorAnswer } from "../api-description/schemas.ts";
import { statusOf } from "../every-request/errors.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { makeOperator } from "../../dev/testing/change-accounts.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";
import { createDeviceCookies } from "../../domain/accounts/device-cookie.ts";
import { readOldCookies } from "../../domain/accounts/old-cookies.ts";
import { BlockList } from "../../domain/blocks/block-list.ts";
import { createInProcessBus } from "../../domain/bus.ts";
import type { Billing } from "../../domain/billing/billing.ts";
import type { Domain } from "../../domain/domain.ts";
import type { Lists } from "../../domain/jobs/lists.ts";
import type { OperatorView } from "../../domain/operator/operator-view.ts";
import type { Previews } from "../../domain/jobs/previews.ts";
import type { FileStore } from "../../storage/file-store.ts";
import { createTraceCalls } from "../../runtime/telemetry/call-traces.ts";
import { UNRECORDED } from "../../runtime/telemetry/tracing.ts";
import { createApp } from "../app.ts";
import { countInMemory } from "../middleware/limit-counters.ts";
import { CALLS } from "./calls.ts";

const CALLERS = ["anonymous", "otherDevice", "free", "owner", "otherPro"] as const;
type Caller = (typeof CALLERS)[number];
/**
 * Statuses in the order of CALLERS: no cookie, another device, a free user, the Pro user who owns job and batch,
 * another Pro user.
 */
type Statuses = readonly [number, number, number, number, number];
/**
 * The scope that a program's token needs; null: no token may make the call; undefined: it is answered before anybody is
 * identified, or is not of the API.
 */
type Scope = TokenScope | "any" | null | undefined;
type Row = readonly [scope: Scope, statuses: Statuses, body?: unknown, endsSession?: true];

const all = (status: number): Statuses => [status, status, status, status, status];
const owned = (status: number): Statuses => [404, 404, 404, status, 404];
const personal = (status: number): Statuses => [401, 401, status, status, status];
/** Nobody here is an operator. */
const never = () => Promise.reject(new Error("no operator looks"));
const UNREAD: OperatorView = {
  readState: never,
  readHistory: never,
  readRecords: never,
  forgetBilling: () => undefined,
};
const LINK = { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "mp3" };

/** Calls that delete the job, the batch or the account come last. */
const MATRIX: Readonly<Record<string, Row>> = {
  "GET /healthz": [undefined, all(200)],
  "GET /readyz": [undefined, all(200)],
  // For operators with a token only.
  "GET /metrics": [undefined, all(404)],
  "GET /api/config": ["any", all(200)],
  "GET /api/device-info": [null, all(200)],
  "GET /api/openapi.json": ["any", all(200)],
  // A browser needs the cookie of its device.
  "GET /api/events": ["read", [400, 200, 200, 200, 200]],
  "GET /api/site-status": ["any", all(200)],
  "GET /api/speed": ["any", all(200)],
  "GET /api/usage": ["read", all(200)],
  "GET /api/usage/days": ["read", all(200)],
  // Refused as an invalid link, before any site is contacted.
  "POST /api/preview": ["convert", all(422), { youtubeUrl: "cats" }],
  "POST /api/lists": ["convert", all(422), { youtubeUrl: "cats" }],
  "GET /api/conversions": ["read", all(200)],
  "POST /api/conversions": ["convert", all(201), LINK],
  "GET /api/conversions/:id": ["read", owned(200)],
  "GET /api/conversions/:id/file": ["download", owned(200)],
  "GET /api/conversions/:id/thumbnail": ["read", owned(200)],
  "POST /api/conversions/:id/link": ["download", owned(201), { lasts: "once" }],
  "GET /api/conversions/:id/link": ["read", owned(200)],
  "DELETE /api/conversions/:id/link": ["download", owned(204)],
  // Without the key of a link.
  "GET /get": [undefined, all(404)],
  "GET /get/file": [undefined, all(404)],
  "GET /api/feed": [null, personal(200)],
  "POST /api/feed": [null, personal(201), {}],
  "DELETE /api/feed": [null, personal(204)],
  // Without the key of a feed.
  "GET /feed": [undefined, all(404)],
  "GET /feed/picture.jpg": [undefined, all(404)],
  "GET /feed/chapters.json": [undefined, all(404)],
  "GET /feed/tape.:ending": [undefined, all(404)],
  // The job is completed, so it cannot be retried.
  "POST /api/conversions/:id/retry": ["convert", owned(409)],
  "POST /api/conversions/:id/cuts": ["convert", owned(201), { startSeconds: 0, endSeconds: 1 }],
  // What stands in for the file is no sound.
  "GET /api/conversions/:id/waveform": ["read", owned(503)],
  "POST /api/batch-conversions": [
    "convert",
    [402, 402, 402, 201, 201],
    { urls: [LINK.youtubeUrl, "https://youtu.be/dQw4w9WgXcR"], format: "mp3" },
  ],
  "POST /api/selections": [
    "convert",
    [402, 402, 402, 201, 201],
    { title: "A list", urls: [LINK.youtubeUrl, "https://youtu.be/dQw4w9WgXcR"], format: "mp3" },
  ],
  "GET /api/follows": ["read", personal(200)],
  // Refused as an invalid link, before any site is contacted.
  "POST /api/follows": ["convert", [401, 401, 402, 422, 422], { url: "cats" }],
  // What they answer for a follow is in follows.test.ts.
  "POST /api/follows/:id": ["convert", [401, 401, 404, 404, 404], { isPaused: true }],
  "DELETE /api/follows/:id": ["convert", [401, 401, 404, 404, 404]],
  "GET /api/batch-conversions/:id/zip": ["download", owned(200)],
  "POST /api/batch-conversions/:id/retry": ["convert", owned(200)],
  "DELETE /api/batch-conversions/:id": ["convert", owned(200)],
  "DELETE /api/conversions/:id": ["convert", owned(204)],
  "GET /api/auth/user": ["read", personal(200)],
  "GET /api/account/export": [null, personal(200)],
  // Payment is not set up here.
  "POST /api/create-subscription": [null, [401, 401, 503, 503, 503], { plan: "yearly" }],
  "POST /api/billing-portal": [null, [401, 401, 503, 503, 503], {}],
  "POST /api/stripe-webhook": [undefined, all(503), {}],
  // No mail server is set up here.
  "POST /api/contact": [
    null,
    all(503),
    { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", subject: "bug", message: "It hums." },
  ],
  "GET /api/tokens": [null, personal(200)],
  // The second token of a free account is refused in tokens.test.ts.
  "POST /api/tokens": [null, personal(201), { name: "Phone", scopes: ["read"] }],
  "DELETE /api/tokens/:id": [null, [401, 401, 404, 404, 404]],
  "GET /api/webhooks": [null, personal(200)],
  // The second webhook of a free account is refused in webhooks.test.ts.
  "POST /api/webhooks": [null, personal(201), { url: "https://program.example/ended" }],
  "POST /api/webhooks/:id/test": [null, [401, 401, 404, 404, 404], {}],
  "POST /api/webhooks/:id/enable": [null, [401, 401, 404, 404, 404], {}],
  "DELETE /api/webhooks/:id": [null, [401, 401, 404, 404, 404]],
  // For operators only; operator.test.ts has their answers.
  "POST /api/operator/watch": [null, all(404), {}],
  "GET /api/operator/history": [null, all(404)],
  "GET /api/operator/records": [null, all(404)],
  "POST /api/operator/acts": [null, all(404), { act: "pause" }],
  "POST /api/operator/accounts": [null, all(404), { email: "owner@example.com" }],
  "GET /api/operator/accounts/:id/export": [null, all(404)],
  "GET /api/login": [null, all(302)],
  // No sign-in has begun: a redirect to the sign-in page with an error.
  "GET /api/sign-in/provider/callback": [null, all(302)],
  "GET /api/logout": [null, all(200), undefined, true],
  "POST /api/logout": [null, all(200), {}, true],
  "POST /api/logout-everywhere": [null, personal(200), {}, true],
  // The last one, so nobody signs in again.
  "DELETE /api/account": [null, personal(200), { confirmation: DELETE_ACCOUNT_PHRASE }],
};

/** What an operator gets beyond what another user of the free plan gets. */
const OF_OPERATORS: Readonly<Record<string, readonly [status: number, body?: unknown]>> = {
  "POST /api/operator/watch": [200, {}],
  "GET /api/operator/history": [200],
  "GET /api/operator/records": [200],
  "POST /api/operator/acts": [200, { act: "resume" }],
  "POST /api/operator/accounts": [200, { email: "owner@example.com" }],
  // The id is that of a job.
  "GET /api/operator/accounts/:id/export": [404],
};

/** @returns how status or body differ from the description of the API; null if they do not */
async function differenceOf(route: string, answer: Response): Promise<string | null> {
  const call = CALLS.find((one) => one.route === route);
  // A stream of events does not end.
  const isStream = /event-stream/.test(answer.headers.get("content-type") ?? "");
  if (isStream) await answer.body?.cancel();
  const text = isStream ? "" : await answer.text();
  if (!call) return null;
  const described = call.answers[answer.status];
  if (!described) {
    const { code } = ErrorAnswer.strict().parse(JSON.parse(text));
    const codes = errorsOf(call).filter((one) => statusOf(one) === answer.status);
    return codes.includes(code) ? null : `${answer.status} with ${code} is not described`;
  }
  if (described.schema) return described.schema.safeParse(JSON.parse(text)).error?.message ?? null;
  return /json/.test(answer.headers.get("content-type") ?? "") ? "JSON is not described" : null;
}

/** Of the owner. The second ones are for the owner's tokens, which may delete them. */
let jobs: readonly [JobOfBatch, JobOfBatch];
/** Secrets by what they are. */
let tokens: Readonly<Record<TokenScope | "revoked" | "other", string>>;
const devices = new Map<Caller, TestDevice>();
const EMAILS: Readonly<Partial<Record<Caller, string>>> = {
  free: "free@example.com",
  owner: "owner@example.com",
  otherPro: "other@example.com",
};

async function openBrowser(caller: Caller): Promise<void> {
  const device = await server.newDevice();
  devices.set(caller, device);
  await signInAs(caller);
  const email = EMAILS[caller];
  if (email !== undefined && caller !== "free") await server.setTier(email, "pro");
}

async function signInAs(caller: Caller): Promise<void> {
  const email = EMAILS[caller];
  if (email !== undefined) await server.signIn(deviceOf(caller), { email });
}

const server = await ofFile(startTestServer({ hasExtractor: false }, undefined, convertWithoutTools));
beforeAll(async () => {
  await Promise.all(CALLERS.map(openBrowser));
  const owner = deviceOf("owner");
  jobs = [await convertBatch(owner, "rain"), await convertBatch(owner, "lanterns")];
  const revoked = await makeToken(owner, TokenScope.options);
  await owner.call("DELETE", `/api/tokens/${revoked.id}`);
  tokens = {
    read: (await makeToken(owner, ["read"])).secret,
    convert: (await makeToken(owner, ["convert"])).secret,
    download: (await makeToken(owner, ["download"])).secret,
    revoked: revoked.secret,
    other: (await makeToken(deviceOf("otherPro"), TokenScope.options)).secret,
  };
});

/** Codes of what a program gets that may not make a call. */
const REFUSALS: Readonly<Record<number, string>> = { 401: "invalid_token", 403: "missing_scope" };

async function codeOf(answer: Response): Promise<string> {
  return ErrorAnswer.parse(await answer.json()).code;
}

interface JobOfBatch {
  readonly jobId: string;
  readonly batchId: string;
}

function deviceOf(caller: Caller): TestDevice {
  const device = devices.get(caller);
  if (!device) throw new Error(`${caller} has no browser`);
  return device;
}

/** Completes a batch of one job. */
async function convertBatch(device: TestDevice, name: "rain" | "lanterns"): Promise<JobOfBatch> {
  const wanted = { urls: [server.site.urlOf(name)], format: "mp3" };
  const answer = await device.call("POST", "/api/batch-conversions", wanted);
  const batch = BatchAnswer.parse(await answer.json());
  const jobId = batch.jobs[0]?.id ?? "";
  await (await device.live()).untilStatus(jobId, "completed");
  return { jobId, batchId: batch.batchId };
}

async function makeToken(device: TestDevice, scopes: readonly TokenScope[]): Promise<CreatedToken> {
  return CreatedToken.parse(await (await device.call("POST", "/api/tokens", { name: "A program", scopes })).json());
}

/** @returns method and path of a route, with the id of the job or batch that it is about */
function addressOf(route: string, { jobId, batchId }: JobOfBatch): readonly [method: string, path: string] {
  const [method = "", pattern = ""] = route.split(" ");
  return [method, pattern.replace(":id", pattern.startsWith("/api/batch") ? batchId : jobId)];
}

/** @returns the method and path of every route of the application */
function routes(): string[] {
  // Nothing is called, so most parts may be empty.
  const parts: Partial<Domain> = { blocks: new BlockList(() => undefined), bus: createInProcessBus(), videoHosts: [] };
  const domain = parts as Domain;
  const app = createApp({
    domain,
    previews: {} as Previews,
    lists: {} as Lists,
    waveforms: { of: never },
    store: {} as FileStore,
    earlyDownloads: { files: undefined, waitMs: 1 },
    billing: {} as Billing,
    paymentPage: null,
    cookies: createDeviceCookies(["key"], false),
    oldCookies: readOldCookies({ keys: ["key"], isSecure: false, sessionMs: 1 }),
    identifyViewer: () => Promise.resolve(null),
    networkCode: (address) => address,
    downloadsPerNetwork: 1,
    sessionKeys: ["key"],
    signIn: null,
    signInTiming: { timeoutMs: 1, sessionMs: 1 },
    looksUpSponsored: false,
    publicUrl: server.origin,
    siteUrl: null,
    trustedProxies: 0,
    isOwnOrigin: () => true,
    rateLimits: server.config.settings.rates,
    openEvents: () => Promise.reject(new Error("no sockets here")),
    openCounter: countInMemory,
    metrics: { page: { contentType: "text/plain", render: () => Promise.resolve("") }, token: undefined },
    database: { during: (task) => task() },
    health: { isReady: () => Promise.resolve(true) },
    sampleLinks: [],
    siteReports: { status: { failing: [] } },
    sendWebhookMessage: () => Promise.resolve({ status: 204 }),
    operatorView: UNREAD,
    distFolder: "",
    contacts: CONTACTS_AS_BUILT,
    mailer: null,
    isSecure: false,
    securityHeaders: {},
    log: pino({ level: "silent" }),
    traceCalls: createTraceCalls(UNRECORDED),
  });
  const layers = app.middleware.flatMap((middleware) => (middleware as { router?: Router }).router?.stack ?? []);
  return [
    ...new Set(
      layers.flatMap(({ methods, path }) =>
        methods
          .filter((method) => method !== "HEAD")
          .map((method) => `${method} ${String(path).replace(/(.)\/$/, "$1")}`),
      ),
    ),
  ];
}

it("lists every route, and no unknown one", () => {
  expect(routes().toSorted()).toEqual(Object.keys(MATRIX).toSorted());
});

it("has a declaration of every route of the API, and no other", () => {
  const ofApi = Object.keys(MATRIX).filter((route) => route.includes(" /api/"));
  expect(CALLS.map(({ route }) => route).toSorted()).toEqual(ofApi.toSorted());
});

it("says of every call of the API which token may make it", () => {
  const unsaid = Object.entries(MATRIX).filter(([route, [scope]]) => route.includes(" /api/") && scope === undefined);
  // The payment provider signs its messages; they have no other caller.
  expect(unsaid.map(([route]) => route)).toEqual(["POST /api/stripe-webhook"]);
});

const OF_PROGRAMS = Object.entries(MATRIX).flatMap(([route, row]) =>
  row[0] === undefined ? [] : [[route, row[0], row] as const],
);

/** Before the owner's session and account are deleted by the calls below. */
describe.each(OF_PROGRAMS)("%s by a program, which needs the scope %s", (route, scope, [, statuses, body]) => {
  const [, , , owner, otherPro] = statuses;
  /** With a token the job of the owner's tokens is asked for, because its scope may delete it. */
  async function callWith(token: keyof typeof tokens): Promise<Response> {
    const [method, path] = addressOf(route, jobs[1]);
    return await fetch(server.origin + path, {
      method,
      redirect: "manual",
      headers: {
        authorization: `Bearer ${tokens[token]}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
  const mayCall = (token: TokenScope): boolean => scope === "any" || scope === token;
  const expected = {
    revoked: 401,
    // As the other user's browser: what is not theirs does not exist.
    other: scope === null ? 403 : otherPro,
    read: mayCall("read") ? owner : 403,
    convert: mayCall("convert") ? owner : 403,
    download: mayCall("download") ? owner : 403,
  };
  it(`answers the tokens with ${JSON.stringify(expected)}`, async () => {
    const check = async ([token, status]: [string, number]): Promise<void> => {
      const answer = await callWith(token as keyof typeof tokens);
      expect([token, answer.status]).toEqual([token, status]);
      const refusal = REFUSALS[status] ?? null;
      const seen = refusal === null ? await differenceOf(route, answer) : await codeOf(answer);
      expect([token, seen]).toEqual([token, refusal]);
    };
    const { convert, ...others } = expected;
    await Promise.all(Object.entries(others).map(check));
    // Last: it may delete the job that the others were asked about.
    await check(["convert", convert]);
  });
});

async function signInOperator(): Promise<TestDevice> {
  const operator = await server.newDevice();
  await server.signIn(operator, { email: "operator@example.com" });
  await makeOperator(server.mongodbUri, "operator@example.com");
  return operator;
}

describe("an operator", () => {
  let operator: TestDevice;
  beforeAll(async () => {
    operator = await signInOperator();
  });

  it.each(Object.entries(OF_OPERATORS))("gets from %s %j", async (route, [status, body]) => {
    const answer = await operator.call(...addressOf(route, jobs[0]), body);
    expect(answer.status).toBe(status);
    expect(await differenceOf(route, answer)).toBeNull();
  });

  it("gets no more of a stranger's jobs than anybody", async () => {
    for (const [route, scope, [, , body]] of OF_PROGRAMS) {
      if (!route.includes("conversions/:id") || scope === null) continue;
      const [method, path] = addressOf(route, jobs[0]);
      expect(`${route} ${(await operator.call(method, path, body)).status}`).toBe(`${route} 404`);
    }
  });
});

it("knows no operator without a sign-in of the last hour, and none by a token", async () => {
  const operator = await signInOperator();
  const { secret } = await makeToken(operator, TokenScope.options);
  const headers = { authorization: `Bearer ${secret}` };
  const byToken = await fetch(`${server.origin}/api/operator/history`, { headers });
  expect([byToken.status, await codeOf(byToken)]).toEqual([403, "missing_scope"]);
  await server.ageSessions("operator@example.com", 2 * 60 * 60 * 1_000);
  const later = await operator.call("GET", "/api/operator/history");
  expect([later.status, await codeOf(later)]).toEqual([403, "fresh_sign_in_required"]);
});

it.each(Object.entries(MATRIX))("%s answers the callers with %j", async (route, row) => {
  const [, statuses, body, endsSession] = row;
  const [method, path] = addressOf(route, jobs[0]);
  const ask = async (caller: Caller, status: number): Promise<Response> => {
    if (caller !== "anonymous")
      return status === 302 ? deviceOf(caller).visit(path) : deviceOf(caller).call(method, path, body);
    return await fetch(server.origin + path, {
      method,
      redirect: "manual",
      headers: { origin: server.origin, ...(method === "GET" ? {} : { "content-type": "application/json" }) },
      body: JSON.stringify(body),
    });
  };
  const check = async (caller: Caller): Promise<void> => {
    const status = statuses[CALLERS.indexOf(caller)] ?? 0;
    const answer = await ask(caller, status);
    expect([caller, answer.status]).toEqual([caller, status]);
    expect([caller, await differenceOf(route, answer)]).toEqual([caller, null]);
    if (endsSession) await signInAs(caller);
  };
  // The owner comes last, so that the job still exists when the others get a 404.
  await Promise.all(CALLERS.filter((caller) => caller !== "owner").map(check));
  await check("owner");
});
