import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { clearJobFolders, openJobFolder } from "../process/job-folder.ts";
import { AccountCookies, CookiesFileError } from "./account-cookies.ts";
import { hideSecrets } from "./hide-secrets.ts";

const HEADER = "# Netscape HTTP Cookie File\n";
const LATER = Math.floor(Date.now() / 1_000) + 86_400;
const EARLIER = LATER - 172_800;
const folder = await testFolder();

function line(name: string, { domain = ".youtube.com", expires = LATER, value = `value-of-${name}` } = {}): string {
  return `${domain}\tTRUE\t/\tFALSE\t${expires}\t${name}\t${value}\n`;
}

const ACCOUNT = line("LOGIN_INFO") + line("SAPISID");

async function cookiesOf(text: string): Promise<{ cookies: AccountCookies; file: string }> {
  const file = path.join(folder, `${crypto.randomUUID()}.txt`);
  await writeFile(file, text, { mode: 0o600 });
  return { cookies: new AccountCookies(file), file };
}

it.each([
  ["no file", undefined, "cannot be read (ENOENT)"],
  ["an empty file", "", "not in Netscape format"],
  ["JSON", '[{"name": "LOGIN_INFO", "value": "value-of-LOGIN_INFO"}]', "not in Netscape format"],
  ["lines without the header", ACCOUNT, "not in Netscape format"],
  [
    "cookies of other sites only",
    HEADER + line("LOGIN_INFO", { domain: ".notyoutube.com" }),
    "no cookie of youtube.com",
  ],
  ["expired cookies only", HEADER + line("LOGIN_INFO", { expires: EARLIER }), "no cookie of youtube.com"],
  ["cookies of a guest", HEADER + line("VISITOR_INFO1_LIVE"), "no valid cookies of an account"],
  ["an expired session", HEADER + line("LOGIN_INFO", { expires: EARLIER }) + line("SAPISID"), "no valid cookies of an"],
  ["a session without its key", HEADER + line("LOGIN_INFO"), "no valid cookies of an account"],
  ["too many bytes", HEADER + ACCOUNT + "#".repeat(4_000_000), "too large"],
])("refuses %s with a sentence that has none of its values", async (_name, text, reason) => {
  const { cookies } =
    text === undefined ? { cookies: new AccountCookies(path.join(folder, "x")) } : await cookiesOf(text);
  const error: unknown = await cookies.check().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CookiesFileError);
  expect(String(error)).toContain(reason);
  expect(String(error)).not.toContain("value-of");
});

it.each([
  ["the header of old browsers", `# HTTP Cookie File\r\n${ACCOUNT.replaceAll("\n", "\r\n")}`],
  ["cookies that are hidden from scripts", `${HEADER}#HttpOnly_${line("LOGIN_INFO")}${line("__Secure-3PAPISID")}`],
  ["cookies of the session", HEADER + line("LOGIN_INFO", { expires: 0 }) + line("SAPISID")],
])("accepts %s", async (_name, text) => {
  expect(await (await cookiesOf(text)).cookies.check()).toEqual([]);
});

it("warns about expired cookies, unreadable lines and readers, and names no value", async () => {
  const broken = "this line is value-of-nothing\n";
  const { cookies, file } = await cookiesOf(HEADER + ACCOUNT + broken + line("PREF", { expires: EARLIER }));
  await chmod(file, 0o640);
  const warnings = await cookies.check();
  expect(warnings).toEqual([
    expect.stringContaining("PREF"),
    expect.stringContaining("1 of its lines"),
    expect.stringContaining("chmod 600"),
  ]);
  expect(warnings.join(" ")).not.toContain("value-of");
});

it("copies valid cookies of youtube.com only, for this user only, and leaves the file as it is", async () => {
  const bank = line("SESSION", { domain: "bank.example", value: "value-of-the-bank" });
  const { cookies, file } = await cookiesOf(HEADER + ACCOUNT + bank + line("OLD", { expires: EARLIER }) + "broken\n");
  const { mtimeMs, ino } = await stat(file);
  const before = { mtimeMs, ino, text: await readFile(file, "utf8") };
  const copy = await cookies.copyInto(folder);
  const copyPath = path.join(folder, copy.file);
  expect((await stat(copyPath)).mode & 0o777).toBe(0o600);
  const rows = (await readFile(copyPath, "utf8")).trim().split("\n").slice(1);
  expect(rows.map((row) => row.split("\t"))).toEqual(
    ["LOGIN_INFO", "SAPISID"].map((name) => [
      ".youtube.com",
      "TRUE",
      "/",
      "TRUE",
      `${LATER}`,
      name,
      `value-of-${name}`,
    ]),
  );
  await copy[Symbol.asyncDispose]();
  expect(await readdir(folder)).not.toContain(copy.file);
  const after = await stat(file);
  expect({ mtimeMs: after.mtimeMs, ino: after.ino, text: await readFile(file, "utf8") }).toEqual(before);
});

it("hides the values in what yt-dlp printed, also those of renewed cookies", async () => {
  const { cookies } = await cookiesOf(HEADER + ACCOUNT);
  await using copy = await cookies.copyInto(folder);
  await writeFile(path.join(folder, copy.file), HEADER + ACCOUNT + line("SIDTS", { value: "value-of-renewed" }));
  const secrets = await copy.secrets();
  expect(hideSecrets('{"cookies":"LOGIN_INFO=value-of-LOGIN_INFO"}', secrets)).toBe(
    '{"cookies":"LOGIN_INFO=[cookie]"}',
  );
  expect(hideSecrets("ERROR: value-of-SAPISID and value-of-renewed", secrets)).toBe("ERROR: [cookie] and [cookie]");
});

it("leaves a copy in the job's folder only when its process is killed; the next start removes it", async () => {
  const { file } = await cookiesOf(HEADER + ACCOUNT);
  const root = path.join(folder, "jobs");
  await using job = await openJobFolder(root, "job");
  const source = JSON.stringify(path.join(import.meta.dirname, "account-cookies.ts"));
  const program = `const { AccountCookies } = await import(${source});
    const copy = await new AccountCookies(${JSON.stringify(file)}).copyInto(${JSON.stringify(job.path)});
    console.log(copy.file); setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await readdir(job.path)).toHaveLength(1);
  await clearJobFolders(root);
  expect(await readdir(root)).toEqual([]);
});
