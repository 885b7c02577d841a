/** Long polling, byte for byte: a session is of use only to the browser that began it. */
import { WebSocket } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestDevice, type TestServer } from "../dev/testing/test-server.ts";

const PATH = "/socket.io/?EIO=4&transport=polling";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

interface Polling {
  readonly sid: string;
  /** One request of the session. */
  ask(headers: Record<string, string>, packets?: string): Promise<{ status: number; text: string; headers: Headers }>;
}

async function ask(path: string, headers: Record<string, string>, packets?: string): ReturnType<Polling["ask"]> {
  const answer = await fetch(`${server.origin}${path}`, {
    headers,
    ...(packets === undefined ? {} : { method: "POST", body: packets }),
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

/** Begins a session and joins, without reading what the server has to say. */
async function begin(cookie: string): Promise<Polling> {
  const { text } = await ask(PATH, { cookie });
  const [, sid = ""] = /"sid":"([^"]+)"/.exec(text) ?? [];
  const polling: Polling = { sid, ask: (headers, packets) => ask(`${PATH}&sid=${sid}`, headers, packets) };
  expect((await polling.ask({ cookie }, "40")).text).toBe("ok");
  return polling;
}

/** What the server sends until the list of jobs has come. */
async function readSnapshot(polling: Polling, cookie: string): Promise<string> {
  let seen = "";
  while (!seen.includes('"snapshot"')) {
    const { status, text } = await polling.ask({ cookie });
    expect(status).toBe(200);
    seen += text;
    if (text === "2") await polling.ask({ cookie }, "3");
  }
  return seen;
}

/** Tries to take a session over by WebSocket. @returns whether the server let it */
async function upgrade(sid: string, headers: Record<string, string>): Promise<boolean> {
  const socket = new WebSocket(
    `${server.origin.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket&sid=${sid}`,
    { headers },
  );
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.addEventListener("open", () => resolve(true));
  socket.addEventListener("error", () => resolve(false));
  const isOpen = await promise;
  socket.close();
  return isOpen;
}

describe("whoever knows the id of a session", () => {
  let mine: TestDevice;
  let theirs: TestDevice;
  beforeAll(async () => {
    [mine, theirs] = [await server.newDevice(), await server.newDevice()];
  });

  it.each<[string, () => Record<string, string>]>([
    ["with another browser's cookies", () => ({ cookie: theirs.cookie })],
    ["without cookies", () => ({})],
    ["with a forged device", () => ({ cookie: mine.cookie.replace(/sig=.*/, "sig=forged") })],
    ["from a page of another site", () => ({ cookie: mine.cookie, origin: "https://evil.example" })],
    ["from a page without an origin", () => ({ cookie: mine.cookie, origin: "null" })],
    ["from a page that the browser calls cross-site", () => ({ cookie: mine.cookie, "sec-fetch-site": "cross-site" })],
    ["from a page that the browser calls same-site", () => ({ cookie: mine.cookie, "sec-fetch-site": "same-site" })],
  ])("%s reads nothing, sends nothing and upgrades nothing, and its owner goes on", async (_, headers) => {
    const job = await mine.convert(server.site.urlOf("slow"));
    const polling = await begin(mine.cookie);
    const refusals = [await polling.ask(headers()), await polling.ask(headers(), "1")];
    for (const { status, text } of refusals) {
      expect(status).toBe(403);
      expect(text).not.toContain(job.id);
    }
    expect(await upgrade(polling.sid, headers())).toBe(false);
    expect(await readSnapshot(polling, mine.cookie)).toContain(job.id);
    expect(await upgrade(polling.sid, { cookie: mine.cookie, origin: server.origin })).toBe(true);
    await mine.call("DELETE", `/api/conversions/${job.id}`);
  });
});

it("cookies that are renewed with the same ids keep the session; those of another sign-in of the same browser do not", async () => {
  const device = await server.newDevice();
  await server.signIn(device, { email: "rolling@example.com" });
  const before = device.cookie;
  const polling = await begin(before);
  await server.ageSessions("rolling@example.com", server.config.sessionMs * 0.6);
  const answer = await device.call("GET", "/api/auth/user");
  expect(answer.headers.getSetCookie().join()).toContain("tapedeck.session=");
  // In another order, and beside cookies of others.
  const renewed = ["theme=dark", ...device.cookie.split("; ").toReversed()].join("; ");
  await readSnapshot(polling, renewed);
  const anonymous = before
    .split("; ")
    .filter((pair) => !pair.startsWith("tapedeck.session"))
    .join("; ");
  expect((await polling.ask({ cookie: anonymous }, "3")).status).toBe(403);
  const elsewhere = await server.newDevice();
  await server.signIn(elsewhere, { email: "rolling@example.com" });
  expect((await polling.ask({ cookie: elsewhere.cookie }, "3")).status).toBe(403);
  expect((await polling.ask({ cookie: renewed }, "3")).status).toBe(200);
});

it("a browser that begins to sign in keeps the session it has", async () => {
  const device = await server.newDevice();
  const polling = await begin(device.cookie);
  await device.visit("/api/login");
  expect(device.cookie).toContain("tapedeck.session=");
  await readSnapshot(polling, device.cookie);
});

it("is no longer served as script, and never answered as a WebSocket that is none", async () => {
  const { cookie } = await server.newDevice();
  const polling = await begin(cookie);
  for (const path of [
    `${PATH}&j=0`,
    `${PATH}&j=0&sid=${polling.sid}`,
    `${PATH}&j=`,
    "/socket.io/?EIO=4&transport=websocket",
  ]) {
    const { status, text } = await ask(path, { cookie });
    expect([path, status]).toEqual([path, 400]);
    expect(text).not.toContain("___eio");
  }
  const live = await (await server.newDevice()).live();
  expect((await ask(`/socket.io/?EIO=4&transport=websocket&sid=${live.socket.io.engine.id}`, { cookie })).status).toBe(
    400,
  );
});

it("carries the same security headers as every other answer, also when refused", async () => {
  const { cookie } = await server.newDevice();
  const polling = await begin(cookie);
  const wanted = await fetch(`${server.origin}/api/config`);
  const names = [
    "content-security-policy",
    "x-content-type-options",
    "referrer-policy",
    "x-frame-options",
    "cross-origin-resource-policy",
  ];
  const policy = (headers: Headers) => names.map((name) => headers.get(name));
  expect(policy(wanted.headers)).not.toContain(null);
  for (const answer of [
    await ask(PATH, { cookie }),
    await polling.ask({ cookie }),
    await polling.ask({ cookie }, "3"),
    await polling.ask({}),
    await ask("/socket.io/?transport=x", {}),
    await ask("/development-sign-in/interaction/x", {}),
  ])
    expect(policy(answer.headers)).toEqual(policy(wanted.headers));
});
