/** Programs for tests that Go builds from source into the data folder: stripe-mock, versitygw and FerretDB. */
import { rename } from "node:fs/promises";
import path from "node:path";
import { makeProgram, type PrepareOptions } from "./made-program.ts";
import { canInstallPackages, installPackages } from "./debian.ts";
import { runTool } from "./run-tool.ts";
import { findOnPath, isProgram } from "../../runtime/find-program.ts";

export interface GoProgram {
  /** Name of the built file. */
  readonly name: string;
  /** Module path with its version. */
  readonly module: string;
  /** Beginning of the error message: what needs the program. */
  readonly need: string;
  /** Usual build time, for the line that announces the build. */
  readonly usualTime: string;
  readonly buildTimeoutMs: number;
}

interface GoOptions extends PrepareOptions {
  /** Where a Go is that is not on the PATH; where its own instructions put it unless given. */
  readonly goFolders?: readonly string[];
}

/** Since 1.21 Go fetches by itself the newer Go that a module asks for. Debian 12 has 1.19. */
const LEAST_GO_MINOR = 21;
const GO_FOLDERS = ["/usr/local/go/bin"];

/** The payment provider's own request checker. */
export const STRIPE_MOCK: GoProgram = {
  name: "stripe-mock",
  module: "github.com/stripe/stripe-mock@v0.203.0",
  need: "The tests of payment need stripe-mock",
  usualTime: "some seconds",
  buildTimeoutMs: 5 * 60 * 1_000,
};

/** An S3-compatible storage server. 74 s on two cores. */
export const VERSITYGW: GoProgram = {
  name: "versitygw",
  module: "github.com/versity/versitygw/cmd/versitygw@v1.8.0",
  need: "S3-compatible storage for tests needs versitygw",
  usualTime: "some minutes",
  buildTimeoutMs: 30 * 60 * 1_000,
};

/** A server that speaks MongoDB's protocol, on PostgreSQL. */
export const FERRETDB: GoProgram = {
  name: "ferretdb",
  module: "github.com/FerretDB/FerretDB/v2/cmd/ferretdb@v2.7.0",
  need: "The tests with a database on PostgreSQL need FerretDB",
  usualTime: "some minutes",
  buildTimeoutMs: 30 * 60 * 1_000,
};

/**
 * Finds a program in the data folder or on the PATH, or builds it with `go install`.
 * @returns the path of the program
 * @throws SetUpError when it is missing and cannot be built; the signal's reason when aborted
 */
export async function prepareGoProgram(program: GoProgram, options: GoOptions): Promise<string> {
  const { name, need } = program;
  const folder = path.join(path.resolve(options.dataDir), "tools", name);
  const built = path.join(folder, name);
  const found = isProgram(built) ? undefined : findOnPath(name);
  if (found !== undefined) return found;
  const make = (draft: string): Promise<void> => build(program, draft, built, options);
  const problem = (reason: string): string =>
    `${need}, which could not be built (${reason}): install Go 1.${LEAST_GO_MINOR} or newer (into /usr/local/go, or ` +
    `\`apt-get install golang-go\` from Debian 13 on), or put ${name} on the PATH.`;
  return await makeProgram({ name, program: built, folder, make, problem }, options);
}

async function build(program: GoProgram, draft: string, target: string, options: GoOptions): Promise<void> {
  const { name, module, usualTime, buildTimeoutMs } = program;
  const { report, signal } = options;
  const go = await findOrInstallGo(options);
  report(`Building ${module}, which takes ${usualTime} …`);
  await runTool(go, ["install", "-v", module], {
    report,
    signal,
    env: { ...process.env, GOBIN: draft },
    timeoutMs: buildTimeoutMs,
  });
  await rename(path.join(draft, name), target);
}

/** @throws Error when there is none that is new enough */
async function findOrInstallGo(options: GoOptions): Promise<string> {
  const found = await findGo(options);
  if (found !== undefined) return found;
  // Where there is an old one, the packages have no newer one.
  if (findOnPath("go") === undefined && canInstallPackages()) await installPackages(["golang-go"], options);
  const installed = await findGo(options);
  if (installed === undefined) throw new Error("no Go here is new enough");
  return installed;
}

/** @returns the path of the first Go that is new enough */
async function findGo({ goFolders = GO_FOLDERS, signal }: GoOptions): Promise<string | undefined> {
  for (const go of [findOnPath("go"), ...goFolders.map((folder) => path.join(folder, "go"))]) {
    if (go === undefined || !isProgram(go)) continue;
    const [, minor] = /\bgo1\.(\d+)/.exec(await runTool(go, ["version"], { signal })) ?? [];
    if (Number(minor) >= LEAST_GO_MINOR) return go;
  }
  return undefined;
}
