/** Cuts of finished files, against the running server: the video site is asked for the first file alone. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseFile } from "music-metadata";
import { expect, inject, it } from "vitest";
import { Job } from "../../../common/job.ts";
import type { ConversionChoices } from "../../../common/choices.ts";
import type { Format } from "../../../common/tiers.ts";
import { checkClicks, checkFrames, readClicks, readTracks, type Span } from "../../dev/testing/click-track.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

const { ffmpegPath } = inject("toolPaths");
const server = await ofFile(startTestServer());
const folder = await testFolder();
const device = await server.newDevice();
await server.signIn(device, { email: "owner@example.com" });
await server.setTier("owner@example.com", "pro");

const ended = async ({ id }: Job): Promise<Job> => (await device.live()).untilStatus(id, "completed", "failed");

async function convert(format: Format, choices: ConversionChoices = {}): Promise<Job> {
  const body = { youtubeUrl: server.site.urlOf("clicks"), format, choices };
  return ended(Job.parse(await (await device.call("POST", "/api/conversions", body)).json()));
}

async function cut({ id }: Job, [startSeconds, endSeconds]: Span): Promise<Job> {
  const answer = await device.call("POST", `/api/conversions/${id}/cuts`, { startSeconds, endSeconds });
  expect(answer.status).toBe(201);
  return ended(Job.parse(await answer.json()));
}

/** @returns path of the file, and its name */
async function download({ id }: Job): Promise<{ path: string; name: string }> {
  const answer = await device.call("GET", `/api/conversions/${id}/file`);
  const path = join(folder, id);
  await writeFile(path, Buffer.from(await answer.arrayBuffer()));
  return { path, name: /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "" };
}

it.each(["mp3", "mp4", "original", "flac", "wav"] as const)(
  "are made of the %s, in place, with its name and tags, and without a request to the site",
  async (format) => {
    const first = await convert(format, { tags: { artist: "A clock" } });
    expect(first).toMatchObject({ status: "completed" });
    server.site.reset();
    const part = [41.3, 47.75] as const;
    const made = await cut(first, part);
    expect(made).toMatchObject({
      status: "completed",
      title: first.title,
      format,
      quality: first.quality,
      choices: { tags: { artist: "A clock" }, part: { startSeconds: 41.3, endSeconds: 47.75 } },
    });
    expect(made.fileKind).toBe(first.fileKind);
    const { path, name } = await download(made);
    expect(name).toMatch(/^A click at every second \(0\.41-0\.48\)\./);
    checkClicks(await readClicks(ffmpegPath, path), part);
    const { common } = await parseFile(path);
    expect(common).toMatchObject({ title: "A click at every second (0:41–0:48)", artist: "A clock" });
    // A cut of the cut.
    const inner = [43.4, 45.5] as const;
    const again = await download(await cut(made, inner));
    checkClicks(await readClicks(ffmpegPath, again.path), inner);
    expect((await parseFile(again.path)).common.title).toBe("A click at every second (0:43–0:46)");
    expect(server.site.requests).toEqual([]);
  },
);

it("have the pictures of their part, also of a part", async () => {
  const first = await convert("mp4", { part: { startSeconds: 20, endSeconds: 60 } });
  server.site.reset();
  const part = [33.37, 38.9] as const;
  const { clicks, frames } = await readTracks(ffmpegPath, (await download(await cut(first, part))).path);
  checkClicks(clicks, part);
  checkFrames(frames, part);
  expect(server.site.requests).toEqual([]);
});

it("fail with a sentence when the file is deleted before", async () => {
  const first = await convert("mp3", { part: { startSeconds: 1, endSeconds: 9 } });
  await device.call("DELETE", `/api/conversions/${first.id}`);
  const answer = await device.call("POST", `/api/conversions/${first.id}/cuts`, { startSeconds: 2, endSeconds: 4 });
  expect(answer.status).toBe(404);
});
