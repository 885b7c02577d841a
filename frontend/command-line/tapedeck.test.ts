/** The command as a process of its own, against a real server, in pipes and in a pseudo terminal. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { commandsForTests, FILE, isConverting, TITLE } from "../../backend/dev/testing/user-command.ts";

const { place, linkTo, run, savedFiles } = commandsForTests();

it("tells each change as a line of JSON and overwrites no file", async () => {
  const names = [`${TITLE} (2).mp3`, `${TITLE}.mp3`];
  await writeFile(path.join(place.folder, `${TITLE}.mp3`), "mine");
  const command = run([linkTo("piped")]);
  expect(await command.ended()).toBe(0);
  expect(command.events[0]).toMatchObject({ event: "job", link: linkTo("piped"), job: { format: "mp3" } });
  expect(command.events.at(-1)).toMatchObject({ event: "saved", path: names[0], sizeBytes: FILE.length });
  expect(await savedFiles()).toEqual(names);
  expect(FILE.equals(await readFile(path.join(place.folder, names[0] ?? "")))).toBe(true);
  expect(await readFile(path.join(place.folder, names[1] ?? ""), "utf8")).toBe("mine");
});

it("cancels the job with Ctrl-C in a terminal", async () => {
  const command = run([linkTo("held-3")], { columns: 80 });
  await command.until(isConverting);
  command.type("\u0003");
  expect(await command.ended()).toBe(130);
  expect(command.output).toContain("Canceling");
  const jobs = (await (await place.device.call("GET", "/api/conversions")).json()) as { status: string }[];
  expect(jobs[0]?.status).toBe("canceled");
});

it.each<[string, readonly string[], RegExp]>([
  ["a conversion", ["--wait", "0", "http://x.test/"], /^This server has no https.*\nNo connection to/],
  ["a sign-in", ["login"], /^This server has no https.*\nNo connection to/],
])("warns of a server without https before the token of %s goes there", async (_, words, sentence) => {
  const command = run(words, { environment: { TAPEDECK_URL: "http://nowhere.invalid" } });
  expect([await command.ended(), command.output]).toEqual([3, ""]);
  expect(command.errors).toMatch(sentence);
});

it.each<[string, readonly string[], Readonly<Record<string, string>>, number, RegExp]>([
  ["a wrong token", ["http://x.test/"], { TAPEDECK_TOKEN: "tapedeck_wrong" }, 3, /^This token does not work any more/],
  [
    "a link that a shell has cut",
    ["https://www.youtube.com/watch?app=desktop"],
    {},
    2,
    /cut off\. Put the link in quotes/,
  ],
  ["two formats", ["--mp3", "--wav", "x"], {}, 2, /^Choose --mp3 or --wav/],
])("ends with a sentence for %s", async (_, words, environment, code, sentence) => {
  const command = run(words, { environment });
  expect([await command.ended(), command.output]).toEqual([code, ""]);
  expect(command.errors).toMatch(sentence);
});
