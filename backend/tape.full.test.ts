/** A selection as one file, from the request to the download, and through the death of the worker that joins it. */
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SelectionAnswer } from "../common/api.ts";
import { Job } from "../common/job.ts";
import { ffmpeg, lavfi, probedChapters } from "./dev/testing/ffmpeg.ts";
import { openKillableWorkers } from "./dev/testing/killable-workers.ts";
import { testFolder } from "./dev/testing/test-folder.ts";
import { startTestServer } from "./dev/testing/test-server.ts";
import { signIn } from "./domain/accounts/sign-in.ts";
import type { JobDocument } from "./domain/jobs/job-model.ts";
import { createSelection } from "./domain/jobs/selections.ts";
import { ConversionError } from "../common/errors.ts";
import type { Runtime } from "./runtime/runtime.ts";

const SECONDS = 2;

async function makeSong(seconds: number): Promise<string> {
  const path = join(await testFolder(), "song.mp3");
  await ffmpeg(...lavfi("sine=sample_rate=44100"), "-t", String(seconds), "-c:a", "libmp3lame", path);
  return path;
}

it.each([
  ["mp3", "mp3"],
  ["original", "m4a"],
])("joins what was made of a selection as %s, and says what is missing", async (format, kind) => {
  const song = await makeSong(SECONDS);
  const convert: Runtime["convert"] = async ({ url, folder }, listener) => {
    const name = new URL(url).search.slice(1);
    listener.found({ title: `Song ${name}`, durationSeconds: SECONDS, origin: { channelIds: [], hosts: [] } });
    if (name === "gone") throw new ConversionError("unavailable");
    listener.progress({ stage: "download", percent: 10 });
    if (format === "original") listener.found({ fileKind: "mp3" });
    const path = join(folder, "result.mp3");
    await copyFile(song, path);
    return { path, sizeBytes: 1_000, durationSeconds: SECONDS };
  };
  await using server = await startTestServer({ hasExtractor: false }, undefined, convert);
  const device = await server.newDevice();
  await server.signIn(device, { email: "pro@example.com" });
  await server.setTier("pro@example.com", "pro");
  const live = await device.live();
  const urls = ["a", "gone", "b"].map((name) => `${server.site.urlOf("rain")}?${name}`);
  const answer = await device.call("POST", "/api/selections", { title: "Side A", format, urls, asOneFile: true });
  expect(answer.status).toBe(201);
  const { tape } = SelectionAnswer.extend({ tape: Job }).parse(await answer.json());
  // Some of the songs may have ended already.
  expect(tape).toMatchObject({ title: "Side A", tape: { songs: 3 } });
  const made = () => live.jobs().find(({ id }) => id === tape.id);
  await expect.poll(made).toMatchObject({
    status: "completed",
    format,
    durationSeconds: expect.closeTo(2 * SECONDS, 1) as number,
    songsMissing: "Song gone",
    note: "without Song gone",
  });
  const file = await device.call("GET", `/api/conversions/${tape.id}/file`);
  expect(file.headers.get("content-disposition")).toContain(`Side A.${kind}`);
  const path = join(await testFolder(), `tape.${kind}`);
  await writeFile(path, Buffer.from(await file.arrayBuffer()));
  expect((await probedChapters(path)).map(([title]) => title)).toEqual(["Song a", "Song b"]);
});

it("makes a tape whose worker is killed in the next worker, once", async () => {
  // Joining so much takes some seconds.
  const song = await makeSong(600);
  await using workers = await openKillableWorkers();
  const { server, domain, linkOf } = workers;
  const user = await signIn(domain, "a-device", { issuer: "https://issuer", subject: "pro", email: "pro@example.org" });
  await domain.users.updateOne({ _id: user._id }, { $set: { tier: "pro" } });
  const viewer = { deviceId: "a-device", userId: user._id, tier: "pro" } as const;
  const urls = [linkOf("one"), linkOf("two")];
  const asked = { title: "Side A", urls, format: "mp3", asOneFile: true } as const;
  const { jobs, tape } = await createSelection(domain, viewer, asked);
  const files = join(server.config.dataDir, "files");
  await mkdir(files, { recursive: true });
  for (const [index, { _id }] of jobs.entries()) {
    await copyFile(song, join(files, `${_id}.1.mp3`));
    await domain.tickets.remove(_id);
    await domain.jobs.updateOne(
      { _id },
      {
        $set: {
          status: "completed",
          title: `Song ${index}`,
          fileKey: `${_id}.1.mp3`,
          fileSize: 1_000,
          durationSeconds: 600,
          completedAt: new Date(),
          expiresAt: new Date(Date.now() + 600_000),
          isUsageCounted: true,
        },
        $unset: { place: 1 },
      },
    );
  }
  const read = () => domain.jobs.findById(tape?._id).lean<JobDocument>();
  await workers.startWorker();
  await expect.poll(read).toMatchObject({ status: "processing", stage: "convert", attempt: 1 });
  await workers.kill();
  await workers.startWorker();
  await expect.poll(read).toMatchObject({ status: "completed", attempt: 2, workerDeaths: 1 });
  const made = await read();
  expect(made?.fileKey).toBe(`${tape?._id}.2.mp3`);
  expect((await probedChapters(join(files, made?.fileKey ?? ""))).map(([title]) => title)).toEqual([
    "Song 0",
    "Song 1",
  ]);
});
