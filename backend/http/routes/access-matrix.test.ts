/** The status of every route for every kind of caller. */
import type Router from "koa-router";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DELETE_ACCOUNT_PHRASE } from "../../../common/account-calls.ts";
import { BatchAnswer } from "../../../common/api.ts";
import { CONTACTS_AS_BUILT } from "../../../common/contacts.ts";
import { CALLS } from "../../dev/fuzz/calls.ts";
import { openTestBilling } from "../../dev/testing/billing/test-billing.ts";
import { openTestDomain } from "../../dev/testing/test-domain.ts";
import { DESCRIBED_CALLS, errorsOf } from "../api-description/described-calls.ts";
import { ErrorAnswer } from "../api-description/schemas.ts";
import { statusOf } from "../edge/errors.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice, type TestServer } from "../../dev/testing/test-server.ts";
import { createDeviceCookies } from "../../domain/accounts/device-cookie.ts";
import { readOldCookies } from "../../domain/accounts/old-cookies.ts";
import { UNAVAILABLE_LISTS } from "../../domain/jobs/lists.ts";
import type { OperatorView } from "../../domain/operator/operator-view.ts";
import { UNAVAILABLE_PREVIEWS } from "../../domain/jobs/previews.ts";
import type { FileStore } from "../../storage/file-store.ts";
import { createTraceCalls } from "../../runtime/telemetry/call-traces.ts";
import { UNRECORDED } from "../../runtime/telemetry/tracing.ts";
import { createApp } from "../app.ts";
import { countInMemory } from "../middleware/limit-counters.ts";

const CALLERS = ["anonymous", "otherDevice", "free", "owner", "otherPro"] as const;
type Caller = (typeof CALLERS)[number];
/**
 * Statuses in the order of CALLERS: no cookie, another device, a free user, the Pro user who owns job and batch,
 * another Pro user.
 */
type Row = readonly [statuses: readonly [number, number, number, number, number], body?: unknown, endsSession?: true];

const all = (status: number): Row[0] => [status, status, status, status, status];
const owned = (status: number): Row[0] => [404, 404, 404, status, 404];
const personal = (status: number): Row[0] => [401, 401, status, status, status];
/** Nobody here is an operator. */
const never = () => Promise.reject(new Error("no operator looks"));
const UNREAD: OperatorView = { readState: never, readHistory: never, readRecords: never };
const LINK = { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "mp3" };

