import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { io } from "socket.io-client";
import { describe, expect, it, vi } from "vitest";
import { ErrorBody } from "../../../common/errors.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";
import { createLimit } from "./limit.ts";
import { countInMemory } from "./limit-counters.ts";
import { RateLimits } from "./rate-limits.ts";

/** Set by the first test that signs in, because sign-ins are limited too. */
let signedIn: TestDevice;
const server = await ofFile(
  startTestServer(
    {
      hasExtractor: false,
      ACTIVE_JOBS_FREE: "3",
      TRUST_PROXY: "1",
      settings: {
        rates: {
          createPerDevice: { free: 5, pro: 10_000 },
          createPerUser: { free: 4, pro: 9 },
          createPerAddress: { free: 22, pro: 10_000 },
          signInPerAddress: 6,
          accountPerUser: 2,
        },
        realtime: { socketsPerDevice: 2, tierPollMs: 50 },
      },
    },
    undefined,
    convertWithoutTools,
  ),
);

/** Sends a conversion whose link is refused, so that only the rate limit matters. */
const ask = (device: TestDevice, address = "198.51.100.1") =>
  device.call("POST", "/api/conversions", { youtubeUrl: "cats" }, { "x-forwarded-for": address });
const statusesOf = async (times: number, device: TestDevice, address?: string) => {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) statuses.push((await ask(device, address)).status);
  return statuses;
};

it.each([
  [1, 1],
  [1_000, 1],
  [1_001, 2],
])("names the seconds of a wait of %i ms so that nobody comes back too early: %i", async (msBeforeNext, seconds) => {
  const counter = new RateLimiterMemory({ points: 1, duration: 1 });
  vi.spyOn(counter, "consume").mockRejectedValue(new RateLimiterRes(0, msBeforeNext));
  const limit = createLimit(RateLimits.parse({}), () => counter)("feed");
  const request = { ip: "198.51.100.1", request: {}, state: {} } as unknown as Parameters<typeof limit>[0];
  await expect(limit(request, () => Promise.resolve())).rejects.toMatchObject({
    reason: { name: "too_many_requests", retryAfterSeconds: seconds },
  });
});

it.each([
  [4, 2, "passes", "passes", "waits"],
  [3, 3, "passes", "waits", "waits"],
  [3, 20, "passes", "waits", "waits"],
])("of %i a minute lets calls that cost %i through: %s, %s, %s", async (points, cost, ...outcomes) => {
  const rates = RateLimits.parse({ createPerDevice: { free: points, pro: points } });
  const limit = createLimit(rates, countInMemory)("create", () => cost);
  const viewer = { deviceId: "device", userId: null, tier: "free" };
  const request = { ip: "198.51.100.1", request: {}, state: { viewer } } as unknown as Parameters<typeof limit>[0];
  for (const outcome of outcomes)
    expect(
      await limit(request, () => Promise.resolve()).then(
        () => "passes",
        () => "waits",
      ),
    ).toBe(outcome);
});

describe("the rate limit of conversions", () => {
  it("refuses one device with the seconds to wait in header and sentence, and no other device", async () => {
    const device = await server.newDevice();
    const other = await server.newDevice();
    expect(await statusesOf(5, device)).toEqual([422, 422, 422, 422, 422]);
    const refused = await ask(device);
    const seconds = Number(refused.headers.get("retry-after"));
    expect([refused.status, seconds > 0 && seconds <= 60]).toEqual([429, true]);
    expect(ErrorBody.parse(await refused.json())).toEqual({
      code: "rate_limited",
      message: `Too many conversions in one minute. Try again in ${seconds} seconds.`,
      reason: { name: "too_many_requests", retryAfterSeconds: seconds },
    });
    expect((await ask(other)).status).toBe(422);
    expect((await device.call("GET", "/api/conversions")).status).toBe(200);
  });

  it("counts by user over all devices, and allows more on Pro", async () => {
    const one = await server.newDevice();
    const two = await server.newDevice();
    for (const device of [one, two]) await server.signIn(device, { email: "often@example.com" });
    signedIn = one;
    expect([...(await statusesOf(3, one, "198.51.100.2")), ...(await statusesOf(2, two, "198.51.100.2"))]).toEqual([
      422, 422, 422, 422, 429,
    ]);
    await server.setTier("often@example.com", "pro");
    expect(await statusesOf(4, one, "198.51.100.2")).toEqual([422, 422, 422, 422]);
    // Each line of a batch counts as one conversion.
    const batch = await two.call(
      "POST",
      "/api/batch-conversions",
      { urls: ["a", "", "b", "c", "d", "e", "f"], format: "mp3" },
      { "x-forwarded-for": "198.51.100.2" },
    );
    expect(batch.status).toBe(429);
  });

  it("counts a retry as a conversion, and the retry of a batch as the largest batch", async () => {
    const device = await server.newDevice();
    const from = { "x-forwarded-for": "198.51.100.5" };
    const retry = async (path: string) => (await device.call("POST", `${path}/retry`, {}, from)).status;
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push(await retry("/api/conversions/none"));
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429]);
    const free = await server.newDevice();
    const pro = await server.newDevice();
    await server.signIn(pro, { email: "batches@example.com" });
    await server.setTier("batches@example.com", "pro");
    // Its minute is over with one, also where the largest batch has more jobs than a minute may.
    for (const [other, address] of [
      [free, "198.51.100.6"],
      [pro, "198.51.100.7"],
    ] as const) {
      const ofBatch = { "x-forwarded-for": address };
      const retryBatch = () => other.call("POST", "/api/batch-conversions/none/retry", {}, ofBatch);
      expect([(await retryBatch()).status, (await ask(other, address)).status]).toEqual([404, 429]);
    }
  });

  it("counts by the address that the proxy names", async () => {
    const devices = await Promise.all(Array.from({ length: 6 }, () => server.newDevice()));
    const statuses: number[] = [];
    for (const device of devices) statuses.push(...(await statusesOf(4, device, "198.51.100.3")));
    expect(statuses.filter((status) => status === 429)).toHaveLength(24 - 22);
    expect((await ask(await server.newDevice(), "198.51.100.4")).status).toBe(422);
    // The same address, written as IPv6.
    expect((await ask(await server.newDevice(), "::ffff:198.51.100.3")).status).toBe(429);
  });

  it("counts all addresses of an IPv6 network as one, and another network separately", async () => {
    const devices = await Promise.all(Array.from({ length: 6 }, () => server.newDevice()));
    const statuses: number[] = [];
    for (const [n, device] of devices.entries())
      statuses.push(...(await statusesOf(4, device, `2001:db8:0:1:${n}::1`)));
    expect(statuses.filter((status) => status === 429)).toHaveLength(24 - 22);
    expect((await ask(await server.newDevice(), "2001:db8:0:2::1")).status).toBe(422);
  });
});

