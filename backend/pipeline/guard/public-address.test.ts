import { describe, expect, it } from "vitest";
import { addressBehind, isPublicAddress, operatorAllows } from "./public-address.ts";

describe("isPublicAddress", () => {
  it.each(["8.8.8.8", "142.250.74.46", "1.1.1.1", "2a00:1450:4001:82a::200e", "2606:4700:4700::1111"])(
    "accepts %s",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ["this host", "0.0.0.0"],
    ["loopback", "127.0.0.1"],
    ["another loopback address", "127.8.9.10"],
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.254"],
    ["private", "192.168.1.1"],
    ["link-local, the metadata service of clouds", "169.254.169.254"],
    ["the metadata service of Azure", "168.63.129.16"],
    ["the metadata service of Alibaba", "100.100.100.200"],
    ["the metadata service of Oracle", "192.0.0.192"],
    ["the metadata service of Amazon in IPv6", "fd00:ec2::254"],
    ["the metadata service of Google in IPv6", "fd20:ce::254"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["protocol assignments", "192.0.0.1"],
    ["documentation", "192.0.2.1"],
    ["benchmarks", "198.18.0.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified IPv6", "::"],
    ["loopback IPv6", "::1"],
    ["mapped IPv4", "::ffff:127.0.0.1"],
    ["mapped public IPv4", "::ffff:8.8.8.8"],
    ["mapped IPv4 in hexadecimal", "::ffff:7f00:1"],
    ["compatible IPv4", "::127.0.0.1"],
    ["translated IPv4", "::ffff:0:127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["local NAT64", "64:ff9b:1::7f00:1"],
    ["6to4", "2002:7f00:1::"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["unique local", "fc00::1"],
    ["unique local", "fd12:3456::1"],
    ["link-local IPv6", "fe80::1"],
    ["link-local IPv6 with a zone", "fe80::1%lo"],
    ["site-local IPv6", "fec0::1"],
    ["multicast IPv6", "ff02::1"],
    ["documentation IPv6", "2001:db8::1"],
    ["no address", "localhost"],
    ["a spelling that only some parsers accept", "0x7f.1"],
    ["a spelling that only some parsers accept", "2130706433"],
    ["a spelling that only some parsers accept", "0177.0.0.1"],
    ["empty text", ""],
  ])("rejects %s: %s", (_, address) => {
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
