/** Measures calls and pushes, alone and with many stored jobs and open pages of other visitors. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Job } from "../../../../common/job.ts";
import type { TestDevice } from "../../testing/test-device.ts";
import { freshLink, type Bench } from "./convert-case.ts";
import { storeOldJobs } from "./old-jobs.ts";
import type { LoadResult } from "../report/results.ts";

/** The jobs of a busy month, and the visitors that one machine should carry. */
const FULL_LOAD = { storedJobs: 100_000, sockets: 2_000 } as const;
const CALLS = 300;

interface Figures {
  readonly post: number[];
  readonly list: number[];
  readonly push: number[];
  readonly completed: number[];
}

/** Makes calls one after the other for a link whose file exists already. */
async function measure(device: TestDevice, link: string): Promise<Figures> {
  const { socket } = await device.live();
  const figures: Figures = { post: [], list: [], push: [], completed: [] };
  const pushes: { atMs: number; job: Job }[] = [];
  let onEnd = (): void => undefined;
  const listen = (job: Job): void => {
    pushes.push({ atMs: performance.now(), job });
    if (job.status === "completed") onEnd();
  };
  socket.on("job", listen);
  for (let n = 0; n < CALLS; n += 1) {
    pushes.length = 0;
    const ended = new Promise<void>((resolve) => (onEnd = resolve));
    const postedMs = performance.now();
    const { id } = await device.convert(link);
    figures.post.push(performance.now() - postedMs);
    await ended;
    figures.push.push((pushes[0]?.atMs ?? Number.NaN) - postedMs);
    figures.completed.push((pushes.at(-1)?.atMs ?? Number.NaN) - postedMs);
    const listedMs = performance.now();
    await (await device.call("GET", "/api/conversions")).arrayBuffer();
    figures.list.push(performance.now() - listedMs);
    // Delete the job, so that the list always has the same length.
    await (await device.call("DELETE", `/api/conversions/${id}`)).body?.cancel();
  }
  socket.off("job", listen);
  return figures;
}

/** Measures alone, then stores old jobs and opens pages, and measures again. */
export async function runLoad(
  bench: Bench,
  { storedJobs, sockets }: { readonly storedJobs: number; readonly sockets: number } = FULL_LOAD,
): Promise<LoadResult> {
  const { product, report } = bench;
  const device = await product.newVisitor();
  const link = freshLink(bench.originBy("unlimited"), "brief-progressive");
  await bench.owners.free.client.convert(link, "mp3");
  await measure(device, link);
  const alone = await measure(device, link);
  report("measured alone; storing old jobs");
  await storeOldJobs(product.mongodbUri, 0, storedJobs);
  report("opening pages");
  const crowd = fork(join(import.meta.dirname, "crowd-process.ts"), [product.origin, String(sockets)]);
  try {
    await Promise.race([
      once(crowd, "message"),
      once(crowd, "exit").then(() => Promise.reject(new Error("the pages could not be opened"))),
    ]);
    report("pages are open; measuring again");
    const loaded = await measure(device, link);
    const rows = [
      { what: "POST answered", aloneMs: alone.post, loadedMs: loaded.post },
      { what: "list answered", aloneMs: alone.list, loadedMs: loaded.list },
      { what: "POST to the first push", aloneMs: alone.push, loadedMs: loaded.push },
      { what: "POST to `completed`, file there", aloneMs: alone.completed, loadedMs: loaded.completed },
    ];
    return { storedJobs, sockets, rows };
  } finally {
    crowd.kill();
  }
}
