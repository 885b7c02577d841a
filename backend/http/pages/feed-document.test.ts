import { expect, it } from "vitest";
import type { Tape } from "../../domain/feeds/feeds.ts";
import { feedDocument } from "./feed-document.ts";

const TAPE: Tape = {
  _id: "an-id",
  status: "completed",
  deviceId: "a-device",
  userId: "a-user",
  tier: "free",
  sourceUrl: "https://video.example/watch?v=1&t=2",
  conversionKey: "a-key",
  format: "original",
  quality: "original",
  fileKind: "m4a",
  attempt: 1,
  finalAttempt: 1,
  priority: 0,
  progress: 100,
  title: "A video",
  durationSeconds: 61.6,
  fileKey: "a-file",
  fileSize: 1_234,
  createdAt: new Date(Date.UTC(2026, 0, 15, 9)),
  updatedAt: new Date(Date.UTC(2026, 0, 15, 9)),
  completedAt: new Date(Date.UTC(2026, 0, 15, 9, 30, 4)),
  expiresAt: new Date(Date.UTC(2026, 0, 15, 10, 30, 4)),
};

function write(tape: Partial<Tape>): string {
  return feedDocument(
    { userId: "a-user", language: "en", tapes: [{ ...TAPE, ...tape }] },
    {
      site: "https://tapedeck.example",
      fileOf: () => "https://tapedeck.example/file?a=1&b=2",
      pictureOf: () => "https://tapedeck.example/picture",
      chaptersOf: () => "https://tapedeck.example/chapters",
    },
  );
}

it("writes what apps show of a tape", () => {
  expect(/<item>.*<\/item>/.exec(write({}))?.[0]).toBe(
    "<item><title>A video</title><link>https://video.example/watch?v=1&#38;t=2</link>" +
      '<guid isPermaLink="false">an-id</guid><pubDate>Thu, 15 Jan 2026 09:30:04 GMT</pubDate>' +
      "<description>Kept until Jan 15, 2026, 10:30 AM UTC. https://video.example/watch?v=1&#38;t=2</description>" +
      '<enclosure url="https://tapedeck.example/file?a=1&#38;b=2" length="1234" type="audio/mp4"/>' +
      "<itunes:duration>62</itunes:duration></item>",
  );
  const more = write({
    thumbnailKey: "a-picture",
    chapters: [{ title: "One", startSeconds: 0 }],
    choices: { tags: { title: "Mine", artist: "Me & you" } },
  });
  expect(more).toContain("<title>Mine</title>");
  expect(more).toContain("<itunes:author>Me &#38; you</itunes:author>");
  expect(more).toContain(
    '<itunes:image href="https://tapedeck.example/picture"/>' +
      '<podcast:chapters url="https://tapedeck.example/chapters" type="application/json+chapters"/></item>',
  );
});

it("leaves out of a title what XML cannot say, and takes none of it for markup", () => {
  const title = `a\u0000\u0008\u001b\u001f\ud800b\udfff\ufffe\uffff </title><b>]]>&amp;"'\t🌈`;
  expect(write({ title })).toContain("<title>ab &#60;/title&#62;&#60;b&#62;]]&#62;&#38;amp;&#34;&#39;\t🌈</title>");
});
