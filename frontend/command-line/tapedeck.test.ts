/** The command as a process of its own, against a real server, in pipes and in a pseudo terminal. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import stringWidth from "string-width";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ConversionError } from "../../common/errors.ts";
import { CreatedToken, type TokenScope } from "../../common/token-calls.ts";
import { startTestServer, type TestDevice, type TestServer } from "../../backend/dev/testing/test-server.ts";
import { untilAborted } from "../../backend/dev/testing/until-aborted.ts";
import type { Runtime } from "../../backend/runtime/runtime.ts";
import { BreakingProxy } from "./breaking-proxy.ts";
import { CommandProcess, type CommandOptions } from "./command-process.ts";

const EMAIL = "pro@example.com";
/** More than the buffers of a connection hold. */
const FILE = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
const TITLE = "雨 on a tin roof, recorded for a whole night without a single word being said";

let server: TestServer;
let device: TestDevice;
let token = "";
let folder = "";
let held = Promise.withResolvers<void>();

/** Needs no tools. The page /held is converted when the test says so, /private never. */
const convert: NonNullable<Runtime["convert"]> = async ({ url, folder, format }, listener, signal) => {
  const page = new URL(url).pathname;
  if (page === "/private") throw new ConversionError("private");
  listener.found({ title: TITLE, durationSeconds: 1 });
  listener.progress({ stage: "convert", percent: 40 });
  if (page.startsWith("/held")) await Promise.race([held.promise, untilAborted(signal)]);
  const file = path.join(folder, `result.${format}`);
  await writeFile(file, FILE);
  return { path: file, sizeBytes: FILE.length, durationSeconds: 1 };
};

beforeAll(async () => {
  server = await startTestServer({ hasExtractor: false }, undefined, convert);
  device = await server.newDevice();
  await server.signIn(device, { email: EMAIL, firstName: "Ada" });
  await server.setTier(EMAIL, "pro");
  token = await makeToken("read", "convert", "download");
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tapedeck-command-"));
  held = Promise.withResolvers<void>();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function makeToken(...scopes: TokenScope[]): Promise<string> {
  const answer = await device.call("POST", "/api/tokens", { name: "A program", scopes });
  return CreatedToken.parse(await answer.json()).secret;
}

const linkTo = (page: string): string => `http://${server.site.host}/${page}`;

function run(words: readonly string[], options: Partial<CommandOptions> = {}): CommandProcess {
  const environment = { TAPEDECK_URL: server.origin, TAPEDECK_TOKEN: token, ...options.environment };
  return new CommandProcess(words, { folder, ...options, environment });
}

const savedFiles = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => !name.startsWith(".c")).sort();
const isConverting = ({ output }: CommandProcess): boolean =>
  output.includes("converting") || /"progress":40/.test(output);

describe("into a pipe", () => {
  it("tells each change as a line of JSON and overwrites no file", async () => {
    const names = [`${TITLE} (2).mp3`, `${TITLE}.mp3`];
    await writeFile(path.join(folder, `${TITLE}.mp3`), "mine");
    const command = run([linkTo("piped")]);
    expect(await command.ended()).toBe(0);
    expect(command.events[0]).toMatchObject({ event: "job", link: linkTo("piped"), job: { format: "mp3" } });
    expect(command.events.at(-1)).toMatchObject({ event: "saved", path: names[0], sizeBytes: FILE.length });
    expect(await savedFiles()).toEqual(names);
    expect(FILE.equals(await readFile(path.join(folder, names[0] ?? "")))).toBe(true);
    expect(await readFile(path.join(folder, names[1] ?? ""), "utf8")).toBe("mine");
  });

  it("converts several links, and tells of those that fail in the server's words", async () => {
    const command = run(["--mp4", linkTo("private"), linkTo("one"), "no link", linkTo("two"), linkTo("three")]);
    expect(await command.ended()).toBe(1);
    const failed = command.events.filter(({ event }) => event === "failed");
    expect(failed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          link: linkTo("private"),
          code: "private",
          message: expect.stringContaining("private"),
        }),
        expect.objectContaining({ link: "no link", code: "invalid_link" }),
      ]),
    );
    expect(await savedFiles()).toEqual([`${TITLE} (2).mp4`, `${TITLE} (3).mp4`, `${TITLE}.mp4`]);
  });

  it("goes on with a download where its connection broke", async () => {
    await using proxy = await BreakingProxy.open(Number(new URL(server.origin).port), FILE.length / 3, 2);
    const command = run([linkTo("broken")], { environment: { TAPEDECK_URL: proxy.origin } });
    expect(await command.ended()).toBe(0);
    expect(proxy.ranges.map((range) => Number(/^bytes=(\d+)-$/.exec(range)?.[1]) > 0)).toEqual([true, true]);
    expect(FILE.equals(await readFile(path.join(folder, `${TITLE}.mp3`)))).toBe(true);
  });

  it("cancels the job when it is interrupted", async () => {
    const command = run([linkTo("held-1")]);
    await command.until(isConverting);
    command.kill("SIGTERM");
    expect(await command.ended()).toBe(130);
    const jobs = (await (await device.call("GET", "/api/conversions")).json()) as { status: string }[];
    expect(jobs[0]?.status).toBe("canceled");
    expect(await savedFiles()).toEqual([]);
  });

  it("goes on when the server is back, and gives up when it stays away", async () => {
    const command = run([linkTo("held-2")]);
    const impatient = run(["--wait", "0", linkTo("held-2")]);
    await Promise.all([command.until(isConverting), impatient.until(isConverting)]);
    await server.stop();
    expect(await impatient.ended()).toBe(3);
    expect(impatient.errors).toContain(`No connection to ${server.origin}`);
    await command.until(({ events }) => events.some((line) => line["isReachable"] === false));
    await server.start();
    held.resolve();
    expect(await command.ended()).toBe(0);
    expect(command.events).toContainEqual({ event: "connection", isReachable: true });
    expect(await savedFiles()).toEqual([`${TITLE}.mp3`]);
  });
});

