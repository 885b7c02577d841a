/** What programs may do with a token, over HTTP and over a socket. */
import { io, type ManagerOptions, type Socket } from "socket.io-client";
import { describe, expect, it } from "vitest";
import { ErrorBody } from "../../../common/errors.ts";
import { SnapshotEvent } from "../../../common/events.ts";
import { Job } from "../../../common/job.ts";
import { CreatedToken, TokenList, type TokenScope } from "../../../common/token-calls.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";

const PRO = "pro@example.com";
const server = await ofFile(
  startTestServer(
    { hasExtractor: false, settings: { realtime: { socketsPerDevice: 3 } } },
    undefined,
    convertWithoutTools,
  ),
);
const pro = await signIn(PRO, "pro");

async function signIn(email: string, tier: "free" | "pro"): Promise<TestDevice> {
  const device = await server.newDevice();
  await server.signIn(device, { email });
  await server.setTier(email, tier);
  return device;
}

async function makeToken(device: TestDevice, ...scopes: TokenScope[]): Promise<CreatedToken> {
  const answer = await device.call("POST", "/api/tokens", { name: "A program", scopes });
  expect(answer.status).toBe(201);
  return CreatedToken.parse(await answer.json());
}

/** A call as a program makes it: without cookies and origin. */
function call(secret: string, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(server.origin + path, {
    method,
    redirect: "manual",
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function codeOf(answer: Response): Promise<string> {
  return ErrorBody.parse(await answer.json()).code;
}

const LINK = () => ({ youtubeUrl: server.site.urlOf("rain"), format: "mp3" });

it("converts a link, follows the job and downloads the file", async () => {
  const { secret } = await makeToken(pro, "read", "convert", "download");
  const socket = connect(secret);
  const completed = new Promise<Job>((resolve) =>
    socket.on("job", (job: unknown) => {
      const known = Job.parse(job);
      if (known.status === "completed") resolve(known);
    }),
  );
  await untilEvent(socket, "snapshot");
  const created = await call(secret, "POST", "/api/conversions", LINK());
  expect(created.status).toBe(201);
  expect(created.headers.getSetCookie()).toEqual([]);
  const { id, quality } = Job.parse(await created.json());
  expect(quality).toBe("320kbps");
  expect((await completed).id).toBe(id);
  const file = await call(secret, "GET", `/api/conversions/${id}/file`);
  expect(file.status).toBe(200);
  expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(0);
  // The page of the same user has the job too.
  expect(((await (await pro.call("GET", "/api/conversions")).json()) as Job[]).map((job) => job.id)).toContain(id);
  expect((await call(secret, "DELETE", `/api/conversions/${id}`)).status).toBe(204);
  socket.disconnect();
});

describe("a token with one scope", () => {
  it.each<[TokenScope, string, string, number]>([
    ["read", "GET", "/api/conversions", 200],
    ["read", "HEAD", "/api/conversions", 200],
    ["read", "GET", "/api/usage", 200],
    ["read", "GET", "/api/auth/user", 200],
    ["read", "GET", "/api/config", 200],
    ["read", "POST", "/api/conversions", 403],
    ["read", "POST", "/api/preview", 403],
    ["read", "GET", "/api/conversions/none/file", 403],
    ["read", "GET", "/api/Conversions/none/file/", 403],
    ["convert", "POST", "/api/conversions", 201],
    ["convert", "GET", "/api/conversions", 403],
    ["convert", "DELETE", "/api/conversions/none", 404],
    ["download", "GET", "/api/conversions/none/file", 404],
    ["download", "GET", "/api/batch-conversions/none/zip", 404],
    ["download", "GET", "/api/conversions", 403],
    ["download", "POST", "/api/conversions", 403],
  ])("%s: %s %s answers %i", async (scope, method, path, status) => {
    const { secret } = await makeToken(pro, scope);
    const answer = await call(secret, method, path, method === "POST" ? LINK() : undefined);
    expect(answer.status).toBe(status);
    const refusal = answer.ok || status === 404 ? null : await codeOf(answer);
    expect(refusal).toBe(status === 403 ? "missing_scope" : null);
    await revokeAll(pro);
  });
});

it.each([
  ["GET", "/api/tokens"],
  ["POST", "/api/tokens"],
  ["DELETE", "/api/tokens/none"],
  ["GET", "/api/account/export"],
  ["DELETE", "/api/account"],
  ["POST", "/api/billing-portal"],
  ["POST", "/api/logout-everywhere"],
  ["GET", "/api/login"],
  ["GET", "/api/no-such-route"],
])("refuses %s %s to every token", async (method, path) => {
  const { secret } = await makeToken(pro, "read", "convert", "download");
  const answer = await call(secret, method, path, method === "GET" ? undefined : {});
  expect([answer.status, await codeOf(answer)]).toEqual([403, "missing_scope"]);
  await revokeAll(pro);
});

it("does not show a stranger's job", async () => {
  const { secret } = await makeToken(await signIn("stranger@example.com", "free"), "read", "download");
  const { id } = await pro.convert(server.site.urlOf("rain"));
  expect((await call(secret, "GET", `/api/conversions/${id}`)).status).toBe(404);
  expect((await call(secret, "GET", `/api/conversions/${id}/file`)).status).toBe(404);
  expect(await (await call(secret, "GET", "/api/conversions")).json()).toEqual([]);
});

it("refuses a token that was revoked or never made, also beside valid cookies, and closes its socket", async () => {
  const { id, secret } = await makeToken(pro, "read");
  const socket = connect(secret);
  await untilEvent(socket, "snapshot");
  const closed = untilEvent(socket, "disconnect");
  expect((await pro.call("DELETE", `/api/tokens/${id}`)).status).toBe(204);
  await closed;
  for (const bad of [secret, `${secret.slice(0, -1)}-`, "tapedeck_", "x"]) {
    const answer = await call(bad, "GET", "/api/conversions");
    expect([answer.status, await codeOf(answer)]).toEqual([401, "invalid_token"]);
  }
  const beside = await pro.call("GET", "/api/conversions", undefined, { authorization: `Bearer ${secret}` });
  expect([beside.status, await codeOf(beside)]).toEqual([401, "invalid_token"]);
  expect(await refusalOf(connect(secret))).toBe("invalid_token");
  expect((await pro.call("DELETE", `/api/tokens/${id}`)).status).toBe(404);
});

it.each([["websocket"], ["polling"]])(
  "opens a socket by %s from a page of another site with a token, and ignores cookies beside it",
  async (transport) => {
    const { secret } = await makeToken(pro, "read");
    const mine = await pro.convert(server.site.urlOf("rain"));
    const stranger = await signIn(`${transport}@example.com`, "free");
    const headers = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site", cookie: stranger.cookie };
    const socket = connect(secret, { transports: [transport], extraHeaders: headers });
    const { jobs } = SnapshotEvent.parse(await untilEvent(socket, "snapshot"));
    expect(jobs.map(({ id }) => id)).toContain(mine.id);
    socket.disconnect();

    const withCookies = connect(null, { transports: [transport], extraHeaders: { ...headers, cookie: pro.cookie } });
    await untilEvent(withCookies, "connect_error");
    await revokeAll(pro);
  },
);

it("opens no socket without the scope to read", async () => {
  const { secret } = await makeToken(pro, "convert", "download");
  expect(await refusalOf(connect(secret))).toBe("missing_scope");
  await revokeAll(pro);
});

it("gives all tokens of an account together as many sockets as a device, beside those of its pages", async () => {
  const device = await signIn("programs@example.com", "pro");
  await device.live();
  const secrets = [await makeToken(device, "read"), await makeToken(device, "read")].map(({ secret }) => secret);
  const [one = "", two = ""] = secrets;
  const sockets: Socket[] = [];
  // One after the other: a socket counts once it is accepted.
  for (const secret of [one, two, one]) {
    const socket = connect(secret);
    await untilEvent(socket, "snapshot");
    sockets.push(socket);
  }
  for (const secret of secrets) expect(await refusalOf(connect(secret))).toBe("rate_limited");
  await untilEvent(connect((await makeToken(pro, "read")).secret), "snapshot");
  for (const socket of sockets) socket.disconnect();
  await revokeAll(pro);
});

it("lists tokens without their secrets, and says when they were used", async () => {
  const { secret, ...token } = await makeToken(pro, "read");
  expect(token.lastUsedAt).toBeNull();
  expect(secret.endsWith(token.ending)).toBe(true);
  await call(secret, "GET", "/api/conversions");
  const text = await (await pro.call("GET", "/api/tokens")).text();
  expect(text).not.toContain(secret);
  const used = TokenList.parse(JSON.parse(text)).tokens[0];
  expect({ ...used, lastUsedAt: null }).toEqual(token);
  expect(used?.lastUsedAt).not.toBeNull();
  const stranger = await signIn("other@example.com", "free");
  expect((await stranger.call("DELETE", `/api/tokens/${token.id}`)).status).toBe(404);
  await revokeAll(pro);
});

it("gives the free plan one token, and keeps the oldest when Pro ends", async () => {
  const device = await signIn("leaver@example.com", "free");
  const first = await makeToken(device, "read");
  const refused = await device.call("POST", "/api/tokens", { name: "Second", scopes: ["read"] });
  expect([refused.status, await codeOf(refused)]).toEqual([402, "pro_required"]);
  await server.setTier("leaver@example.com", "pro");
  const second = await makeToken(device, "read");
  expect((await call(second.secret, "GET", "/api/conversions")).status).toBe(200);
  await server.setTier("leaver@example.com", "free");
  expect((await call(first.secret, "GET", "/api/conversions")).status).toBe(200);
  expect((await call(second.secret, "GET", "/api/conversions")).status).toBe(402);
});

it("refuses the 21st token", async () => {
  const device = await signIn("collector@example.com", "pro");
  for (let count = 0; count < 20; count += 1) await makeToken(device, "read");
  const refused = await device.call("POST", "/api/tokens", { name: "One more", scopes: ["read"] });
  expect([refused.status, await codeOf(refused)]).toEqual([409, "conflict"]);
});

it.each([
  { name: "", scopes: ["read"] },
  { name: "x".repeat(61), scopes: ["read"] },
  { name: "A", scopes: [] },
  { name: "A", scopes: ["read", "read"] },
  { name: "A", scopes: ["all"] },
])("refuses to make a token of %j", async (body) => {
  expect((await pro.call("POST", "/api/tokens", body)).status).toBe(400);
});

it("is made only within ten minutes after its user was asked at the identity provider", async () => {
  const device = await signIn("borrowed@example.com", "free");
  await server.ageSessions("borrowed@example.com", 10 * 60 * 1_000 + 1_000);
  const refused = await device.call("POST", "/api/tokens", { name: "For ever", scopes: ["read"] });
  expect([refused.status, await codeOf(refused)]).toEqual([403, "fresh_sign_in_required"]);
  expect((await device.call("GET", "/api/tokens")).status).toBe(200);
  await server.signIn(device, { email: "borrowed@example.com" });
  await makeToken(device, "read");
});

it("ends when its user signs out everywhere, with its socket", async () => {
  const device = await signIn("everywhere@example.com", "free");
  const { secret } = await makeToken(device, "read");
  const socket = connect(secret);
  await untilEvent(socket, "snapshot");
  const closed = untilEvent(socket, "disconnect");
  expect((await device.call("POST", "/api/logout-everywhere")).status).toBe(200);
  await closed;
  const answer = await call(secret, "GET", "/api/conversions");
  expect([answer.status, await codeOf(answer)]).toEqual([401, "invalid_token"]);
});

it("ends with the account", async () => {
  const device = await signIn("gone@example.com", "free");
  const { secret } = await makeToken(device, "read");
  expect((await device.call("DELETE", "/api/account", { confirmation: "delete my account" })).status).toBe(200);
  expect((await call(secret, "GET", "/api/conversions")).status).toBe(401);
});

async function revokeAll(device: TestDevice): Promise<void> {
  const { tokens } = TokenList.parse(await (await device.call("GET", "/api/tokens")).json());
  for (const { id } of tokens) await device.call("DELETE", `/api/tokens/${id}`);
}

function untilEvent(socket: Socket, event: string): Promise<unknown> {
  return new Promise((resolve) => socket.once(event, resolve));
}

/** @returns the code with which the server refuses the socket */
async function refusalOf(socket: Socket): Promise<string> {
  const { data } = (await untilEvent(socket, "connect_error")) as { readonly data: unknown };
  return ErrorBody.parse(data).code;
}

/** @param secret null for a socket without a token */
function connect(secret: string | null, options: Partial<ManagerOptions> = {}): Socket {
  return io(server.origin, {
    reconnection: false,
    forceNew: true,
    transports: ["websocket"],
    ...options,
    extraHeaders: { ...options.extraHeaders, ...(secret === null ? {} : { authorization: `Bearer ${secret}` }) },
  });
}
