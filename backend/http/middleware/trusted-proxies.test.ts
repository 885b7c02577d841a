/** Which address of X-Forwarded-For counts, shown by the rate limit per address. */
import { expect, it } from "vitest";
import { ofFile } from "../../dev/testing/of-file.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

const settings = { rates: { createPerAddress: { free: 2, pro: 10_000 } } };
const server = await ofFile(startTestServer({ hasExtractor: false, settings }));

it.each([
  // [the variable, X-Forwarded-For of three calls, the status of the third when two are allowed, the rule]
  ["false", ["198.51.100.1", "198.51.100.2", "198.51.100.3"], 429, "the header is ignored"],
  ["1", ["198.51.100.1", "198.51.100.2", "198.51.100.3"], 422, "the last entry counts"],
  [
    "1",
    ["192.0.2.1, 198.51.100.1", "192.0.2.2, 198.51.100.1", "192.0.2.3, 198.51.100.1"],
    429,
    "entries before the last one are ignored",
  ],
  [
    "2",
    ["192.0.2.1, 198.51.100.1", "192.0.2.2, 198.51.100.1", "192.0.2.3, 198.51.100.1"],
    422,
    "the entry before the last one counts",
  ],
  [
    "true",
    ["192.0.2.1, 198.51.100.1", "192.0.2.2, 198.51.100.1", "192.0.2.3, 198.51.100.1"],
    422,
    "the first entry counts",
  ],
])("TRUST_PROXY=%s with %j: %i, %s", async (trust, headers, status) => {
  // It counts anew after a start.
  await server.stop();
  await server.start({ TRUST_PROXY: trust });
  const statuses: number[] = [];
  for (const header of headers) {
    const device = await server.newDevice();
    statuses.push(
      (await device.call("POST", "/api/conversions", { youtubeUrl: "cats" }, { "x-forwarded-for": header })).status,
    );
  }
  expect(statuses).toEqual([422, 422, status]);
});
