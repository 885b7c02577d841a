import { describe, expect, it } from "vitest";
import { createDeviceCookies, DEVICE_COOKIE } from "./device-cookie.ts";

const KEYS = ["newest-key-newest-key-newest-key-1", "older-key-older-key-older-key-older"];
const cookies = createDeviceCookies(KEYS, false);

function issued(from = cookies): { deviceId: string; header: string; pairs: string[] } {
  const { deviceId, setCookie } = from.issue();
  const pairs = setCookie.map((line) => line.split(";")[0] ?? "");
  return { deviceId, header: pairs.join("; "), pairs };
}

describe("a device cookie", () => {
  it("proves the device it was issued to, among whatever else the browser sends", () => {
    const { deviceId, header } = issued();
    expect(cookies.read(header)).toBe(deviceId);
    expect(cookies.read(`theme=dark; ${header}; other=1`)).toBe(deviceId);
  });

  it("is another for every device", () => {
    expect(new Set(Array.from({ length: 100 }, () => issued().deviceId)).size).toBe(100);
  });

  it("still counts when its key is no longer the newest, and not once its key is gone", () => {
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
    ["an invented id under a true signature", `${DEVICE_COOKIE}=00000000-0000-4000-8000-000000000000; ${signature}`],
    ["a signature cut short", `${id}; ${signature.slice(0, -1)}`],
    ["a signature with one letter changed", `${id}; ${signature.slice(0, -1)}${signature.endsWith("A") ? "B" : "A"}`],
    ["an id in capitals", `${id.replace(/=.*/, (value) => value.toUpperCase())}; ${signature}`],
    ["an id that is none", `${DEVICE_COOKIE}=admin; ${signature}`],
    [
      "a signature by another's key",
      issued(createDeviceCookies(["stranger-stranger-stranger-stranger"], false)).header,
    ],
    ["a database operator", `${DEVICE_COOKIE}[$ne]=x; ${signature}`],
  ])("made of %s counts as none", (_, header) => {
    expect(cookies.read(header)).toBeNull();
  });

  it("takes the first when a page of a neighbouring host has put a second one behind it", () => {
    expect(cookies.read(`${one.header}; ${two.pairs[0]}`)).toBe(one.deviceId);
  });

  it.each([
    [true, true],
    [false, false],
  ])(
    "on https (%s) is for https alone (%s); never for scripts, nor sent along from other sites' forms",
    (isSecure, marked) => {
      for (const line of createDeviceCookies(KEYS, isSecure).issue().setCookie) {
        const attributes = line.split("; ").slice(1);
        expect(attributes).toEqual([
          "Path=/",
          `Max-Age=${400 * 86_400}`,
          "HttpOnly",
          "SameSite=Lax",
          ...(marked ? ["Secure"] : []),
        ]);
      }
    },
  );
});
