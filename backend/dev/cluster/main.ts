/**
 * `npm run cluster`: two web and two worker processes and the services that they use, at one address.
 * Ctrl-C ends everything. A killed process is started again.
 */
import { join } from "node:path";
import { z } from "zod";
import { buildFrontend } from "../setup/frontend-build.ts";
import { VERSITYGW, prepareGoProgram } from "../setup/go-programs.ts";
import { REPOSITORY_ROOT, repositoryDataDir } from "../repository.ts";
import { SetUpError } from "../setup/set-up-error.ts";
import { prepareToolsOfCheckout } from "../setup/tools.ts";
import { startCluster } from "./cluster.ts";

const PORT = Number(process.env["PORT"] || "3000");
const report = (line: string) => process.stdout.write(`${line}\n`);

const LogLine = z.object({ msg: z.string() });

/** @returns the message of a log line, or the line itself if it is no JSON */
function messageOf(line: string): string {
  try {
    return LogLine.parse(JSON.parse(line)).msg;
  } catch (error) {
    // Not a log line, for example an error before the logger exists.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return line;
    throw error;
  }
}

const signals = new Promise<NodeJS.Signals>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve(signal));
});

async function run(): Promise<void> {
  const dataDir = repositoryDataDir();
  const tools = await prepareToolsOfCheckout(report);
  await prepareGoProgram(VERSITYGW, { dataDir, report });
  await buildFrontend({ root: REPOSITORY_ROOT, outDir: join(REPOSITORY_ROOT, "frontend", "dist"), report });
  await using cluster = await startCluster({
    dataDir: join(dataDir, "cluster"),
    tools,
    port: PORT,
    isRevived: true,
    report,
    onOutput: (name, line) => report(`${name}: ${messageOf(line)}`),
  });
  for (const { name, pid, origin } of [...cluster.webs, ...cluster.workers])
    report(`${name}: process ${pid}, ${origin}`);
  report(`Redis: ${cluster.redis.url}; files: ${cluster.storage.endpoint}; database: ${cluster.mongodbUri}`);
  report(`Links to try: ${cluster.site.links.map(({ url }) => url).join(" ")}`);
  report(`Tapedeck is ready at ${cluster.origin}`);
  report(`stopping on ${await signals}`);
}

try {
  await run();
} catch (error) {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${error instanceof SetUpError ? error.message : stack}\n`);
  process.exitCode = 1;
}
