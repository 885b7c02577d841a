import { expect, it } from "vitest";
import { createNetworkCode, networkOf, subnetOf } from "./network.ts";

it.each([
  ["198.51.100.7", "198.51.100.7"],
  ["::ffff:198.51.100.7", "198.51.100.7"],
  ["::FFFF:c633:6407", "198.51.100.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
  ["::1", "::/64"],
  ["fe80::1%eth0", "fe80::/64"],
  ["unknown", "unknown"],
  ["", ""],
])("%j counts as %j", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it.each([
  ["198.51.100.7", "198.51.100.0/24"],
  ["::ffff:198.51.100.255", "198.51.100.0/24"],
  ["198.51.101.0", "198.51.101.0/24"],
  ["2001:db8:1:2:ffff:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:3::", "2001:db8:1:3::/64"],
  ["unknown", "unknown"],
])("%j is in the subnet %j", (address, subnet) => {
  expect(subnetOf(address)).toBe(subnet);
});

it("gives addresses of one network the same code, which depends on a secret", () => {
  const code = createNetworkCode("a-secret");
  expect(code("198.51.100.7")).toMatch(/^[\w-]{16}$/);
  expect(code("198.51.100.250")).toBe(code("198.51.100.7"));
  expect(code("198.51.101.7")).not.toBe(code("198.51.100.7"));
  expect(createNetworkCode("another")("198.51.100.7")).not.toBe(code("198.51.100.7"));
});
