/** Signing in on servers that are set up in other ways. */
import { describe, expect, it } from "vitest";
import { PublicConfig } from "../../../common/api.ts";
import { createDeviceCookies } from "../../domain/accounts/device-cookie.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

/** As browsers send it with navigations that our own pages begin. */
const OWN = { "sec-fetch-site": "same-origin", accept: "text/html" };

describe("signing in", () => {
  it("is not available in production without a configured provider", async () => {
    await using bare = await startTestServer({
      hasExtractor: false,
      NODE_ENV: "production",
      MONGODB_URI: "mongodb://given.example/by-the-harness",
      SESSION_KEYS: "k".repeat(32),
    });
    const device = await bare.newDevice();
    expect(PublicConfig.parse(await (await device.call("GET", "/api/config")).json()).signInAvailable).toBe(false);
    expect((await device.visit("/api/login")).headers.get("location")).toBe("/login?error=unavailable");
  });

  it("sets cookies of this host only where the public address is https, and keeps the ids of older ones", async () => {
    await using secure = await startTestServer({ hasExtractor: false, PUBLIC_URL: "https://tapedeck.example" });
    const ask = async (path: string, cookie = "") => {
      const answer = await fetch(`${secure.origin}${path}`, { headers: { cookie, ...OWN }, redirect: "manual" });
      return { text: await answer.text(), cookies: answer.headers.getSetCookie() };
    };
    const first = await ask("/api/login?here");
    expect(first.cookies.length).toBeGreaterThanOrEqual(4);
    for (const line of first.cookies) {
      expect(line).toMatch(/^__Host-tapedeck\.(?:device|session)(?:\.sig)?=.*path=\/.*; secure/i);
      expect(line).not.toMatch(/domain=/i);
    }
    // As an earlier version issued them.
    const older = createDeviceCookies(secure.config.env.SESSION_KEYS ?? [], false).issue();
    const renewed = await ask("/api/device-info", older.setCookie.map((line) => line.split(";")[0]).join("; "));
    expect(JSON.parse(renewed.text)).toMatchObject({ deviceId: older.deviceId });
    const cookie = renewed.cookies.map((line) => line.split(";")[0]).join("; ");
    expect(cookie).toMatch(/^__Host-tapedeck\.device=/);
    const again = await ask("/api/device-info", cookie);
    expect(JSON.parse(again.text)).toMatchObject({ deviceId: older.deviceId });
    expect(again.cookies).toEqual([]);
  });
});
