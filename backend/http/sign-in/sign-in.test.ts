import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import mongoose from "mongoose";
import { describe, expect, it } from "vitest";
import { DeviceInfo, PublicConfig, User } from "../../../common/api.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { startTestServer, walkThroughSignIn, type TestDevice } from "../../dev/testing/test-server.ts";

const server = await ofFile(
  startTestServer({
    hasExtractor: false,
    settings: { realtime: { sessionCheckMs: 100, tierPollMs: 100 } },
  }),
);

/** As browsers send it with navigations that our own pages begin. */
const OWN = { "sec-fetch-site": "same-origin", accept: "text/html" };

const userOf = async (device: TestDevice) =>
  User.strict().parse(await (await device.call("GET", "/api/auth/user")).json());
const statusOf = async (device: TestDevice) => (await device.call("GET", "/api/auth/user")).status;

describe("signing in", () => {
  it("creates a user, and finds the same user at the next sign-in", async () => {
    const device = await server.newDevice();
    expect(await statusOf(device)).toBe(401);
    await server.signIn(device, { email: "Ada@example.com", firstName: "Ada" });
    const user = await userOf(device);
    expect(user).toMatchObject({
      email: "ada@example.com",
      firstName: "Ada",
      tier: "free",
      usage: { totalConversions: 0, totalDataUsed: 0 },
    });
    expect(DeviceInfo.parse(await (await device.call("GET", "/api/device-info")).json())).toMatchObject({
      authenticated: true,
      userId: user.id,
    });
    const other = await server.newDevice();
    await server.signIn(other, { email: "ada@example.com" });
    expect(await userOf(other)).toMatchObject({ id: user.id });
    expect((await userOf(other)).firstName).toBeUndefined();
  });

  it("works for a second user in the same browser, with or without signing out first", async () => {
    const device = await server.newDevice();
    for (const email of ["first@example.com", "second@example.com", "first@example.com"]) {
      await server.signIn(device, { email });
      expect(await userOf(device)).toMatchObject({ email });
      await device.call("GET", "/api/logout");
      expect(await statusOf(device)).toBe(401);
    }
    await server.signIn(device, { email: "first@example.com" });
    await server.signIn(device, { email: "second@example.com" });
    expect(await userOf(device)).toMatchObject({ email: "second@example.com" });
  });

  it.each(["", "&code=", "&code=a&code=b", "&code[]=a"])(
    "fails with invalid when the answer has the right state but no code: %j",
    async (query) => {
      const device = await server.newDevice();
      const begun = await device.visit("/api/login");
      const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? "";
      const path = `/api/sign-in/provider/callback?state=${encodeURIComponent(state)}`;
      const answer = await device.visit(`${path}${query}`);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, "/login?error=invalid"]);
      expect(await statusOf(device)).toBe(401);
      // A state is good for one answer.
      expect((await device.visit(`${path}&code=a`)).headers.get("location")).toBe("/login?error=expired");
    },
  );

  it("goes on after an answer of another sign-in", async () => {
    const device = await server.newDevice();
    const begun = await device.visit("/api/login");
    const foreign = await device.visit("/api/sign-in/provider/callback?state=other&code=x");
    expect(foreign.headers.get("location")).toBe("/login?error=invalid");
    const start = begun.headers.get("location") ?? "";
    expect(await walkThroughSignIn(device, { email: "undisturbed@example.com" }, start)).toBe("/");
    expect(await statusOf(device)).toBe(200);
  });

  it.each([
    ["/interaction/none", 400],
    ["/interaction/none/cancel", 400],
    ["/auth/none", 400],
    ["/auth?client_id=nobody", 400],
  ])("shows a page with a link back when the development provider refuses %s", async (path, status) => {
    const answer = await (await server.newDevice()).visit(`/development-sign-in${path}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
    const page = await answer.text();
    expect(page).toContain("Please begin again");
    expect(page).toContain(`href="${server.origin}/login"`);
  });

  it("is available in the public configuration", async () => {
    const device = await server.newDevice();
    expect(PublicConfig.parse(await (await device.call("GET", "/api/config")).json()).signInAvailable).toBe(true);
  });

  it("redirects with refused and without a session when the user cancels", async () => {
    const device = await server.newDevice();
    let url = "/api/login";
    while (!url.includes("/interaction/"))
      url = new URL((await device.visit(url)).headers.get("location") ?? "", new URL(url, device.origin)).href;
    const page = await device.visit(url);
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
    expect(await page.text()).toContain("For development only");
    expect((await device.visit(url, { email: "no address" })).status).toBe(400);
    url += "/cancel";
    while (!/\/login\?/.test(url))
      url = new URL((await device.visit(url)).headers.get("location") ?? "", new URL(url, device.origin)).href;
    expect(new URL(url).search).toBe("?error=refused");
    expect(await statusOf(device)).toBe(401);
  });

  it("begins at the public address when the site is opened at another one", async () => {
    const [answer] = (await once(
      request(`${server.origin}/api/login`, { headers: { host: "localhost", ...OWN } }).end(),
      "response",
    )) as [IncomingMessage];
    answer.resume();
    expect(answer.headers.location).toBe(`${server.origin}/api/login?here`);
    expect(await walkThroughSignIn(await server.newDevice(), { email: "here@example.com" })).toBe("/");
  });

  it("renews the session of a browser that keeps visiting", async () => {
    const device = await server.newDevice();
    await server.signIn(device, { email: "rolling@example.com" });
    const untouched = await device.call("GET", "/api/auth/user");
    expect(untouched.headers.getSetCookie()).toEqual([]);
    await server.ageSessions("rolling@example.com", 20 * 24 * 60 * 60 * 1_000);
    const renewed = await device.call("GET", "/api/auth/user");
    expect(renewed.headers.getSetCookie().join("\n")).toMatch(
      /tapedeck\.session=[^;]+;.*expires=.*samesite=lax; httponly/i,
    );
    expect((await device.call("GET", "/api/auth/user")).headers.getSetCookie()).toEqual([]);
  });

  it("gives the browser a new device id, so that whoever knows the old one sees nothing", async () => {
    const device = await server.newDevice();
    const before = device.cookie;
    const idOf = async (cookie: string) =>
      DeviceInfo.parse(await (await fetch(`${server.origin}/api/device-info`, { headers: { cookie } })).json());
    const { deviceId } = await idOf(before);
    await server.signIn(device, { email: "planted@example.com" });
    const signedIn = await idOf(device.cookie);
    expect(signedIn).toMatchObject({ authenticated: true, deviceId: expect.not.stringContaining(deviceId) });
    // The old device cookie with the new session is no sign-in.
    const session = device.cookie.split("; ").filter((pair) => pair.startsWith("tapedeck.session"));
    expect(await idOf([before, ...session].join("; "))).toMatchObject({ deviceId, authenticated: false });
  });

  it("keeps no token of the provider", async () => {
    await server.signIn(await server.newDevice(), { email: "tokens@example.com" });
    const connection = await mongoose.createConnection(server.mongodbUri).asPromise();
    for (const name of ["sessions", "users"]) {
      const stored = JSON.stringify(await connection.collection(name).find().toArray());
      expect(stored).toContain('"_id"');
      // A signed token begins with `{"` in base64.
      expect(stored).not.toMatch(/eyJ|_token/);
    }
    await connection.close();
  });

  it("changes the session id, and rejects the old one", async () => {
    const device = await server.newDevice();
    await device.visit("/api/login");
    const before = device.cookie;
    expect(await walkThroughSignIn(device, { email: "new@example.com" })).toBe("/");
    const name = (cookie: string) => /tapedeck\.session=([^;]+)/.exec(cookie)?.[1];
    expect(name(before)).toBeDefined();
    expect(name(device.cookie)).not.toBe(name(before));
    const answer = await fetch(`${server.origin}/api/auth/user`, { headers: { cookie: before } });
    expect(answer.status).toBe(401);
  });
});