/** Calls that delete the job, the batch or the account come last. */
const MATRIX: Readonly<Record<string, Row>> = {
  "GET /healthz": [all(200)],
  "GET /readyz": [all(200)],
  // For operators with a token only.
  "GET /metrics": [all(404)],
  "GET /api/config": [all(200)],
  "GET /api/device-info": [all(200)],
  "GET /api/openapi.json": [all(200)],
  // A browser needs the cookie of its device.
  "GET /api/events": [[400, 200, 200, 200, 200]],
  "GET /api/site-status": [all(200)],
  "GET /api/usage": [all(200)],
  // Refused as an invalid link, before any site is contacted.
  "POST /api/preview": [all(422), { youtubeUrl: "cats" }],
  "POST /api/lists": [all(422), { youtubeUrl: "cats" }],
  "GET /api/conversions": [all(200)],
  "POST /api/conversions": [all(201), LINK],
  "GET /api/conversions/:id": [owned(200)],
  "GET /api/conversions/:id/file": [owned(200)],
  "GET /api/conversions/:id/thumbnail": [owned(200)],
  // The job is completed, so it cannot be retried.
  "POST /api/conversions/:id/retry": [owned(409)],
  "POST /api/batch-conversions": [
    [402, 402, 402, 201, 201],
    { urls: [LINK.youtubeUrl, "https://youtu.be/dQw4w9WgXcR"], format: "mp3" },
  ],
  "POST /api/selections": [
    [402, 402, 402, 201, 201],
    { title: "A list", urls: [LINK.youtubeUrl, "https://youtu.be/dQw4w9WgXcR"], format: "mp3" },
  ],
  "GET /api/batch-conversions/:id/zip": [owned(200)],
  "POST /api/batch-conversions/:id/retry": [owned(200)],
  "DELETE /api/batch-conversions/:id": [owned(200)],
  "DELETE /api/conversions/:id": [owned(204)],
  "GET /api/auth/user": [personal(200)],
  "GET /api/account/export": [personal(200)],
  // Payment is not set up here.
  "POST /api/create-subscription": [[401, 401, 503, 503, 503], { plan: "yearly" }],
  "POST /api/billing-portal": [[401, 401, 503, 503, 503], {}],
  "POST /api/stripe-webhook": [all(503), {}],
  // No mail server is set up here.
  "POST /api/contact": [
    all(503),
    { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", subject: "bug", message: "It hums." },
  ],
  "GET /api/tokens": [personal(200)],
  // The second token of a free account is refused in tokens.test.ts.
  "POST /api/tokens": [personal(201), { name: "Phone", scopes: ["read"] }],
  "DELETE /api/tokens/:id": [[401, 401, 404, 404, 404]],
  "GET /api/webhooks": [personal(200)],
  // The second webhook of a free account is refused in webhooks.test.ts.
  "POST /api/webhooks": [personal(201), { url: "https://program.example/ended" }],
  "POST /api/webhooks/:id/test": [[401, 401, 404, 404, 404], {}],
  "POST /api/webhooks/:id/enable": [[401, 401, 404, 404, 404], {}],
  "DELETE /api/webhooks/:id": [[401, 401, 404, 404, 404]],
  // For operators only; operator.test.ts has their answers.
  "POST /api/operator/watch": [all(404), {}],
  "GET /api/operator/history": [all(404)],
  "GET /api/operator/records": [all(404)],
  "POST /api/operator/acts": [all(404), { act: "pause" }],
  "POST /api/operator/accounts": [all(404), { email: "owner@example.com" }],
  "GET /api/operator/accounts/:id/export": [all(404)],
  "GET /api/login": [all(302)],
  // No sign-in has begun: a redirect to the sign-in page with an error.
  "GET /api/sign-in/provider/callback": [all(302)],
  "GET /api/logout": [all(200), undefined, true],
  "POST /api/logout": [all(200), {}, true],
  "POST /api/logout-everywhere": [personal(200), {}, true],
  "DELETE /api/account": [personal(200), { confirmation: DELETE_ACCOUNT_PHRASE }, true],
};

/** @returns how status or body differ from the description of the API; null if they do not */
async function differenceOf(route: string, answer: Response): Promise<string | null> {
  const call = DESCRIBED_CALLS[route];
  // A stream of events does not end.
  const isStream = /event-stream/.test(answer.headers.get("content-type") ?? "");
  if (isStream) await answer.body?.cancel();
  const text = isStream ? "" : await answer.text();
  if (!call) return null;
  const described = call.answers[answer.status];
  if (!described) {
    const { code } = ErrorAnswer.strict().parse(JSON.parse(text));
    const codes = errorsOf(route, call).filter((one) => statusOf(one) === answer.status);
    return codes.includes(code) ? null : `${answer.status} with ${code} is not described`;
  }
  if (described.schema) return described.schema.safeParse(JSON.parse(text)).error?.message ?? null;
  return /json/.test(answer.headers.get("content-type") ?? "") ? "JSON is not described" : null;
}

let server: TestServer;
let jobId = "";
let batchId = "";
const devices = new Map<Caller, TestDevice>();
const EMAILS: Readonly<Partial<Record<Caller, string>>> = {
  free: "free@example.com",
  owner: "owner@example.com",
  otherPro: "other@example.com",
};

async function signInAs(caller: Caller): Promise<void> {
  const device = await server.newDevice();
  const email = EMAILS[caller];
  if (email !== undefined) {
    await server.signIn(device, { email });
    await server.setTier(email, caller === "free" ? "free" : "pro");
  }
  devices.set(caller, device);
}

beforeAll(async () => {
  server = await startTestServer({ hasExtractor: false }, undefined, convertWithoutTools);
  for (const caller of CALLERS) await signInAs(caller);
  const owner = devices.get("owner");
  const answer = await owner?.call("POST", "/api/batch-conversions", {
    urls: [server.site.urlOf("rain")],
    format: "mp3",
  });
  const batch = BatchAnswer.parse(await answer?.json());
  batchId = batch.batchId;
  jobId = batch.jobs[0]?.id ?? "";
  await (await owner?.live())?.untilStatus(jobId, "completed");
});
afterAll(() => server[Symbol.asyncDispose]());

/** @returns the method and path of every route of the application */
async function routes(): Promise<string[]> {
  const domain = await openTestDomain();
  try {
    const app = createApp({
      domain,
      previews: UNAVAILABLE_PREVIEWS,
      lists: UNAVAILABLE_LISTS,
      store: {} as FileStore,
      billing: await openTestBilling(domain),
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
      siteReports: { status: { failing: [] }, onChange: () => () => undefined },
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
          methods.filter((method) => method !== "HEAD").map((method) => `${method} ${path.replace(/(.)\/$/, "$1")}`),
        ),
      ),
    ];
  } finally {
    await domain.close();
  }
}

it("lists every route, and no unknown one", async () => {
  expect((await routes()).toSorted()).toEqual(Object.keys(MATRIX).toSorted());
});

it("has a description of every route of the API", () => {
  const ofApi = Object.keys(MATRIX).filter((route) => route.includes(" /api/"));
  expect(Object.keys(DESCRIBED_CALLS).toSorted()).toEqual(ofApi.toSorted());
});

it("has the routes that `npm run fuzz` calls", () => {
  expect(CALLS.map(({ route }) => route).toSorted()).toEqual(Object.keys(MATRIX).toSorted());
});

describe.each(Object.entries(MATRIX))("%s", (route, [statuses, body, endsSession]) => {
  // The owner comes last, so that the job still exists when the others get a 404.
  const order = CALLERS.map((caller, index) => [caller, statuses[index] ?? 0] as const).toSorted(
    ([a], [b]) => Number(a === "owner") - Number(b === "owner"),
  );
  it.each(order)("answers %s with %i", async (caller, status) => {
    const [method = "", pattern = ""] = route.split(" ");
    const path = pattern.replace(":id", pattern.startsWith("/api/batch") ? batchId : jobId);
    const device = devices.get(caller);
    const answer =
      caller === "anonymous"
        ? await fetch(server.origin + path, {
            method,
            redirect: "manual",
            headers: { origin: server.origin, ...(method === "GET" ? {} : { "content-type": "application/json" }) },
            body: JSON.stringify(body),
          })
        : status === 302
          ? await device?.visit(path)
          : await device?.call(method, path, body);
    expect(answer?.status).toBe(status);
    expect(answer && (await differenceOf(route, answer))).toBeNull();
    if (endsSession) await signInAs(caller);
  });
});
