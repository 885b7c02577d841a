/** Which renditions are fetched without yt-dlp, and by which addresses. */
import { expect, it } from "vitest";
import { testRendition } from "../../dev/testing/test-rendition.ts";
import type { Rendition } from "../probe/info.ts";
import { planDirect } from "./direct-download.ts";

const withFields = (delivery: Rendition["delivery"], fields: object): Rendition =>
  testRendition({ delivery, rawJson: new TextEncoder().encode(JSON.stringify(fields)) });
const playlist = { url: "https://cdn.example/a/list.m3u8", addresses: ["1.ts", "/2.ts"], seconds: [4, 4] };
const fragments = [{ path: "1.m4s", duration: 4 }, { url: "https://other.example/2.m4s" }];
const segments = { fragments, fragment_base_url: "https://cdn.example/b/" };

it("resolves the addresses of segments", () => {
  expect(planDirect(withFields("hls", {}), playlist)).toEqual({
    kind: "segments",
    urls: ["https://cdn.example/a/1.ts", "https://cdn.example/2.ts"],
    seconds: [4, 4],
  });
  expect(planDirect(withFields("dash", segments))).toEqual({
    kind: "segments",
    urls: ["https://cdn.example/b/1.m4s", "https://other.example/2.m4s"],
    seconds: [4, 0],
  });
});

it("leaves segments to yt-dlp that need a signature of the page", () => {
  const signed = { extra_param_to_segment_url: "signature=abc" };
  expect(planDirect(withFields("hls", signed), playlist)).toBeUndefined();
  expect(planDirect(withFields("dash", { ...segments, ...signed }))).toBeUndefined();
});

it.each(["hls", "dash"] as const)("makes at most 32 million characters of addresses: %s", (delivery) => {
  const start = "https://cdn.example/";
  const lengthOfEach = 100_000;
  // Each address is the base and one more character.
  const base = `${start}${"a".repeat(lengthOfEach - start.length - 2)}/`;
  const planFor = (count: number) => {
    const paths = Array.from({ length: count }, () => "s");
    return delivery === "hls"
      ? planDirect(withFields(delivery, {}), { url: base, addresses: paths, seconds: undefined })
      : planDirect(withFields(delivery, { fragments: paths.map((path) => ({ path })), fragment_base_url: base }));
  };
  const most = 320;
  expect(planFor(most)).toMatchObject({ kind: "segments" });
  expect(() => planFor(most + 1)).toThrow(expect.objectContaining({ code: "too_large" }) as Error);
});
