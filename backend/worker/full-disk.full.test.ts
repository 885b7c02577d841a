/** Jobs while the disk of the data folder is full. */
import { execFile } from "node:child_process";
import { readdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { SENTENCES } from "../../common/errors.ts";
import { isActive, isWaiting, Job } from "../../common/job.ts";
import type { Format } from "../../common/tiers.ts";
import { startTestServer, type TestServer } from "../dev/testing/test-server.ts";
import { testFolder } from "../dev/testing/test-folder.ts";

const execute = promisify(execFile);
/** More than a job must find free: twice the size of the largest file on the free plan. */
const DISK_SIZE = "160m";

const folder = await testFolder();
let isMounted = false;
let server: TestServer;

beforeAll(async () => {
  isMounted = await execute("mount", ["-t", "tmpfs", "-o", `size=${DISK_SIZE}`, "tapedeck-test", folder]).then(
    () => true,
    // A user without the right to mount, or a container.
    () => false,
  );
  if (isMounted) server = await startTestServer({ DATA_DIR: folder, settings: { pipeline: { minFreeDiskBytes: 0 } } });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  if (isMounted) await execute("umount", ["--lazy", folder]);
});

/** @returns the path of a file that takes all free space */
async function fillDisk(): Promise<string> {
  const filler = join(folder, "filler");
  const { bavail, bsize } = await statfs(folder);
  // Other writes take space at the same time, so the last bytes may not fit.
  await writeFile(filler, Buffer.alloc(bavail * bsize)).catch(() => undefined);
  return filler;
}

it.for<Format>(["mp3", "mp4"])(
  "fails a job whose disk becomes full, leaves nothing behind, and converts at a retry: %s",
  async (format, { skip }) => {
    if (!isMounted) skip("file systems cannot be mounted here");
    const device = await server.newDevice();
    const live = await device.live();
    const link = `${server.site.urlOf("held")}?${format}`;
    const { id } = await device.convert(link, format);
    const begun = await live.until(id, (job) => !isWaiting(job.status) && (job.progress > 0 || !isActive(job.status)));
    expect(begun).toMatchObject({ status: "processing" });
    const filler = await fillDisk();
    server.site.release(link);
    expect(await live.untilStatus(id, "completed", "failed")).toMatchObject({
      status: "failed",
      error: { code: "storage", message: SENTENCES.storage },
    });
    await expect.poll(() => readdir(join(folder, "scratch"), { recursive: true })).toEqual([]);

    await rm(filler);
    const { attempt } = Job.parse(await (await device.call("POST", `/api/conversions/${id}/retry`)).json());
    const ended = await live.until(id, (job) => job.attempt >= attempt && !isActive(job.status));
    expect(ended).toMatchObject({ status: "completed" });
    const path = join(folder, "files", `${id}.${ended.attempt}.${format}`);
    const { stderr } = await execute(inject("toolPaths").ffmpegPath, ["-v", "error", "-i", path, "-f", "null", "-"]);
    expect(stderr).toBe("");
    expect((await device.call("DELETE", `/api/conversions/${id}`)).status).toBe(204);
    await expect.poll(() => readdir(join(folder, "files"))).toEqual([]);
  },
);
