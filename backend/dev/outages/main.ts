/**
 * `npm run test:outages`: a real server on this machine while its database, Redis or storage is stopped, killed or full,
 * with links to as much metadata as is taken, and with clients that do not read. Prints a line for each, takes about ten
 * minutes, and ends with 1 if a promise was broken. `-- redis` runs those whose name contains the word.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY_ROOT } from "../repository.ts";
import { buildFrontend } from "../setup/frontend-build.ts";
import { prepareToolsOfCheckout, type ToolPaths } from "../setup/tools.ts";
import { fillDiskOfDatabase, killEmbeddedDatabase } from "./embedded-outages.ts";
import { convertEmptyLines, previewHeavyMetadata, previewTallPicture } from "./heavy-sources.ts";
import { passOutage, type Passage } from "./outage.ts";
import { linkSharedFolders } from "../product/data-folder.ts";
import { startProduct, type Product } from "../product/product.ts";
import { ONE_ADDRESS_LIMITS } from "../wide-limits.ts";
import { startServices } from "./service-outages.ts";
import { connectMutely, readSlowly } from "./slow-clients.ts";

const WANTED = (process.argv[2] ?? "").toLowerCase();
/** Lines of the server's output that are printed after a fault. */
const SHOWN_LINES = 30;
const report = (line: string) => process.stdout.write(`${line}\n`);

/** @param product a part of its output is printed after a fault */
async function check(name: string, run: () => Promise<Passage>, product?: Product): Promise<void> {
  const { line, faults } = await run().catch((error: unknown) => ({
    line: name,
    faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  }));
  report(`${faults.length === 0 ? "ok   " : "FAULT"} ${line}`);
  for (const fault of faults) report(`      ${fault}`);
  if (faults.length > 0 && product) for (const logged of linesToShow(product)) report(`      | ${logged}`);
  if (faults.length > 0) process.exitCode = 1;
}

/** @returns the log of a call that failed, or the last lines */
function linesToShow({ output }: Product): readonly string[] {
  const failed = output.findIndex((logged) => logged.includes("a call failed"));
  return failed < 0 ? output.slice(-SHOWN_LINES) : output.slice(failed, failed + SHOWN_LINES);
}

const isWanted = (name: string): boolean => name.toLowerCase().includes(WANTED);

async function runEmbedded(folder: string, tools: ToolPaths): Promise<void> {
  const checks = { "embedded killed": killEmbeddedDatabase, "embedded full": fillDiskOfDatabase };
  for (const [name, run] of Object.entries(checks)) if (isWanted(name)) await check(name, () => run(folder, tools));
}

async function runSources(folder: string, tools: ToolPaths): Promise<void> {
  const sources = {
    "source with heavy metadata": previewHeavyMetadata,
    "source with a tall picture": previewTallPicture,
    "source with empty lines": convertEmptyLines,
  };
  if (!Object.keys(sources).some(isWanted)) return;
  // A busy machine makes pictures slowly.
  const settings = { ...ONE_ADDRESS_LIMITS, previews: { pictureMs: 60_000 } };
  const nodeArguments = ["--import", join(import.meta.dirname, "turn-report.ts")];
  const dataDir = await linkSharedFolders(join(folder, "sources"));
  const product = await startProduct({ dataDir, tools, settings, nodeArguments });
  try {
    for (const [name, run] of Object.entries(sources))
      if (isWanted(name)) await check(name, () => run(product), product);
  } finally {
    await product.stop();
  }
}

async function runServices(folder: string, tools: ToolPaths): Promise<void> {
  const clients = { "200 slow readers": readSlowly, "50 mute sockets": connectMutely };
  const names = ["database stopped", "database killed", "Redis stopped", "Redis killed", ...Object.keys(clients)];
  if (!names.some(isWanted)) return;
  await using services = await startServices(join(folder, "services"), tools, false);
  for (const outage of services.outages)
    if (isWanted(outage.name))
      await check(outage.name, () => passOutage(services.product, outage, tools.ffmpegPath), services.product);
  for (const [name, run] of Object.entries(clients))
    if (isWanted(name)) await check(name, () => run(services.product), services.product);
}

async function runStorage(folder: string, tools: ToolPaths): Promise<void> {
  if (!["storage stopped", "storage killed"].some(isWanted)) return;
  await using services = await startServices(join(folder, "storage"), tools, true);
  for (const outage of services.outages)
    if (isWanted(outage.name))
      await check(outage.name, () => passOutage(services.product, outage, tools.ffmpegPath), services.product);
}

const folder = await mkdtemp(join(tmpdir(), "tapedeck-outages-"));
try {
  const tools = await prepareToolsOfCheckout(report);
  await buildFrontend({ root: REPOSITORY_ROOT, outDir: join(REPOSITORY_ROOT, "frontend", "dist"), report });
  await runEmbedded(folder, tools);
  await runSources(folder, tools);
  await runServices(folder, tools);
  await runStorage(folder, tools);
} finally {
  await rm(folder, { recursive: true, force: true });
}
