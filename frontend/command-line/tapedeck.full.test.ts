/** The command as a process of its own: links that fail, connections that break, terminals, tokens and versions of Node. */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { BreakingProxy } from "../../backend/dev/testing/breaking-proxy.ts";
import { CommandProcess } from "../../backend/dev/testing/command-process.ts";
import { commandsForTests, FILE, isConverting, TITLE } from "../../backend/dev/testing/user-command.ts";

const { place, makeToken, linkTo, run, savedFiles } = commandsForTests();

describe("into a pipe", () => {
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
    await using proxy = await BreakingProxy.open(Number(new URL(place.server.origin).port), FILE.length / 3, 2);
    const command = run([linkTo("broken")], { environment: { TAPEDECK_URL: proxy.origin } });
    expect(await command.ended()).toBe(0);
    expect(proxy.ranges.map((range) => Number(/^bytes=(\d+)-$/.exec(range)?.[1]) > 0)).toEqual([true, true]);
    expect(FILE.equals(await readFile(path.join(place.folder, `${TITLE}.mp3`)))).toBe(true);
  });

  it("cancels the job when it is interrupted", async () => {
    const command = run([linkTo("held-1")]);
    await command.until(isConverting);
    command.kill("SIGTERM");
    expect(await command.ended()).toBe(130);
    const jobs = (await (await place.device.call("GET", "/api/conversions")).json()) as { status: string }[];
    expect(jobs[0]?.status).toBe("canceled");
    expect(await savedFiles()).toEqual([]);
  });

  it("goes on when the server is back, and gives up when it stays away", async () => {
    const command = run([linkTo("held-2")]);
    const impatient = run(["--wait", "0", linkTo("held-2")]);
    await Promise.all([command.until(isConverting), impatient.until(isConverting)]);
    await place.server.stop();
    expect(await impatient.ended()).toBe(3);
    expect(impatient.errors).toContain(`No connection to ${place.server.origin}`);
    await command.until(({ events }) => events.some((line) => line["isReachable"] === false));
    await place.server.start();
    place.held.resolve();
    expect(await command.ended()).toBe(0);
    expect(command.events).toContainEqual({ event: "connection", isReachable: true });
    expect(await savedFiles()).toEqual([`${TITLE}.mp3`]);
  });
});

describe("in a terminal", () => {
  it.each([80, 40])("draws lines of progress that fit %d columns", async (columns) => {
    const command = run([linkTo(`held-${columns}`), linkTo(`held-${columns}-too`)], { columns });
    await command.until(({ output }) => output.split("40 %").length > 2);
    place.held.resolve();
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

  it("asks for the token without showing it, and keeps it where only its owner reads it", async () => {
    const login = new CommandProcess(["login", "--server", place.server.origin], { folder: place.folder, columns: 80 });
    await login.until(({ output }) => output.includes("not shown"));
    login.type(`${place.token}\r`);
    expect(await login.ended()).toBe(0);
    expect(login.output).toContain("Hello Ada");
    expect(login.output).not.toContain(place.token);
    const file = path.join(place.folder, ".config/tapedeck/account.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const command = new CommandProcess([linkTo("kept")], { folder: place.folder });
    expect(await command.ended()).toBe(0);
    const elsewhere = new CommandProcess(["--server", "https://other.example", linkTo("kept")], {
      folder: place.folder,
    });
    expect(await elsewhere.ended()).toBe(2);
    expect(elsewhere.errors).toContain("There is no token for https://other.example");
  });
});

it.each<[string, readonly string[], Readonly<Record<string, string>>, number, RegExp]>([
  ["a server that is not there", ["http://x.test/"], { TAPEDECK_URL: "http://127.0.0.1:1" }, 3, /^No connection to/],
  ["no link", [], {}, 2, /^Name at least one link/],
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
