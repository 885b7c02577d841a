/** The operator's commands beside a real server that converts. */
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { JobList } from "../../common/api.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { runBackupCommand } from "../dev/testing/backup-commands.ts";
import { startTestServer, type TestDevice } from "../dev/testing/test-server.ts";
import { testFolder } from "../dev/testing/test-folder.ts";

const DELETION = { confirmation: "delete my account" };

const backups = await testFolder();

const server = await ofFile(startTestServer());

const listOf = async (device: TestDevice) => JobList.parse(await (await device.call("GET", "/api/conversions")).json());
const fileOf = async (device: TestDevice, id: string) => {
  const answer = await device.call("GET", `/api/conversions/${id}/file`);
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()).toString("base64") };
};

/** @returns the id of a completed conversion; equal requests share one file, and the picture is copied */
async function convert(device: TestDevice, format: "mp3" | "mp4"): Promise<string> {
  const { id } = await device.convert(server.site.urlOf(format === "mp4" ? "tide" : "rain"), format);
  expect(await (await device.live()).untilStatus(id, "completed", "failed")).toMatchObject({ status: "completed" });
  return id;
}

it("restores every job as its visitor saw it, from a backup that was made while the server converted", async () => {
  const visitor = await server.newDevice();
  const user = await server.newDevice();
  const leaver = await server.newDevice();
  await server.signIn(user, { email: "user@example.com" });
  await server.signIn(leaver, { email: "leaver@example.com" });
  const [ofVisitor, ofUser, ofLeaver] = await Promise.all([
    convert(visitor, "mp3"),
    convert(user, "mp4"),
    convert(leaver, "mp3"),
  ]);
  const held = server.site.urlOf("held");
  const running = await visitor.convert(held);
  await (await visitor.live()).until(running.id, ({ status, progress }) => status === "processing" && progress > 0);
  const saved = await runBackupCommand(server, "backup", backups);
  expect(saved).toMatchObject({ isOk: true, output: expect.stringMatching(/: \d+ documents, \d+ files\n$/) });
  const listed = { visitor: await listOf(visitor), user: await listOf(user) };
  const files = { visitor: await fileOf(visitor, ofVisitor), user: await fileOf(user, ofUser) };

  // What happens after the backup is undone by the restore, but for the deletion of the account.
  expect((await visitor.call("DELETE", `/api/conversions/${ofVisitor}`)).status).toBeLessThan(300);
  expect((await leaver.call("DELETE", "/api/account", DELETION)).status).toBe(200);
  const made = path.join(backups, (await readdir(backups)).find((name) => name.startsWith("backup-")) ?? "");
  const refused = await runBackupCommand(server, "restore", made, "--replace");
  expect(refused).toMatchObject({ isOk: false, output: expect.stringContaining("in use by another running Tapedeck") });
  await server.stop();
  await rm(path.join(server.config.dataDir, "files"), { recursive: true });
  const restored = await runBackupCommand(server, "restore", made, "--replace");
  expect(restored.output).toContain("deleted again: 1. Jobs without their file, which count as expired: 0.");
  await server.start();

  const isEnded = ({ status }: { status: string }) => status === "completed";
  expect((await listOf(visitor)).filter(isEnded)).toEqual(listed.visitor.filter(isEnded));
  expect(await fileOf(visitor, ofVisitor)).toEqual(files.visitor);
  expect(files.visitor.status).toBe(200);
  // Nobody is signed in any more.
  expect((await user.call("GET", "/api/auth/user")).status).toBe(401);
  expect((await fileOf(user, ofUser)).status).toBe(404);
  await server.signIn(user, { email: "user@example.com" });
  expect(await listOf(user)).toEqual(listed.user);
  expect(await fileOf(user, ofUser)).toEqual(files.user);
  await server.signIn(leaver, { email: "leaver@example.com" });
  expect(await listOf(leaver)).toEqual([]);
  expect((await fileOf(leaver, ofLeaver)).status).toBe(404);
  // The conversion that was running starts over.
  server.site.release(held);
  const view = await visitor.live();
  expect(await view.until(running.id, ({ attempt, status }) => attempt === 2 && status === "completed")).toBeTruthy();
});
