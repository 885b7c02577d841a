/** A server and a folder for tests of the command, which runs as a process of its own. */
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, beforeEach } from "vitest";
import { ConversionError } from "../../../common/errors.ts";
import { CreatedToken, type TokenScope } from "../../../common/token-calls.ts";
import { startTestServer, type TestDevice, type TestServer } from "./test-server.ts";
import { testFolder } from "./test-folder.ts";
import { untilAborted } from "./until-aborted.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { CommandProcess, type CommandOptions } from "./command-process.ts";

const EMAIL = "pro@example.com";
/** More than the buffers of a connection hold. */
export const FILE = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
export const TITLE = "雨 on a tin roof, recorded for a whole night without a single word being said";

/** What the tests of a file share; `folder` and `held` are new for each test. */
interface CommandPlace {
  server: TestServer;
  /** Of the user whose `token` the command has. */
  device: TestDevice;
  token: string;
  folder: string;
  /** Held conversions go on when it resolves. */
  held: PromiseWithResolvers<void>;
}

/** For the top of a test file. */
export function commandsForTests() {
  // Filled before each test.
  const place = {} as CommandPlace;

  /** Needs no tools. The page /held is converted when the test says so, /private never. */
  const convert: NonNullable<Runtime["convert"]> = async ({ url, folder, format }, listener, signal) => {
    const page = new URL(url).pathname;
    if (page === "/private") throw new ConversionError("private");
    listener.found({ title: TITLE, durationSeconds: 1 });
    listener.progress({ stage: "convert", percent: 40 });
    if (page.startsWith("/held")) await Promise.race([place.held.promise, untilAborted(signal)]);
    const file = path.join(folder, `result.${format}`);
    await writeFile(file, FILE);
    return { path: file, sizeBytes: FILE.length, durationSeconds: 1 };
  };

  beforeAll(async () => {
    place.server = await startTestServer({ hasExtractor: false }, undefined, convert);
    place.device = await place.server.newDevice();
    await place.server.signIn(place.device, { email: EMAIL, firstName: "Ada" });
    await place.server.setTier(EMAIL, "pro");
    place.token = await makeToken("read", "convert", "download");
    return () => place.server[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    place.folder = await testFolder();
    place.held = Promise.withResolvers<void>();
  });

  async function makeToken(...scopes: TokenScope[]): Promise<string> {
    const answer = await place.device.call("POST", "/api/tokens", { name: "A program", scopes });
    return CreatedToken.parse(await answer.json()).secret;
  }

  const linkTo = (page: string): string => `http://${place.server.site.host}/${page}`;

  function run(words: readonly string[], options: Partial<CommandOptions> = {}): CommandProcess {
    const environment = { TAPEDECK_URL: place.server.origin, TAPEDECK_TOKEN: place.token, ...options.environment };
    return new CommandProcess(words, { folder: place.folder, ...options, environment });
  }

  const savedFiles = async (): Promise<string[]> =>
    (await readdir(place.folder)).filter((name) => !name.startsWith(".c")).sort();

  return { place, makeToken, linkTo, run, savedFiles };
}

export const isConverting = ({ output }: CommandProcess): boolean =>
  output.includes("converting") || /"progress":40/.test(output);