it("limits how often a user exports an account", async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await signedIn.call("GET", "/api/account/export")).status);
  expect(statuses).toEqual([200, 200, 429]);
});

it("redirects too many sign-ins to the sign-in page with rate_limited", async () => {
  // From an address of its own: the minute of another one may end in between.
  const headers = { "sec-fetch-site": "same-origin", accept: "text/html", "x-forwarded-for": "198.51.100.6" };
  const visit = (path: string) => fetch(`${server.origin}${path}`, { headers, redirect: "manual" });
  for (let n = 0; n < 6; n += 1) await visit("/api/login");
  const refused = await visit("/api/login");
  expect([refused.status, refused.headers.get("location")]).toEqual([302, "/login?error=rate_limited"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  // The router accepts other spellings of the path; the limit must too.
  for (const path of ["/api/login/", "/api/LOGIN", "/api/Login/?here"])
    expect([path, (await visit(path)).headers.get("location")]).toEqual([path, "/login?error=rate_limited"]);
});

it("does not count sign-ins that a page of another site begins", async () => {
  const visit = async (site: string) => {
    const headers = { "sec-fetch-site": site, accept: "text/html", "x-forwarded-for": "198.51.100.7" };
    const answer = await fetch(`${server.origin}/api/login`, { headers, redirect: "manual" });
    return answer.headers.get("location");
  };
  for (let n = 0; n < 10; n += 1) expect(await visit("cross-site")).toBe("/login");
  expect(await visit("same-origin")).toMatch(/\/development-sign-in\/auth\?/);
});

it("refuses more active conversions than the plan allows with 429", async () => {
  const device = await server.newDevice();
  const jobs = [];
  for (let n = 0; n < 3; n += 1) jobs.push(await device.convert(`${server.site.urlOf("slow")}?n=${n}`));
  const refused = await device.call("POST", "/api/conversions", {
    youtubeUrl: server.site.urlOf("rain"),
    format: "mp3",
  });
  expect([refused.status, refused.headers.get("retry-after"), ErrorBody.parse(await refused.json()).message]).toEqual([
    429,
    "10",
    "You have 3 conversions running, which is the most at a time. Wait until one has finished.",
  ]);
  for (const { id } of jobs) await device.call("DELETE", `/api/conversions/${id}`);
  const taken = await device.convert(server.site.urlOf("slow"));
  await device.call("DELETE", `/api/conversions/${taken.id}`);
});

it("refuses more sockets of one device than allowed", async () => {
  const device = await server.newDevice();
  const open = async () => {
    const socket = io(server.origin, {
      extraHeaders: { cookie: device.cookie },
      transports: ["websocket"],
      forceNew: true,
      reconnection: false,
    });
    const refusal = await new Promise<unknown>((resolve) => {
      socket.once("snapshot", () => resolve(null));
      socket.once("connect_error", (error: Error & { data?: unknown }) => resolve(error.data));
    });
    return { socket, refusal };
  };
  const sockets = [await open(), await open(), await open()];
  expect(sockets.map(({ refusal }) => refusal)).toEqual([
    null,
    null,
    { code: "rate_limited", message: expect.stringMatching(/^Too many open pages/) },
  ]);
  for (const { socket } of sockets) socket.disconnect();
});
