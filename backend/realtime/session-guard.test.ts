/** Only the browser that began a session of Engine.IO can use it. */
import { WebSocket } from "undici";
import { beforeAll, describe, expect, it } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import { convertWithoutTools } from "../dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice } from "../dev/testing/test-server.ts";

const PATH = "/socket.io/?EIO=4&transport=polling";

const server = await ofFile(startTestServer({ hasExtractor: false }, undefined, convertWithoutTools));

interface Polling {
  readonly sid: string;
  /** Sends one request of the session. */
  ask(headers: Record<string, string>, packets?: string): Promise<{ status: number; text: string; headers: Headers }>;
}

async function ask(path: string, headers: Record<string, string>, packets?: string): ReturnType<Polling["ask"]> {
  const answer = await fetch(`${server.origin}${path}`, {
    headers,
    method: packets === undefined ? "GET" : "POST",
    body: packets,
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

/** Begins a session and joins Socket.IO, without reading events. */
async function begin(cookie: string): Promise<Polling> {
  const { text } = await ask(PATH, { cookie });
  const [, sid = ""] = /"sid":"([^"]+)"/.exec(text) ?? [];
  const polling: Polling = { sid, ask: (headers, packets) => ask(`${PATH}&sid=${sid}`, headers, packets) };
  expect((await polling.ask({ cookie }, "40")).text).toBe("ok");
  return polling;
}

/** @returns what the server sends up to the snapshot */
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

/** Tries to upgrade a session to a WebSocket. @returns whether the server allowed it */
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

describe("a request with the id of a session", () => {
  let owner: TestDevice;
  let other: TestDevice;
  beforeAll(async () => {
    owner = await server.newDevice();
    other = await server.newDevice();
  });

  it.each<[string, () => Record<string, string>]>([
    ["with another browser's cookies", () => ({ cookie: other.cookie })],
    ["without cookies", () => ({})],
    ["with a forged device", () => ({ cookie: owner.cookie.replace(/sig=.*/, "sig=forged") })],
    ["from a page of another site", () => ({ cookie: owner.cookie, origin: "https://evil.example" })],
    ["from a page without an origin", () => ({ cookie: owner.cookie, origin: "null" })],
    ["from a page that the browser calls cross-site", () => ({ cookie: owner.cookie, "sec-fetch-site": "cross-site" })],
    ["from a page that the browser calls same-site", () => ({ cookie: owner.cookie, "sec-fetch-site": "same-site" })],
  ])("%s is refused with 403, and the session of its owner continues", async (_, headers) => {
    const job = await owner.convert(server.site.urlOf("slow"));
    const polling = await begin(owner.cookie);
    const refusals = [await polling.ask(headers()), await polling.ask(headers(), "1")];
    for (const { status, text } of refusals) {
      expect(status).toBe(403);
      expect(text).not.toContain(job.id);
    }
    expect(await upgrade(polling.sid, headers())).toBe(false);
    expect(await readSnapshot(polling, owner.cookie)).toContain(job.id);
    expect(await upgrade(polling.sid, { cookie: owner.cookie, origin: server.origin })).toBe(true);
    await owner.call("DELETE", `/api/conversions/${job.id}`);
  });
});

it.each(["sid=x&sid=SID", "sid=&sid=SID", "sid=SID&sid=x", "%73id=x&sid=SID", "transport=websocket&sid=SID"])(
  "refuses a request where a parameter comes twice: %s",
  async (parameters) => {
    const { cookie } = await server.newDevice();
    const { sid } = await begin(cookie);
    const twice = parameters.replace("SID", sid);
    for (const packets of [undefined, "1"]) {
      const { status, text } = await ask(`${PATH}&${twice}`, {}, packets);
      expect(status).toBe(400);
      expect(text).not.toContain("snapshot");
    }
    expect(await upgrade(`x&${twice}`, {})).toBe(false);
    expect(await upgrade(sid, { cookie, origin: server.origin })).toBe(true);
  },
);

it("accepts renewed cookies with the same ids, and refuses cookies of another sign-in", async () => {
  const device = await server.newDevice();
  await server.signIn(device, { email: "rolling@example.com" });
  const before = device.cookie;
  const polling = await begin(before);
  await server.ageSessions("rolling@example.com", server.config.sessionMs * 0.6);
  const answer = await device.call("GET", "/api/auth/user");
  expect(answer.headers.getSetCookie().join()).toContain("tapedeck.session=");
  // In another order, and beside foreign cookies.
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

it("keeps the session of a browser that begins to sign in", async () => {
  const device = await server.newDevice();
  const polling = await begin(device.cookie);
  await device.visit("/api/login");
  expect(device.cookie).toContain("tapedeck.session=");
  await readSnapshot(polling, device.cookie);
});

it("refuses JSONP and a WebSocket transport without an upgrade with 400", async () => {
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

it("sends the same security headers with every answer, including refusals", async () => {
  const { cookie } = await server.newDevice();
  const polling = await begin(cookie);
  const wanted = await fetch(`${server.origin}/api/config`);
  const names = [
    "content-security-policy",
    "x-content-type-options",
    "referrer-policy",
    "x-frame-options",
    "cross-origin-resource-policy",
    "permissions-policy",
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
