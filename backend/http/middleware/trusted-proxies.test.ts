/** Whose address counts, told by what is limited by address. */
import { expect, it } from "vitest";
import { startTestServer } from "../../dev/testing/test-server.ts";

it.each([
  // [the variable, the headers of three calls, how the third is answered when two are allowed]
  ["false", ["198.51.100.1", "198.51.100.2", "198.51.100.3"], 429, "nobody's word counts"],
  ["1", ["198.51.100.1", "198.51.100.2", "198.51.100.3"], 422, "the proxy's word counts"],
  [
    "1",
    ["192.0.2.1, 198.51.100.1", "192.0.2.2, 198.51.100.1", "192.0.2.3, 198.51.100.1"],
    429,
    "what was there before the proxy's word does not",
  ],
  [
    "2",
    ["192.0.2.1, 198.51.100.1", "192.0.2.2, 198.51.100.1", "192.0.2.3, 198.51.100.1"],
    422,
    "the first of two proxies names the visitor",
  ],
  [
    "true",
    ["192.0.2.1, 198.51.100.1", "192.0.2.2, 198.51.100.1", "192.0.2.3, 198.51.100.1"],
    422,
    "anybody's word counts",
  ],
])("TRUST_PROXY=%s with %j: %i, %s", async (trust, headers, status) => {
  await using server = await startTestServer({
    TRUST_PROXY: trust,
    settings: { rates: { createPerAddress: { free: 2, pro: 10_000 } } },
  });
  const statuses: number[] = [];
  for (const header of headers) {
    const device = await server.newDevice();
    statuses.push(
      (await device.call("POST", "/api/conversions", { youtubeUrl: "cats" }, { "x-forwarded-for": header })).status,
    );
  }
  expect(statuses).toEqual([422, 422, status]);
});
