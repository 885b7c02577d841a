import { describe, expect, it } from "vitest";
import { PLAIN_NAMES } from "./cookie-names.ts";
import { createDeviceCookies } from "./device-cookie.ts";

const DEVICE_COOKIE = PLAIN_NAMES.device;
const KEYS = ["newest-key-newest-key-newest-key-1", "older-key-older-key-older-key-older"];
const cookies = createDeviceCookies(KEYS, false);

function issued(from = cookies): { deviceId: string; header: string; pairs: string[] } {
  const { deviceId, setCookie } = from.issue();
  const pairs = setCookie.map((line) => line.split(";")[0] ?? "");
  return { deviceId, header: pairs.join("; "), pairs };
}

describe("a device cookie", () => {
  it("identifies the device that it was issued to, among other cookies", () => {
    const { deviceId, header } = issued();
    expect(cookies.read(header)).toBe(deviceId);
    expect(cookies.read(`theme=dark; ${header}; other=1`)).toBe(deviceId);
  });

  it("has a different id for every device", () => {
    expect(new Set(Array.from({ length: 100 }, () => issued().deviceId)).size).toBe(100);
  });

  it("is valid with an older key, and invalid when its key was removed", () => {
    const old = issued(createDeviceCookies([KEYS[1] ?? ""], false));
    expect(cookies.read(old.header)).toBe(old.deviceId);
    expect(createDeviceCookies([KEYS[0] ?? ""], false).read(old.header)).toBeNull();
  });

  it("is signed with the newest key", () => {
    const { header, deviceId } = issued();
    expect(createDeviceCookies([KEYS[0] ?? ""], false).read(header)).toBe(deviceId);
    expect(createDeviceCookies([KEYS[1] ?? ""], false).read(header)).toBeNull();
  });

  const one = issued();
  const two = issued();
  const [id = "", signature = ""] = one.pairs;
  it.each<[string, string | undefined]>([
    ["nothing", undefined],
    ["an empty header", ""],
    ["an id without a signature", id],
    ["a signature without an id", signature],
    ["an id with an empty signature", `${id}; ${DEVICE_COOKIE}.sig=`],
    ["another device's signature", `${id}; ${two.pairs[1]}`],
    ["another id with a valid signature", `${DEVICE_COOKIE}=00000000-0000-4000-8000-000000000000; ${signature}`],
    ["a truncated signature", `${id}; ${signature.slice(0, -1)}`],
    ["a signature with one changed letter", `${id}; ${signature.slice(0, -1)}${signature.endsWith("A") ? "B" : "A"}`],
    ["an id in upper case", `${id.replace(/=.*/, (value) => value.toUpperCase())}; ${signature}`],
    ["an id that is not a UUID", `${DEVICE_COOKIE}=admin; ${signature}`],
    [
      "a signature with an unknown key",
      issued(createDeviceCookies(["stranger-stranger-stranger-stranger"], false)).header,
    ],
    ["a database operator", `${DEVICE_COOKIE}[$ne]=x; ${signature}`],
  ])("is rejected: %s", (_, header) => {
    expect(cookies.read(header)).toBeNull();
  });

  it("uses the first of two device cookies, because a sibling domain can append another", () => {
    expect(cookies.read(`${one.header}; ${two.pairs[0]}`)).toBe(one.deviceId);
  });

  it("of http is not accepted on https, nor the other way round", () => {
    const secure = createDeviceCookies(KEYS, true);
    expect(secure.read(issued(cookies).header)).toBeNull();
    expect(cookies.read(issued(secure).header)).toBeNull();
  });

  it.each([
    [true, true],
    [false, false],
  ])("is HttpOnly and SameSite=Lax; on https (%s) it is Secure and of this host only (%s)", (isSecure, isOfHost) => {
    for (const line of createDeviceCookies(KEYS, isSecure).issue().setCookie) {
      const [pair = "", ...attributes] = line.split("; ");
      expect(pair.startsWith("__Host-")).toBe(isOfHost);
      expect(attributes).toEqual([
        "Path=/",
        `Max-Age=${400 * 86_400}`,
        "HttpOnly",
        "SameSite=Lax",
        ...(isOfHost ? ["Secure"] : []),
      ]);
    }
  });
});
