import { describe, expect, it } from "vitest";
import { Job } from "../../common/job.ts";
import { buttonOf } from "./button.ts";
import {
  failPending,
  NOTHING,
  requestedNow,
  takeJob,
  takeRemoval,
  takeSnapshot,
  type Conversion,
  type State,
} from "./conversions.ts";
import { en } from "./texts/en.ts";

const AT = "2026-01-01T00:00:00.000Z";
const fields = { format: "mp3", quality: "128kbps", attempt: 1, createdAt: AT, updatedAt: AT };

function jobOf(id: string, status: string, progress = 0): Job {
  const more = { stage: "convert", fileSize: 1, expiresAt: AT, error: { code: "private", message: "It is private." } };
  return Job.parse({ ...fields, ...more, id, title: `Song ${id}`, status, progress });
}

const requestOf = (key: string) => ({ key, link: `https://example.org/${key}`, format: "mp3" }) as const;
const accepted = (job: Job): Conversion => ({ ...requestOf(job.id), phase: "accepted", job });
const stateOf = (...conversions: Conversion[]): State => ({ ...NOTHING, conversions });
const show = (...conversions: Conversion[]) => {
  const { badge, title, popup } = buttonOf(stateOf(...conversions), en);
  return [badge, title, popup];
};

describe("the button", () => {
  it("offers the page, waits, shows percents, and offers the file", () => {
    expect(show()).toEqual(["", "Convert this page", ""]);
    expect(show(requestedNow(requestOf("a")))).toEqual(["…", "Starting …", ""]);
    expect(show(accepted(jobOf("a", "queued")))).toEqual(["…", "Song a: waiting", ""]);
    expect(show(accepted(jobOf("a", "processing", 42)))).toEqual(["42%", "Song a: 42 %", ""]);
    expect(show(accepted(jobOf("a", "completed", 100)))).toEqual(["✓", "Ready. Press to download: Song a", ""]);
  });

  it("shows what needs a press first, and all that is under way as one figure", () => {
    const working = [accepted(jobOf("a", "processing", 50)), accepted(jobOf("b", "processing", 11))];
    expect(show(...working)).toEqual(["30%", "Song a: 50 %\nSong b: 11 %", ""]);
    const ready = accepted(jobOf("c", "completed", 100));
    expect(show(...working, ready)[0]).toBe("✓");
    const failed: Conversion = { ...requestOf("d"), phase: "failed", sentence: "It is private." };
    expect(show(...working, ready, failed)).toEqual(["!", "It is private.", "problem.html"]);
  });

  it("says that the server does not answer", () => {
    const state = { ...stateOf(accepted(jobOf("a", "processing", 42))), isLost: true };
    expect(buttonOf(state, en)).toMatchObject({ badge: "42%", title: en.lost });
  });
});

describe("the conversions", () => {
  const working = stateOf(accepted(jobOf("a", "processing", 40)), accepted(jobOf("b", "pending")));

  it("never go backwards", () => {
    expect(takeJob(working, jobOf("a", "processing", 20))).toBe(working);
    expect(takeJob(working, jobOf("stranger", "completed", 100))).toBe(working);
    expect(takeJob(working, jobOf("a", "completed", 100)).conversions[0]).toMatchObject({ job: { progress: 100 } });
  });

  it("fail in the server's words", () => {
    expect(takeJob(working, jobOf("a", "failed")).conversions[0]).toEqual({
      ...requestOf("a"),
      phase: "failed",
      sentence: "It is private.",
    });
    expect(failPending(working, "Revoked.").conversions.map(({ phase }) => phase)).toEqual(["failed", "failed"]);
  });

  it("are forgotten when they were canceled or removed elsewhere", () => {
    expect(takeJob(working, jobOf("a", "canceled")).conversions).toHaveLength(1);
    expect(takeRemoval(working, "a").conversions).toHaveLength(1);
    const snapshot = { asOf: "2026-01-01T01:00:00.000Z", jobs: [jobOf("b", "processing", 7)] };
    expect(takeSnapshot(working, snapshot).conversions).toMatchObject([{ job: { id: "b", progress: 7 } }]);
  });
});