describe("in a terminal", () => {
  it.each([80, 40])("draws lines of progress that fit %d columns", async (columns) => {
    const command = run([linkTo(`held-${columns}`), linkTo(`held-${columns}-too`)], { columns });
    await command.until(({ output }) => output.split("40 %").length > 2);
    held.resolve();
    expect(await command.ended()).toBe(0);
    // Either file may be saved first. Its line has the whole title, which the lines of progress have no room for.
    const [drawn = ""] = command.output.split(TITLE);
    // Each drawing goes up by as many lines as it wrote: no line was broken in two.
    const widths = drawn
      .split("\u001b")
      .flatMap((text) => text.replace(/^\[[\d;]*[A-Z]/, "\n").split(/\r?\n/))
      .map((line) => stringWidth(line));
    expect(Math.max(...widths)).toBe(columns - 1);
    expect(command.output.replaceAll(/\s+/g, " ")).toContain(`${TITLE}.mp3 3.0 MB`);
    expect((await savedFiles()).length).toBe(2);
  });

  it("cancels the job with Ctrl-C", async () => {
    const command = run([linkTo("held-3")], { columns: 80 });
    await command.until(isConverting);
    command.type("\u0003");
    expect(await command.ended()).toBe(130);
    expect(command.output).toContain("Canceling");
    const jobs = (await (await device.call("GET", "/api/conversions")).json()) as { status: string }[];
    expect(jobs[0]?.status).toBe("canceled");
  });

  it("asks for the token without showing it, and keeps it where only its owner reads it", async () => {
    const login = new CommandProcess(["login", "--server", server.origin], { folder, columns: 80 });
    await login.until(({ output }) => output.includes("not shown"));
    login.type(`${token}\r`);
    expect(await login.ended()).toBe(0);
    expect(login.output).toContain("Hello Ada");
    expect(login.output).not.toContain(token);
    const file = path.join(folder, ".config/tapedeck/account.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const command = new CommandProcess([linkTo("kept")], { folder });
    expect(await command.ended()).toBe(0);
    const elsewhere = new CommandProcess(["--server", "https://other.example", linkTo("kept")], {
      folder,
    });
    expect(await elsewhere.ended()).toBe(2);
    expect(elsewhere.errors).toContain("There is no token for https://other.example");
  });
});

it.each<[string, readonly string[], Readonly<Record<string, string>>, number, RegExp]>([
  ["a wrong token", ["http://x.test/"], { TAPEDECK_TOKEN: "tapedeck_wrong" }, 3, /^This token does not work any more/],
  ["a server that is not there", ["http://x.test/"], { TAPEDECK_URL: "http://127.0.0.1:1" }, 3, /^No connection to/],
  ["no link", [], {}, 2, /^Name at least one link/],
  ["two formats", ["--mp3", "--wav", "x"], {}, 2, /^Choose --mp3 or --wav/],
  ["an unknown option", ["--mp5", "x"], {}, 2, /--mp5/],
  ["no folder", ["-o", "/no/such/folder", "x"], {}, 2, /^There is no folder/],
])("ends with a sentence for %s", async (_, words, environment, code, sentence) => {
  const command = run(words, { environment });
  expect([await command.ended(), command.output]).toEqual([code, ""]);
  expect(command.errors).toMatch(sentence);
});

it("refuses a token that may only read", async () => {
  const command = run([linkTo("one")], { environment: { TAPEDECK_TOKEN: await makeToken("read") } });
  expect([await command.ended(), command.errors]).toEqual([3, expect.stringContaining("may not do that")]);
});

it("starts under a Node that does not read TypeScript", async () => {
  const command = run(["--help"], { nodeOptions: ["--no-strip-types"] });
  expect(await command.ended()).toBe(0);
  expect(command.output).toContain("Usage: tapedeck");
});
