import { expect, it } from "vitest";
import { networkOf } from "./network.ts";

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
