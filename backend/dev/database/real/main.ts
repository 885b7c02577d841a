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

interface Kind {
  readonly start: (options: RealDatabaseOptions) => Promise<RealDatabase>;
  /** In how many parts the tests run, each with a new server. SecantusDB becomes slower the longer it serves. */
  readonly parts: number;
  /** Whether `configureFailPoint` works, so that a change of the primary can be played. */
  readonly hasFailPoints: boolean;
}

const KINDS: Readonly<Record<string, Kind>> = {
  ferretdb: { start: startFerretdb, parts: 1, hasFailPoints: false },
  secantusdb: { start: startSecantusdb, parts: 12, hasFailPoints: true },
};
const TESTS = ["backend/domain", "backend/worker", "backend/server.test.ts"];
const report = (line: string): void => void process.stdout.write(`${line}\n`);

/** @returns whether all passed */
async function runTests({ uri, description, brokenTests }: RealDatabase, words: readonly string[]): Promise<boolean> {
  for (const title of brokenTests) report(`left out, a fault of ${description}: ${title}`);
  const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "..", "vitest.mjs");
  const config = join(REPOSITORY_ROOT, "backend/dev/vitest.config.ts");
  const leftOut = brokenTests.length > 0 ? ["-t", `^(?!(?:${brokenTests.join("|")})$)`] : [];
  const program = spawn(process.execPath, [vitest, "run", "-c", config, ...leftOut, ...words], {
    cwd: REPOSITORY_ROOT,
    env: { ...process.env, MONGODB_URI: uri },
    stdio: "inherit",
  });
  const [exitCode] = (await once(program, "close")) as [number | null];
  return exitCode === 0;
}

/** Gives a new server to what is done, and removes its files after it. */
async function withServer<Result>(
  { start }: Kind,
  work: (database: RealDatabase, folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "tapedeck-database-"));
  try {
    await using database = await start({ folder, report });
    report(`${database.description} listens at ${database.uri}`);
    return await work(database, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns whether changes of the primary did what they should */
async function playChanges({ uri }: RealDatabase, folder: string): Promise<boolean> {
  const tools = await prepareToolsOfCheckout(report);
  await buildFrontend({ root: REPOSITORY_ROOT, outDir: join(REPOSITORY_ROOT, "frontend", "dist"), report });
  return (await changePrimary(uri, { folder, tools, report })) === 0;
}

/** @param named tests in place of the usual ones @returns whether all is as it should be */
async function runAll(kind: Kind, named: readonly string[]): Promise<boolean> {
  const parts = Array.from({ length: kind.parts }, (_, part) => [`--shard=${part + 1}/${kind.parts}`, ...TESTS]);
  let isRight = true;
  for (const words of named.length > 0 ? [named] : parts)
    if (!(await withServer(kind, (database) => runTests(database, words)))) isRight = false;
  if (kind.hasFailPoints && !(await withServer(kind, playChanges))) isRight = false;
  return isRight;
}

const { values, positionals } = parseArgs({
  options: { jobs: { type: "string", multiple: true, default: [] } },
  allowPositionals: true,
});
const [name = "", ...given] = positionals;
const kind = KINDS[name];
if (kind === undefined) {
  process.stderr.write(`usage: npm run test:database -- ${Object.keys(KINDS).join("|")} [TESTS] [--jobs NUMBER]\n`);
  process.exit(2);
}
if (values.jobs.length > 0) await withServer(kind, ({ uri }) => measureSizes(uri, values.jobs.map(Number), report));
else if (!(await runAll(kind, given))) process.exitCode = 1;
