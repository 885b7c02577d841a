import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  codeOf,
  standInSegment,
  startSponsorBlock,
  type SponsorBlockStandIn,
} from "../../dev/stand-ins/sponsor-block.ts";
import { startEgressGuard, type EgressGuard } from "../guard/egress-guard.ts";
import { findWanted, SponsorBlock } from "./sponsor-block.ts";

const watch = (videoId: string): string => `https://www.youtube.com/watch?v=${videoId}`;
const never = new AbortController().signal;
const SEGMENT = { startSeconds: 2, endSeconds: 5 };

let server: SponsorBlockStandIn;
let guard: EgressGuard;
beforeAll(async () => {
  server = await startSponsorBlock();
  guard = await startEgressGuard({ allow: [] });
  server.videos.set("plain-video", [standInSegment({ segment: [2, 5], videoDuration: 12 })]);
  return async () => {
    await guard.stop();
    await server[Symbol.asyncDispose]();
  };
});
beforeEach(() => {
  server.mood = "well";
  server.requests.length = 0;
});

const lines: string[] = [];
const open = (address = server.address): SponsorBlock =>
  new SponsorBlock({ address, guard, log: (line) => lines.push(line), timeoutMs: 60_000 });

it("asks with four digits of the video's code and never with its id, and keeps the answer", async () => {
  const sponsorBlock = open(`${server.address}/`);
  const find = () => sponsorBlock.find(watch("plain-video"), never);
  expect(await Promise.all([find(), find()])).toMatchObject([[SEGMENT], [SEGMENT]]);
  expect(await find()).toMatchObject([SEGMENT]);
  const prefix = codeOf("plain-video").slice(0, 4);
  expect(server.requests).toEqual([`/api/skipSegments/${prefix}?categories=%5B%22sponsor%22%5D`]);
});

it("finds none for a video that the server does not know", async () => {
  expect(await open().find(watch("small-video"), never)).toEqual([]);
  expect(server.requests).toHaveLength(1);
});

it.each([
  "https://vimeo.com/123?v=plain-video",
  "https://www.youtube.com/@channel",
  "https://youtube.com.example/?v=plain-video",
])("asks nothing about %s", async (link) => {
  expect(await open().find(link, never)).toEqual([]);
  expect(server.requests).toEqual([]);
});

describe("a server that fails", () => {
  it.each(["status 500", "bad JSON", "other shape", "endless"] as const)("with %s is not believed", async (mood) => {
    server.mood = mood;
    const sponsorBlock = open();
    lines.length = 0;
    expect(await sponsorBlock.find(watch("plain-video"), never)).toBe("unknown");
    expect(await sponsorBlock.find(watch("plain-video"), never)).toBe("unknown");
    expect(lines).toEqual([expect.stringContaining("does not answer as it should")]);
    expect(lines[0]).not.toContain("video site");
    // Failures are not kept.
    server.mood = "well";
    expect(await sponsorBlock.find(watch("plain-video"), never)).toMatchObject([SEGMENT]);
  });

  it("by never answering is waited for as long as the caller has patience", async () => {
    server.mood = "never";
    expect(await open().find(watch("plain-video"), never, 50)).toBe("unknown");
  });

  it("by not being there is not waited for", async () => {
    // No test listens there; the port of a server that has ended may be given to one of them.
    expect(await open("http://127.0.0.1:9").find(watch("plain-video"), never)).toBe("unknown");
  });
});

it("passes an abort on", async () => {
  server.mood = "never";
  const abort = new AbortController();
  const finding = open().find(watch("plain-video"), abort.signal);
  abort.abort(new Error("canceled"));
  await expect(finding).rejects.toThrow("canceled");
});

it("is the only one that may contact a private address of the operator", async () => {
  using session = guard.open(1_000);
  const { hostname, port } = new URL(server.address);
  const outcome = await new Promise<Error | null>((resolve) => {
    session.connect({ hostname, port, protocol: "http:" }, (...[error]) => resolve(error));
  });
  expect(outcome?.message).toContain("is not public");
});

describe("where the visitor", () => {
  const url = watch("plain-video");
  it("does not want it, nothing is asked", async () => {
    expect(await findWanted(open(), { url, choices: {} }, never)).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it("wants it and the operator does not, nothing is known", async () => {
    const choices = { sponsored: "mark" } as const;
    expect(await findWanted(undefined, { url, choices }, never)).toBe("unknown");
    expect(await findWanted(undefined, { url: "https://vimeo.com/1", choices }, never)).toEqual([]);
  });
});
