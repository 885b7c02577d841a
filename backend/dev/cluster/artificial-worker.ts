/**
 * A worker process whose conversions only wait, for measuring the cost of the queue, the database, Redis and the
 * pushes. Everything but the pipeline is the product's.
 */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import { readConfig } from "../../config/config.ts";
import type { ConvertedFile, ConvertListener, ConvertRequest } from "../../pipeline/convert.ts";
import { startServer } from "../../server.ts";
import { readSettingsArgument } from "../settings-argument.ts";

const LENGTH_MS = Number(process.env["ARTIFICIAL_MS"] ?? "4000");
/** Real tools report progress about as often as the default; the product pushes less often. */
const TICK_MS = Number(process.env["ARTIFICIAL_TICK_MS"] ?? "100");
const FILE_BYTES = 32_768;

async function convert(
  { folder }: ConvertRequest,
  listener: ConvertListener,
  signal: AbortSignal,
): Promise<ConvertedFile> {
  listener.found({ title: "Nothing in particular", durationSeconds: 60 });
  const startedAtMs = Date.now();
  for (let elapsedMs = 0; elapsedMs < LENGTH_MS; elapsedMs = Date.now() - startedAtMs) {
    listener.progress({
      stage: "download",
      percent: Math.min(98, (100 * elapsedMs) / LENGTH_MS),
      etaSeconds: Math.ceil((LENGTH_MS - elapsedMs) / 1_000),
    });
    // Throw the signal's reason instead of the AbortError of delay.
    await delay(Math.min(TICK_MS, LENGTH_MS - elapsedMs), undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  const path = join(folder, "result.mp3");
  await writeFile(path, Buffer.alloc(FILE_BYTES, 1));
  return { path, sizeBytes: FILE_BYTES, durationSeconds: 60 };
}

const config = readConfig(process.env, readSettingsArgument(process.argv[2]));
const http = createServer((_request, response) => response.writeHead(503).end());
http.listen(config.env.PORT, config.host);
await once(http, "listening");
const server = await startServer(
  http,
  config,
  {
    ytDlpPath: "/bin/false",
    ffmpegPath: "/bin/false",
    ffprobePath: "/bin/false",
    mongodbUri: config.env.MONGODB_URI ?? "",
    sessionKeys: config.env.SESSION_KEYS ?? [],
    distFolder: config.dataDir,
    extraVideoHosts: [],
    sampleLinks: [],
    convert,
    broken: new Promise(() => undefined),
    stop: () => Promise.resolve(),
  },
  pino({ level: config.env.LOG_LEVEL }),
);
process.once("SIGTERM", () => {
  void server.stop().finally(() => process.exit(0));
});
