/**
 * A stand-in for a SponsorBlock server, with the one request that is made: the segments of all videos whose code begins
 * with some digits. Development and tests only.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the server answers: as it should, or broken in one of these ways. */
export type SponsorBlockMood = "well" | "status 500" | "bad JSON" | "other shape" | "endless" | "never";

export interface StandInSegment {
  /** Start and end in seconds. */
  readonly segment: readonly [number, number];
  /** 0: not known. Default: 0. */
  readonly videoDuration?: number;
  /** Default: "sponsor". */
  readonly category?: string;
  /** Default: "skip". */
  readonly actionType?: string;
}

export interface SponsorBlockStandIn extends AsyncDisposable {
  readonly address: string;
  /** Path and query of each request. */
  readonly requests: string[];
  mood: SponsorBlockMood;
  /** Segments by the id of their video; "failing": the server answers with status 500. */
  readonly videos: Map<string, readonly unknown[] | "failing">;
}

/** @returns the code of a video, of which requests have the first digits */
export function codeOf(videoId: string): string {
  return createHash("sha256").update(videoId).digest("hex");
}

/** @returns a segment with all fields that the real server sends */
export function standInSegment(about: StandInSegment): Record<string, unknown> {
  const kind = { category: "sponsor", actionType: "skip", videoDuration: 0 };
  return { ...kind, UUID: "0".repeat(64), locked: 0, votes: 1, description: "", ...about };
}

/** @param port 0: a free one */
export async function startSponsorBlock(port = 0): Promise<SponsorBlockStandIn> {
  const requests: string[] = [];
  const videos: SponsorBlockStandIn["videos"] = new Map();
  const state: { mood: SponsorBlockMood } = { mood: "well" };

  const answerWell = (url: URL, response: ServerResponse): void => {
    const prefix = /^\/api\/skipSegments\/([0-9a-f]{4,32})$/.exec(url.pathname)?.[1];
    const isAskedWell = prefix !== undefined && url.searchParams.get("categories") === '["sponsor"]';
    // Another video with the same digits is nearly always there.
    const other = { videoID: "another-one", hash: prefix, segments: [standInSegment({ segment: [0, 5] })] };
    const found = [...videos]
      .filter(([videoId]) => prefix !== undefined && codeOf(videoId).startsWith(prefix))
      .map(([videoID, segments]) => ({ videoID, hash: codeOf(videoID), segments }));
    const isFailing = found.some(({ segments }) => segments === "failing");
    const status = !isAskedWell ? 400 : isFailing ? 500 : found.length === 0 ? 404 : 200;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(status === 200 ? JSON.stringify([other, ...found]) : "Not Found");
  };
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const json = { "content-type": "application/json" };
    switch (state.mood) {
      case "well":
        return answerWell(new URL(request.url ?? "", "http://stand-in"), response);
      case "status 500":
        return void response.writeHead(500).end();
      case "bad JSON":
        return void response.writeHead(200, json).end('[{"videoID":');
      case "other shape":
        return void response.writeHead(200, json).end('{"segments":[]}');
      case "endless": {
        const more = (): boolean => response.write("[".repeat(100_000)) && !response.destroyed;
        response.writeHead(200, json).on("drain", more);
        return void more();
      }
      case "never":
        return;
    }
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    videos,
    get mood() {
      return state.mood;
    },
    set mood(mood) {
      state.mood = mood;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
