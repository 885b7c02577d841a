/** The start check of the exits to YouTube. */
import { expect, it } from "vitest";
import { ConfigError } from "../../config/config.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

it("refuses a start with an address that this machine does not have, in one sentence", async () => {
  const start = startTestServer({ hasExtractor: false, YOUTUBE_EXITS: "direct,192.0.2.7" });
  const error: unknown = await start.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as Error).message).toMatch(
    /^YOUTUBE_EXITS: 192\.0\.2\.7 is not an address of this machine \(\w+\); correct or unset it\.$/,
  );
});

it("names clients that yt-dlp does not have at the start", async () => {
  const lines: string[] = [];
  await using server = await startTestServer({
    YOUTUBE_CLIENTS: "tv_embedded,visionos;default",
    onLogLine: (line) => lines.push(line),
  });
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  expect(lines.join("")).toContain("YOUTUBE_CLIENTS: this yt-dlp does not know tv_embedded, and asks without them");
});

it("warns of a proxy that does not answer, and starts", async () => {
  const lines: string[] = [];
  await using server = await startTestServer({
    hasExtractor: false,
    // Nothing listens there.
    YOUTUBE_EXITS: "http://ann:secret@127.0.0.1:9",
    onLogLine: (line) => lines.push(line),
  });
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  expect(lines.join("")).toContain("YOUTUBE_EXITS: the proxy 127.0.0.1:9 does not answer");
  expect(lines.join("")).not.toContain("secret");
});
