import { expect, it } from "vitest";
import { createHostCheck } from "./known-host.ts";

const isKnown = createHostCheck("https://tapes.example:8443/");

it.each<[host: string | undefined, path: string, isKnown: boolean]>([
  ["tapes.example", "/", true],
  ["TAPES.example:8443", "/", true],
  // A proxy listens on another port.
  ["tapes.example:3000", "/", true],
  ["localhost:3000", "/api/login?here", true],
  ["127.0.0.1:3000", "/", true],
  ["[::1]:3000", "/", true],
  ["10.0.0.2:3000", "/", true],
  ["[fd00::2]", "/", true],
  // HTTP/1.0, which no browser speaks.
  [undefined, "/", true],
  ["rebound.evil.example:3000", "/", false],
  ["x.tapes.example", "/", false],
  ["tapes.example.", "/", false],
  ["tapes.example.:8443", "/", false],
  ["localhost.:3000", "/", false],
  // IPv4 in a form of IPv6 is an address too.
  ["[::ffff:127.0.0.1]:3000", "/", true],
  // As browsers write a name with letters beyond ASCII; this one looks like "tapes.example" with another "a".
  ["xn--tpes-53d.example", "/", false],
  ["tapes.example%2eevil.example", "/", false],
  ["tapes.example.evil.example", "/", false],
  ["127.0.0.1.evil.example", "/", false],
  ["localhost.evil.example", "/", false],
  ["web-1:3000", "/", false],
  // A balancer asks by the name in its own network, and so does what collects metrics.
  ["web-1:3000", "/readyz", true],
  ["web-1:3000", "/healthz?x", true],
  ["web-1:3000", "/metrics", true],
  ["web-1:3000", "/metrics/../api/login", false],
])("knows %s at %s: %s", (host, path, expected) => {
  expect(isKnown(host, path)).toBe(expected);
});

it("knows the public address in the form that browsers send", () => {
  const isKnownHere = createHostCheck("https://bänder.example/");
  expect(isKnownHere("xn--bnder-gra.example", "/")).toBe(true);
  expect(isKnownHere("bander.example", "/")).toBe(false);
});

it.each<[host: string, isKnown: boolean]>([
  ["nas:3000", true],
  ["NAS.local", true],
  ["nas.lan:3000", true],
  ["nas.home.arpa", true],
  ["nas.internal", true],
  ["localhost", true],
  ["nas.example", false],
  ["local.example:3000", false],
  ["nas.locals", false],
  ["home.arpa.example", false],
])("at home, without a public address, knows %s: %s", (host, expected) => {
  expect(createHostCheck("http://localhost:3000", true)(host, "/")).toBe(expected);
});
