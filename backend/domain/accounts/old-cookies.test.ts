import Keygrip from "keygrip";
import { describe, expect, it } from "vitest";
import { PLAIN_NAMES } from "./cookie-names.ts";
import { createDeviceCookies } from "./device-cookie.ts";
import { createCookieVerifier } from "./identify-viewer.ts";
import { OLD_NAMES_UNTIL_MS, readOldCookies } from "./old-cookies.ts";

const KEYS = ["newest-key-newest-key-newest-key-1", "older-key-older-key-older-key-older"];
const SESSION_MS = 30 * 24 * 60 * 60 * 1_000;

/** A pair of old cookies, signed with a key of the site. */
function signed(name: string, value: string, key = KEYS[1] ?? ""): string {
  return `${name}=${value}; ${name}.sig=${new Keygrip([key]).sign(`${name}=${value}`)}`;
}
const deviceId = "6f1b0c0e-0000-4000-8000-000000000001";
const oldDevice = signed(PLAIN_NAMES.device, deviceId);
const oldSession = signed(PLAIN_NAMES.session, "the-session");

function open({ isSecure = true, nowMs = OLD_NAMES_UNTIL_MS - 1 } = {}) {
  const old = readOldCookies({ keys: KEYS, isSecure, sessionMs: SESSION_MS, now: () => nowMs });
  const devices = createDeviceCookies(KEYS, isSecure);
  return { old, devices, verify: createCookieVerifier({ devices, oldCookies: old, keys: KEYS, isSecure }) };
}

describe("cookies from before the prefix", () => {
  it("identify the same device and session, and get their new names", () => {
    const { old, verify } = open();
    const header = `theme=dark; ${oldDevice}; ${oldSession}`;
    expect(verify(header)).toEqual({ deviceId, sessionId: "the-session" });
    const lines = old.renew(header);
    expect(lines.map((line) => line.replace(/=.*?;/, ";"))).toEqual([
      "__Host-tapedeck.device; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure",
      "__Host-tapedeck.device.sig; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure",
      "__Host-tapedeck.session; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure",
      "__Host-tapedeck.session.sig; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure",
    ]);
    const renewed = lines.map((line) => line.split(";")[0]).join("; ");
    expect(verify(renewed)).toEqual({ deviceId, sessionId: "the-session" });
    // The browser keeps the old ones beside them.
    expect(old.renew(`${header}; ${renewed}`)).toEqual([]);
  });

  it("of an anonymous device have no session", () => {
    const { old, verify } = open();
    expect(verify(oldDevice)).toEqual({ deviceId, sessionId: null });
    expect(old.renew(oldDevice)).toHaveLength(2);
  });

  it("are not read beside a new device cookie, because a site of the same domain may have planted them", () => {
    const { old, devices, verify } = open();
    const own = devices.issue();
    const header = `${own.setCookie.map((line) => line.split(";")[0]).join("; ")}; ${oldDevice}; ${oldSession}`;
    expect(verify(header)).toEqual({ deviceId: own.deviceId, sessionId: null });
    expect(old.renew(header)).toEqual([]);
  });

  it("are read until the last day, on https only", () => {
    const ended = open({ nowMs: OLD_NAMES_UNTIL_MS });
    expect(ended.verify(oldDevice)).toEqual({ deviceId: null, sessionId: null });
    expect(ended.old.renew(oldDevice)).toEqual([]);
    const plain = open({ isSecure: false });
    expect(plain.verify(`${oldDevice}; ${oldSession}`)).toEqual({ deviceId, sessionId: "the-session" });
    expect(plain.old.renew(oldDevice)).toEqual([]);
  });

  it.each([
    ["with the key of a stranger", signed(PLAIN_NAMES.device, deviceId, "stranger-stranger-stranger-stranger")],
    ["without a signature", `${PLAIN_NAMES.device}=${deviceId}`],
    ["with the signature of another cookie", oldDevice.replace(deviceId, deviceId.replace("1", "2"))],
    ["that are empty", ""],
    ["that are missing", undefined],
  ])("are ignored %s", (_, header) => {
    const { old, verify } = open();
    expect(verify(header)).toEqual({ deviceId: null, sessionId: null });
    expect(old.renew(header)).toEqual([]);
    expect(old.translate(header)).toBe(header);
  });
});
