/**
 * `npm run test:database -- ferretdb`, or `secantusdb`: the tests of domain and worker and that of a server with a
 * database that is not the embedded one; with SecantusDB also changes of the primary while a job runs. Ends with 1 after
 * a failed test or a fault. Further words name other tests: `-- ferretdb backend/billing.test.ts`, and `.` means all.
 * `-- ferretdb --jobs 100000` runs no test: it measures what so many stored jobs take.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { REPOSITORY_ROOT } from "../../repository.ts";
import { buildFrontend } from "../../setup/frontend-build.ts";
import { prepareToolsOfCheckout } from "../../setup/tools.ts";
import { changePrimary } from "./change-of-primary.ts";
import { startFerretdb } from "./ferretdb.ts";
import type { RealDatabase, RealDatabaseOptions } from "./real-database.ts";
import { startSecantusdb } from "./secantusdb.ts";
import { measureSizes } from "./sizes.ts";

const DATABASES: Readonly<Record<string, (options: RealDatabaseOptions) => Promise<RealDatabase>>> = {
  ferretdb: startFerretdb,
  secantusdb: startSecantusdb,
};
const TESTS = ["backend/domain", "backend/worker", "backend/server.test.ts"];
const report = (line: string): void => void process.stdout.write(`${line}\n`);

/** @returns whether all passed */
async function runTests({ uri, brokenTests }: RealDatabase, tests: readonly string[]): Promise<boolean> {
  const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "..", "vitest.mjs");
  const config = join(REPOSITORY_ROOT, "backend/dev/vitest.config.ts");
  const leftOut = brokenTests.length > 0 ? ["-t", `^(?!(?:${brokenTests.join("|")})$)`] : [];
  const program = spawn(process.execPath, [vitest, "run", "-c", config, ...leftOut, ...tests], {
    cwd: REPOSITORY_ROOT,
    env: { ...process.env, MONGODB_URI: uri },
    stdio: "inherit",
  });
  const [exitCode] = (await once(program, "close")) as [number | null];
  return exitCode === 0;
}

/** @returns whether all is as it should be */
async function runAll(database: RealDatabase, folder: string, tests: readonly string[]): Promise<boolean> {
  for (const title of database.brokenTests) report(`left out, a fault of ${database.description}: ${title}`);
  const havePassed = await runTests(database, tests);
  if (!database.hasFailPoints) return havePassed;
  const tools = await prepareToolsOfCheckout(report);
  await buildFrontend({ root: REPOSITORY_ROOT, outDir: join(REPOSITORY_ROOT, "frontend", "dist"), report });
  return (await changePrimary(database.uri, { folder, tools, report })) === 0 && havePassed;
}

const { values, positionals } = parseArgs({
  options: { jobs: { type: "string", multiple: true, default: [] } },
  allowPositionals: true,
});
const [kind = "", ...given] = positionals;
const start = DATABASES[kind];
if (start === undefined) {
  const kinds = Object.keys(DATABASES).join("|");
  process.stderr.write(`usage: npm run test:database -- ${kinds} [TESTS] [--jobs NUMBER]\n`);
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), "tapedeck-database-"));
try {
  await using database = await start({ folder, report });
  report(`${database.description} listens at ${database.uri}`);
  if (values.jobs.length > 0) await measureSizes(database.uri, values.jobs.map(Number), report);
  else if (!(await runAll(database, folder, given.length > 0 ? given : TESTS))) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
