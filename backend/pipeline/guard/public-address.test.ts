import { describe, expect, it } from "vitest";
import { NOT_PUBLIC } from "../../dev/testing/hostile-links.ts";
import { addressBehind, isPublicAddress, operatorAllows } from "./public-address.ts";

describe("isPublicAddress", () => {
  it.each(["8.8.8.8", "142.250.74.46", "1.1.1.1", "2a00:1450:4001:82a::200e", "2606:4700:4700::1111"])(
    "accepts %s",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each(NOT_PUBLIC)("rejects %s: %s", (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

it.each([
  ["a public address", "64:ff9b::808:808", "8.8.8.8"],
  ["loopback", "64:ff9b::7f00:1", "127.0.0.1"],
  ["loopback in dotted form", "64:ff9b::127.0.0.1", "127.0.0.1"],
  ["a metadata service", "64:ff9b::a9fe:a9fe", "169.254.169.254"],
  ["a prefix of one network", "64:ff9b:1::808:808", "64:ff9b:1::808:808"],
  ["another IPv6 address", "2a00:1450::1", "2a00:1450::1"],
  ["IPv4", "8.8.8.8", "8.8.8.8"],
  ["no address", "localhost", "localhost"],
])("finds the address behind NAT64: %s", (_, address, expected) => {
  expect(addressBehind(address)).toBe(expected);
});

describe("operatorAllows", () => {
  const literals = ["::1", "127.0.0.1", "10.1.2.3", "192.168.1.5", "100.64.0.7", "fd12:3456::1"];
  const metadata = ["169.254.169.254", "100.100.100.200", "fd00:ec2::254", "168.63.129.16"];
  const names = ["localhost", "videos.lan", "videos.example", "93.184.215.14"];
  const entries = [...literals, ...metadata, ...names].map((host) => ({ host, port: 8090 }));

  it.each(["localhost", "LOCALHOST", "localhost.", "[::1]", ...literals])("lets %s be private", (host) => {
    expect(operatorAllows(entries, host, 8090)).toBe("private");
  });

  it.each(["videos.lan", "videos.example", "93.184.215.14", "[fd00:ec2::254]", ...metadata])(
    "opens no more than the port of %s",
    (host) => {
      expect(operatorAllows(entries, host, 8090)).toBe("port");
    },
  );

  it.each([
    ["localhost", 8091],
    ["localhost", 80],
    ["sub.localhost", 8090],
    ["127.1", 8090],
    ["sub.videos.lan", 8090],
    ["evilvideos.lan", 8090],
  ])("allows nothing for %s:%d", (host, port) => {
    expect(operatorAllows(entries, host, port)).toBeNull();
  });

  it("allows nothing for an entry without a port", () => {
    for (const port of [80, 443, 8080]) expect(operatorAllows([{ host: "10.1.2.3" }], "10.1.2.3", port)).toBeNull();
  });
});
