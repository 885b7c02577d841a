/** The server when its embedded database is killed or has no disk space left: it ends, and the next start goes on. */
import { execFile } from "node:child_process";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { createVisitor } from "../testing/visitor.ts";
import type { ToolPaths } from "../setup/tools.ts";
import { Ledger } from "./ledger.ts";
import { beginHeldJob, END_TIMEOUT_MS, faultsAfterwards, MAX_TRIES, seconds, type Passage } from "./outage.ts";
import { playFile } from "./persistent-calls.ts";
import { linkSharedFolders } from "../product/data-folder.ts";
import { createProduct, type Product } from "../product/product.ts";
import { ONE_ADDRESS_LIMITS } from "../wide-limits.ts";

const execute = promisify(execFile);
/** The server ends within about 3 s on an idle machine. */
const EXIT_MS = 10_000;
const POLL_MS = 20;
const DATABASE_DISK = "64m";

export async function killEmbeddedDatabase(folder: string, tools: ToolPaths): Promise<Passage> {
  const dataDir = await linkSharedFolders(join(folder, "killed"));
  const product = await createProduct({ dataDir, tools, settings: ONE_ADDRESS_LIMITS });
  return await endAndGoOn("embedded database killed", product, tools, {
    breakDatabase: async () => {
      process.kill(await product.databasePid(), "SIGKILL");
    },
    repair: () => Promise.resolve(),
  });
}

export async function fillDiskOfDatabase(folder: string, tools: ToolPaths): Promise<Passage> {
  const dataDir = join(folder, "full");
  const disk = join(dataDir, "database");
  await mkdir(disk, { recursive: true });
  try {
    await execute("mount", ["-t", "tmpfs", "-o", `size=${DATABASE_DISK}`, "tapedeck-outage", disk]);
  } catch {
    return { line: "disk of the embedded database full: skipped, file systems cannot be mounted here", faults: [] };
  }
  try {
    await linkSharedFolders(dataDir);
    const product = await createProduct({ dataDir, tools, settings: ONE_ADDRESS_LIMITS });
    const filler = join(disk, "filler");
    return await endAndGoOn("disk of the embedded database full", product, tools, {
      breakDatabase: async () => {
        const { bavail, bsize } = await statfs(disk);
        // Other writes take space at the same time, so the last bytes may not fit.
        await writeFile(filler, Buffer.alloc(bavail * bsize)).catch(() => undefined);
      },
      repair: () => rm(filler),
    });
  } finally {
    await execute("umount", ["--lazy", disk]);
  }
}

interface Fault {
  readonly breakDatabase: () => Promise<void>;
  readonly repair: () => Promise<void>;
}

/** Breaks the database during a job, waits for the end of the server, and starts it again. */
async function endAndGoOn(
  name: string,
  product: Product,
  { ffmpegPath }: ToolPaths,
  { breakDatabase, repair }: Fault,
): Promise<Passage> {
  await product.start();
  try {
    const ledger = new Ledger();
    const visitor = await createVisitor(product.origin, ledger.calls, MAX_TRIES);
    const tab = await visitor.openTab();
    const held = await beginHeldJob(product, visitor, tab);
    const link = await product.sampleUrl("cello");
    await breakDatabase();
    const brokenAtMs = Date.now();
    // It writes to the database; the visitor repeats it until the server is back.
    const asked = visitor.convert(`${link}?asked`, "mp3");
    // It is awaited after the next start, but may fail before.
    asked.catch(() => undefined);
    while (product.pid !== undefined) await delay(POLL_MS);
    const exitMs = Date.now() - brokenAtMs;
    const lastLine = product.output.at(-1) ?? "";
    const faults = product.output.filter((line) => /^\s+at /.test(line)).map((line) => `the server printed ${line}`);
    if (exitMs > EXIT_MS) faults.push(`the server ended only after ${seconds(exitMs)}`);
    if (!lastLine.startsWith("The embedded database has ended unexpectedly"))
      faults.push(`its last line is ${lastLine}`);

    await repair();
    await product.start();
    const ended = await Promise.all(
      [held.id, (await asked).id].map(async (id) => {
        await held.release();
        return await tab.untilEnded(id, END_TIMEOUT_MS);
      }),
    );
    for (const job of ended) {
      if (job.status !== "completed") faults.push(`job ${job.id} is ${JSON.stringify(job)}`);
      else await playFile(visitor, job.id, ffmpegPath);
    }
    faults.push(...(await faultsAfterwards(product, ledger, visitor)));
    const completed = ended.filter(({ status }) => status === "completed").length;
    return {
      line:
        `${name}: the server ended after ${seconds(exitMs)} with a sentence; after the next start ${completed} of ` +
        `${ended.length} jobs completed (attempts ${ended.map(({ attempt }) => attempt).join(", ")}), files play`,
      faults,
    };
  } finally {
    await product.stop();
  }
}
