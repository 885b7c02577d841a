/** A user on Pro, and lists that grow, for tests of follows below HTTP. */
import { beforeEach } from "vitest";
import type { z } from "zod";
import { CreateFollow, type Follow } from "../../../common/follows.ts";
import { ConversionError } from "../../../common/errors.ts";
import type { EntryProblem } from "../../../common/lists.ts";
import { signIn } from "../../domain/accounts/sign-in.ts";
import type { Viewer } from "../../domain/accounts/viewer.ts";
import type { StoredFollow } from "../../domain/follows/follow-model.ts";
import { createFollow, listFollows } from "../../domain/follows/follows.ts";
import { lookAtNext } from "../../domain/follows/looks.ts";
import type { FollowedLists } from "../../domain/follows/read-followed.ts";
import { findJobs } from "../../domain/jobs/find-jobs.ts";
import type { FoundList } from "../../domain/jobs/lists.ts";
import type { DomainLimits } from "../../domain/limits.ts";
import { domainForTests, newViewer, type TestDomain } from "./test-domain.ts";

const HOUR_MS = 3_600_000;
export const LIST = "https://video.example/list";
/** After the next look is due, whatever was added to spread looks. */
export const NEXT_LOOK_MS = 1.2 * HOUR_MS + 1_000;
export const signal = new AbortController().signal;

export const video = (name: string | number, problem?: EntryProblem): FoundList["entries"][number] => ({
  link: `https://video.example/v${name}`,
  title: `Video ${name}`,
  ...(problem && { problem }),
});
/** Videos from a number down to another, as a channel lists them. */
export const videos = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => video(from - index));

/** A list whose entries a test changes. */
export class GrowingList implements FollowedLists {
  found: FoundList = { title: "Rain of a year", entries: videos(3, 1) };
  /** What the next reads end with. */
  failure: ConversionError | "busy" | undefined;
  /** How many entries were asked for, each time. */
  readonly reads: number[] = [];

  read(_link: string, most: number): Promise<FoundList | null> {
    this.reads.push(most);
    if (this.failure === "busy") return Promise.resolve(null);
    if (this.failure) return Promise.reject(this.failure);
    return Promise.resolve({ ...this.found, entries: this.found.entries.slice(0, most) });
  }

  picture = () => Promise.resolve(null);

  /** Puts videos in front. */
  add(...more: FoundList["entries"]): void {
    this.found = { ...this.found, entries: [...more, ...this.found.entries] };
  }
}

/** One database for the tests of a file; a new user and a new list for each test. For the top of a test file. */
export function followsForTests(limits: Partial<DomainLimits> = {}) {
  const domain = domainForTests(limits);
  let viewer: Viewer & { userId: string };
  let list: GrowingList;
  let nowMs: number;
  beforeEach(async () => {
    list = new GrowingList();
    nowMs = Date.now();
    viewer = await signUp("pro@example.org");
  });

  async function signUp(email: string): Promise<Viewer & { userId: string }> {
    const { deviceId } = newViewer();
    const user = await signIn(domain, deviceId, { issuer: "https://issuer", subject: email, email });
    await domain.users.updateOne({ _id: user._id }, { $set: { tier: "pro", grantedTier: "pro" } });
    return { deviceId, userId: user._id, email, tier: "pro" };
  }

  return {
    domain,
    signUp,
    get viewer() {
      return viewer;
    },
    get list() {
      return list;
    },
    get now() {
      return new Date(nowMs);
    },
    follow: (input: Partial<z.input<typeof CreateFollow>> = {}): Promise<Follow> =>
      createFollow(
        domain,
        { read: readWhole, picture: list.picture },
        viewer,
        CreateFollow.parse({ url: LIST, ...input }),
        signal,
      ),
    /** @returns the follow as its owner sees it */
    shown: async () => (await listFollows(domain, viewer))[0],
    stored: () => domain.follows.findOne().lean<StoredFollow>(),
    /** @returns whether a follow was due, after some time */
    look: (afterMs = NEXT_LOOK_MS, process: TestDomain = domain): Promise<boolean> => {
      nowMs += afterMs;
      return lookAtNext(process, { lists: list, signal, now: new Date(nowMs) });
    },
    /** @returns the numbers of the videos that became jobs, in their order */
    queued: async (): Promise<string[]> => {
      const jobs = await findJobs(domain, {}, { sort: { createdAt: 1 } });
      return jobs.map(({ sourceUrl }) => sourceUrl.replace("https://video.example/v", ""));
    },
  };

  async function readWhole(link: string, most: number): Promise<FoundList> {
    const found = await list.read(link, most);
    if (!found) throw new ConversionError("busy");
    return found;
  }
}
