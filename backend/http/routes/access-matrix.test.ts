/** The status of every route for every kind of caller. */
import type Router from "koa-router";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BatchAnswer, DELETE_ACCOUNT_PHRASE } from "../../../common/api.ts";
import { CONTACTS_AS_BUILT } from "../../../common/contacts.ts";
import { openTestBilling } from "../../dev/testing/billing/test-billing.ts";
import { openTestDomain } from "../../dev/testing/test-domain.ts";
import { startTestServer, type TestDevice, type TestServer } from "../../dev/testing/test-server.ts";
import { createDeviceCookies } from "../../domain/accounts/device-cookie.ts";
import { UNAVAILABLE_PREVIEWS } from "../../domain/jobs/previews.ts";
import type { FileStore } from "../../storage/file-store.ts";
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
const LINK = { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "mp3" };

/** Calls that delete the job, the batch or the account come last. */
const MATRIX: Readonly<Record<string, Row>> = {
  "GET /healthz": [all(200)],
  "GET /readyz": [all(200)],
  // For operators with a token only.
  "GET /metrics": [all(404)],
  "GET /api/config": [all(200)],
  "GET /api/device-info": [all(200)],
  "GET /api/usage": [all(200)],
  // Refused as an invalid link, before any site is contacted.
  "POST /api/preview": [all(422), { youtubeUrl: "cats" }],
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
  "GET /api/login": [all(302)],
  // No sign-in has begun: a redirect to the sign-in page with an error.
  "GET /api/sign-in/provider/callback": [all(302)],
  "GET /api/logout": [all(200), undefined, true],
  "POST /api/logout-everywhere": [personal(200), {}, true],
  "DELETE /api/account": [personal(200), { confirmation: DELETE_ACCOUNT_PHRASE }, true],
};

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
  server = await startTestServer();
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
      store: {} as FileStore,
      billing: await openTestBilling(domain),
      paymentPage: null,
      cookies: createDeviceCookies(["key"], false),
      identifyViewer: () => Promise.resolve(null),
      sessionKeys: ["key"],
      signIn: null,
      signInTiming: { timeoutMs: 1, sessionMs: 1 },
      publicUrl: server.origin,
      trustedProxies: 0,
      isOwnOrigin: () => true,
      rateLimits: server.config.settings.rates,
      openCounter: countInMemory,
      metrics: { page: { contentType: "text/plain", render: () => Promise.resolve("") }, token: undefined },
      database: { during: (task) => task() },
      health: { isReady: () => Promise.resolve(true) },
      sampleLinks: [],
      distFolder: "",
      contacts: CONTACTS_AS_BUILT,
      isSecure: false,
      securityHeaders: {},
      log: pino({ level: "silent" }),
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
    await answer?.body?.cancel();
    expect(answer?.status).toBe(status);
    if (endsSession) await signInAs(caller);
  });
});
