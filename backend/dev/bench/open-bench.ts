/** Prepares the clips and starts the bench's video site and the product as separate processes. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { prepareClips } from "../stand-ins/sample-site/clips.ts";
import { repositoryDataDir } from "../repository.ts";
import { prepareImageFfmpeg } from "../setup/image-ffmpeg.ts";
import { prepareTools, prepareToolsOfCheckout, type ToolPaths } from "../setup/tools.ts";
import type { BenchClips } from "./cases/bench-clips.ts";
import { openClient } from "./client.ts";
import { freshLink, type Bench, type Owner } from "./cases/convert-case.ts";
import { startBenchProduct, type BenchProductOptions } from "./product.ts";
import { SiteOrigins } from "./measuring/site-figures.ts";

/** @returns bytes per second from the site to a reader that discards them; the best of three downloads */
async function measurePlainFetch(address: string): Promise<number> {
  let best = 0;
  for (let turn = 0; turn < 3; turn += 1) {
    const startedMs = performance.now();
    const answer = await fetch(address);
    let bytes = 0;
    for await (const chunk of answer.body ?? []) bytes += chunk.length;
    best = Math.max(best, bytes / ((performance.now() - startedMs) / 1_000));
  }
  return best;
}

export interface BenchSetUp {
  readonly clips: BenchClips;
  /** Our server has the image's ffmpeg and LAME, while all others keep those of this machine. */
  readonly withImageTools: boolean;
}

/**
 * @param started stops everything when disposed
 */
export async function openBench(
  started: AsyncDisposableStack,
  report: (line: string) => void,
  { clips: { collection, plainFile, warmUpPage }, withImageTools }: BenchSetUp,
): Promise<Bench> {
  const sharedDataDir = repositoryDataDir();
  const folder = join(sharedDataDir, "bench");
  const scratch = join(folder, "scratch");
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true });
  const tools = await prepareToolsOfCheckout(report);
  const clips = await prepareClips({
    dataDir: sharedDataDir,
    ffmpegPath: tools.ffmpegPath,
    report,
    collection,
  });
  const { origins, pid: sitePid } = await startSite(clips, started);
  const ownTools = withImageTools ? await toolsOfImage(tools, sharedDataDir, report) : tools;
  const shared: SharedParts = {
    tools,
    ownFfmpegPath: ownTools.ffmpegPath,
    clips,
    sitePid,
    warmUpPage,
    rivals: { scratch, leftOut: [sitePid] },
    originBy: (wire) => (wire === "unlimited" ? origins.unlimited : (origins.shaped[wire] ?? "")),
    plainBytesPerSecond: await measurePlainFetch(`${origins.unlimited}/clips/${plainFile}`),
    report,
  };
  const productOptions = {
    sharedDataDir,
    tools: ownTools,
    videoHosts: [origins.unlimited, ...Object.values(origins.shaped)].map((origin) => new URL(origin).host),
    report,
  };
  const start = (name: string, env?: Readonly<Record<string, string>>): Promise<StartedBench> =>
    startWithProduct({ ...productOptions, folder: join(folder, name), env }, shared, (other) =>
      start("another-server", other),
    );
  const first = await start("server");
  started.defer(() => first.stop());
  return first.bench;
}

async function toolsOfImage(
  { ytDlpPath }: ToolPaths,
  dataDir: string,
  report: (line: string) => void,
): Promise<ToolPaths> {
  const ffmpegPath = await prepareImageFfmpeg({ dataDir, report });
  return prepareTools({ dataDir, ytDlpPath, ffmpegPath, report });
}

async function startSite(clips: string, started: AsyncDisposableStack): Promise<{ origins: SiteOrigins; pid: number }> {
  const site = fork(join(import.meta.dirname, "measuring", "site-process.ts"), [clips]);
  // Listen at once, because a signal to the process group may end the site before `started` is disposed.
  const exited = once(site, "exit");
  started.defer(async () => {
    site.kill();
    await exited;
  });
  const [message] = (await once(site, "message")) as [unknown];
  return { origins: SiteOrigins.parse(message), pid: site.pid ?? 0 };
}

/** `rivals.leftOut` gets the process id of each product. */
type SharedParts = Omit<Bench, "product" | "owners" | "startAnother" | "rivals"> & {
  readonly rivals: { readonly scratch: string; readonly leftOut: number[] };
  readonly warmUpPage: string;
};

interface StartedBench {
  readonly bench: Bench;
  stop(): Promise<void>;
}

async function startWithProduct(
  options: BenchProductOptions,
  shared: SharedParts,
  startAnother: Bench["startAnother"],
): Promise<StartedBench> {
  const product = await startBenchProduct(options);
  shared.rivals.leftOut.push(product.treePid);
  const ownerOf = async (device: Owner["device"]): Promise<Owner> => ({ device, client: await openClient(device) });
  const owners = { free: await ownerOf(await product.newVisitor()), pro: await ownerOf(await product.newProUser()) };
  // The first conversion after a start is slower and is not measured.
  const origin = shared.originBy("unlimited");
  await owners.free.client.convert(freshLink(origin, shared.warmUpPage), "mp3");
  await owners.pro.client.convert(freshLink(origin, shared.warmUpPage), "mp4");
  return { bench: { ...shared, product, owners, startAnother }, stop: () => product.stop() };
}
