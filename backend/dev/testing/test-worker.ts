/**
 * A worker as a separate process, for tests that pause or kill one. Start it with `fork` and send a WorkerOrder as
 * the first message. It logs JSON lines to stdout and stops on SIGTERM.
 */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import pino from "pino";
import { z } from "zod";
import { parseHostEntry } from "../../../common/hosts.ts";
import { readConfig } from "../../config/config.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { startServer } from "../../server.ts";
import type { SettingsOverrides } from "../../config/settings.ts";

export const WorkerOrder = z.object({
  env: z.record(z.string(), z.string()),
  /** Checked by readConfig. */
  settings: z.custom<SettingsOverrides>(),
  mongodbUri: z.string(),
  siteHost: z.string(),
  /** Saves the page of the link as the file, without any tool: for tests of the process and not of converting. */
  savesPages: z.boolean().optional(),
  /** Has yt-dlp all the same, which reads lists. */
  readsLists: z.boolean().optional(),
  toolPaths: z.object({ ytDlpPath: z.string(), ffmpegPath: z.string(), ffprobePath: z.string() }),
});
export type WorkerOrder = z.infer<typeof WorkerOrder>;

const savePage: Runtime["convert"] = async ({ url, folder }, listener, signal) => {
  listener.found({ title: "A page", durationSeconds: 1, origin: { channelIds: [], hosts: [] } });
  listener.progress({ stage: "download", percent: 10 });
  const page = Buffer.from(await (await fetch(url, { signal })).arrayBuffer());
  const file = path.join(folder, "result.mp3");
  await writeFile(file, page);
  return { path: file, sizeBytes: page.length, durationSeconds: 1 };
};

if (process.send) {
  const [message] = (await once(process, "message")) as [unknown];
  const order = WorkerOrder.parse(message);
  const config = readConfig(order.env, order.settings);
  const http = createServer().listen(0, "127.0.0.1");
  await once(http, "listening");
  const server = await startServer(
    http,
    { ...config, isSingleProcess: false, env: { ...config.env, ROLE: "worker" } },
    {
      ...order.toolPaths,
      // Any program that is not yt-dlp is not kept loaded.
      ...(order.savesPages === true ? { convert: savePage } : {}),
      ...(order.savesPages === true && order.readsLists !== true ? { ytDlpPath: process.execPath } : {}),
      mongodbUri: order.mongodbUri,
      sessionKeys: ["test-key-test-key-test-key-test-key"],
      distFolder: "",
      extraVideoHosts: [parseHostEntry(order.siteHost)],
      sampleLinks: [],
      broken: new Promise(() => undefined),
      stop: () => Promise.resolve(),
    },
    pino({ level: "info" }),
  );
  process.once("SIGTERM", () => void server.stop().then(() => process.exit(0)));
  process.send({ isReady: true });
}
