/** The operator's command for the block list, in a second process beside a running server. */
import { execFile } from "node:child_process";
import { userInfo } from "node:os";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { SENTENCES } from "../common/errors.ts";
import { ofFile } from "./dev/testing/of-file.ts";
import { REPOSITORY_ROOT } from "./dev/repository.ts";
import { BlockableConversions, completed } from "./dev/testing/blockable-conversions.ts";
import { startTestServer } from "./dev/testing/test-server.ts";

const { convert, held } = new BlockableConversions();
const server = await ofFile(
  startTestServer({ hasExtractor: false, VIDEO_HOSTS: "youtube.com,youtu.be" }, undefined, convert),
);

/** Runs the real command. @returns its lines */
async function runBlock(...args: string[]): Promise<string[]> {
  const env = { ...process.env, MONGODB_URI: server.mongodbUri, DATA_DIR: server.config.dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, ["backend/commands/block.ts", ...args], {
    cwd: REPOSITORY_ROOT,
    env,
  });
  return stdout.trim().split("\n");
}

it("the command blocks a video in a running server: jobs end, copies go, and the log says who, what and why", async () => {
  const device = await server.newDevice();
  const live = await device.live();
  const link = "https://www.youtube.com/watch?v=aaaaaaaaaaa";
  await completed(device, link);
  held.add(link);
  // Another format, so that the file is not used again.
  const running = await device.convert(link, "mp4");
  await live.until(running.id, (job) => job.status === "processing" && job.thumbnailUrl !== undefined);

  const [line, answer] = await runBlock("add", "video", "https://youtu.be/aaaaaaaaaaa", "--reason", "a claim of 3 May");
  expect(line).toBe("video youtube:aaaaaaaaaaa is blocked");
  const applied = "jobs ended: 1, files deleted: 1, pictures deleted: 2";
  // A busy server may need longer than the command waits for it.
  expect([applied, "No server has answered yet: it ends jobs and deletes copies when it runs"]).toContain(answer);
  const ended = await live.untilStatus(running.id, "failed");
  expect(ended).toMatchObject({ error: { code: "blocked", message: SENTENCES.blocked } });
  await expect.poll(async () => (await runBlock("log")).some((one) => one.includes("  applied  "))).toBe(true);
  expect(await runBlock("remove", "video", "youtube:aaaaaaaaaaa", "--as", "bob")).toHaveLength(1);
  expect((await runBlock("log")).map((line) => line.split("  ").slice(1))).toEqual([
    [userInfo().username, "added", "video", "youtube:aaaaaaaaaaa", "a claim of 3 May"],
    ["server", "applied", "video", "youtube:aaaaaaaaaaa", applied],
    ["bob", "removed", "video", "youtube:aaaaaaaaaaa"],
  ]);
});

it("the command says in one sentence what is wrong, and changes nothing", async () => {
  const wrong = async (...args: string[]) => {
    const { stderr } = (await runBlock(...args).catch((error: unknown) => error)) as { stderr: string };
    return stderr.trim();
  };
  const wrongs = await Promise.all([
    wrong("add", "network", "0.0.0.0/0", "--reason", "x"),
    wrong("add", "device", "1b4e28ba-2fa1-4d2a-883f-0016d3cca427", "--reason", "x", "--until", "2020-01-01"),
    wrong("remove", "host", "videos.example"),
  ]);
  expect(wrongs).toEqual([
    expect.stringMatching(/^"0\.0\.0\.0\/0" covers too many visitors.*$/),
    expect.stringMatching(/^--until must lie in the future/),
    "host videos.example is not blocked.",
  ]);
});
