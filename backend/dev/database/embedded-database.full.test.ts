import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import mongoose from "mongoose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { testFolder } from "../testing/test-folder.ts";
import { withFolderLock } from "../../runtime/folder-lock.ts";
import { repositoryDataDir } from "../repository.ts";
import { findOnPath } from "../../runtime/find-program.ts";
import {
  siteDatabaseUri,
  startEmbeddedDatabase,
  type EmbeddedDatabase,
  type EmbeddedKind,
} from "./embedded-database.ts";
import { javaCommand, prepareJavaServer } from "./java-server.ts";

const run = promisify(execFile);
/** Room for some hundred writes. */
const ROOM_BYTES = 2_000_000;
const CALLERS = 8;

const toolsDir = path.join(repositoryDataDir(), "tools");
const kinds: EmbeddedKind[] = findOnPath("mongod") === undefined ? ["java"] : ["java", "mongod"];

const withNumbers = async <Result>(
  uri: string,
  work: (numbers: mongoose.mongo.Collection, client: mongoose.mongo.MongoClient) => Promise<Result>,
) => {
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  try {
    return await work(client.db("test").collection("numbers"), client);
  } finally {
    await client.close();
  }
};
const readNumbers = async (uri: string) =>
  await withNumbers(uri, async (numbers) => {
    const found = await numbers.find().sort({ n: 1 }).toArray();
    return found.map((document): unknown => document["n"]);
  });

describe.each(kinds)("embedded database (%s)", (kind) => {
  let dataDir: string;
  let running: EmbeddedDatabase[];

  beforeEach(async () => {
    dataDir = await testFolder();
    running = [];
  });
  afterEach(() => Promise.all(running.map((database) => database.stop())));

  const start = async () => {
    const database = await startEmbeddedDatabase({ dataDir, toolsDir, kind, report: () => {} });
    running.push(database);
    return database;
  };

  it("keeps the last write before a stop", async () => {
    const first = await start();
    await withNumbers(first.uri, async (numbers) => await numbers.insertOne({ n: 1 }));
    await first.stop();
    expect(await first.exited).toMatchObject({ isExpected: true });
    const second = await start();
    expect(await readNumbers(second.uri)).toEqual([1]);
  });

  it("answers nobody without its password, which no other user of the machine sees", async () => {
    const { uri, pid } = await start();
    await withNumbers(uri, async (numbers) => await numbers.insertOne({ n: 1 }));
    const { password } = new URL(uri);
    expect(password).toMatch(/^[0-9a-f]{64}$/);
    expect(await readFile(`/proc/${pid}/cmdline`, "utf8")).not.toContain(password);
    const without = `mongodb://${new URL(uri).host}/`;
    type Attempt = (numbers: mongoose.mongo.Collection, client: mongoose.mongo.MongoClient) => Promise<unknown>;
    const attempts: Attempt[] = [
      (numbers) => numbers.findOne({}),
      (numbers) => numbers.insertOne({ n: 2 }),
      (numbers) => numbers.deleteMany({}),
      (_numbers, client) => client.db("test").listCollections().toArray(),
      (_numbers, client) => client.db("test").dropDatabase(),
      (_numbers, client) => client.db("admin").command({ listDatabases: 1 }),
      (_numbers, client) => client.db("admin").command({ createUser: "first", pwd: "first", roles: ["root"] }),
    ];
    for (const attempt of attempts)
      await withNumbers(without, (numbers, client) =>
        expect(attempt(numbers, client)).rejects.toMatchObject({ code: 13 }),
      );
    for (const wrong of ["wrong", `${password}0`])
      await expect(readNumbers(uri.replace(password, wrong))).rejects.toMatchObject({ code: 18 });
    expect(await readNumbers(uri)).toEqual([1]);
  });

  it("makes a new password at each start", async () => {
    const first = await start();
    await first.stop();
    const second = await start();
    expect(new URL(second.uri).password).not.toBe(new URL(first.uri).password);
  });

  it("reports a crash, and has complete data and indexes after kill -9", async () => {
    const first = await start();
    await withNumbers(first.uri, async (numbers) => {
      await numbers.createIndex({ n: 1 }, { unique: true });
      for (let n = 0; n < 1_000; n += 1) await numbers.insertOne({ n });
      process.kill(first.pid, "SIGKILL");
      expect(await first.exited).toMatchObject({ isExpected: false });
    });
    const second = await start();
    const stored = await readNumbers(second.uri);
    // A mongod answers before it writes its journal, and may lose the last 100 ms.
    expect(stored.length).toBeGreaterThanOrEqual(kind === "java" ? 1_000 : 1);
    expect(stored).toEqual(stored.map((_, index) => index));
    await withNumbers(second.uri, async (numbers) => {
      await expect(numbers.insertOne({ n: 0 })).rejects.toMatchObject({ code: 11_000 });
      await expect(numbers.insertOne({ n: stored.length })).resolves.toMatchObject({ acknowledged: true });
      expect(await numbers.countDocuments({ n: stored.length - 1 })).toBe(1);
    });
  });

  it.runIf(kind === "java")("tells no caller of a document that it could not write", async () => {
    const first = await start();
    const { size } = await stat(path.join(dataDir, "database", "java", "data.mv.db"));
    await run("prlimit", [`--pid=${first.pid}`, `--fsize=${size + ROOM_BYTES}`]);
    const told = new Set<string>();
    const ended = new AbortController();
    await withNumbers(first.uri, async (numbers, client) => {
      // What still waits for the server fails then.
      const closed = first.exited.then(async () => {
        ended.abort();
        await client.close();
      });
      const callAgainAndAgain = async () => {
        while (!ended.signal.aborted) {
          const _id = new mongoose.mongo.ObjectId();
          const isWritten = await numbers.insertOne({ _id, text: "x".repeat(1_000) }).then(
            () => true,
            () => false,
          );
          // As a repeated request does, which asks whether the first one has come through.
          const isTold =
            isWritten || (!ended.signal.aborted && (await numbers.findOne({ _id }).catch(() => null)) !== null);
          if (isTold) told.add(String(_id));
        }
      };
      await Promise.all([closed, ...Array.from({ length: CALLERS }, callAgainAndAgain)]);
    });
    expect(await first.exited).toMatchObject({
      isExpected: false,
      reason: expect.stringMatching(/no longer be written/),
    });
    const second = await start();
    const stored = await withNumbers(second.uri, async (numbers) => await numbers.find().toArray());
    const ids = new Set(stored.map(({ _id }) => String(_id)));
    expect(told.size).toBeGreaterThan(0);
    expect([...told].filter((id) => !ids.has(id))).toEqual([]);
  });

  it("refuses a folder that is in use, and releases it when the process that started it dies", async () => {
    const script = `
      import { startEmbeddedDatabase } from ${JSON.stringify(path.join(import.meta.dirname, "embedded-database.ts"))};
      const options = ${JSON.stringify({ dataDir, toolsDir, kind })};
      const database = await startEmbeddedDatabase({ ...options, report: () => {} });
      console.log(database.pid, database.uri);`;
    const owner = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(owner, "exit");
    const [line] = await once(createInterface(owner.stdout), "line");
    const [pid, uri = ""] = String(line).split(" ");
    await withNumbers(uri, async (numbers) => await numbers.insertOne({ n: 7 }));

    await expect(start()).rejects.toMatchObject({
      name: "SetUpError",
      message: expect.stringContaining("is in use by another running Tapedeck"),
    });
    owner.kill("SIGKILL");
    await ended;
    const next = await start();
    expect(await readNumbers(next.uri)).toEqual([7]);
    // One that has ended keeps its number until it is reaped, but not its command line.
    const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    expect(commandLine).not.toContain(dataDir);
  });
});

it.skipIf(findOnPath("mongod") !== undefined)("says what to do when the required kind is missing", async () => {
  const dataDir = await testFolder();
  await expect(startEmbeddedDatabase({ dataDir, toolsDir, kind: "mongod", report: () => {} })).rejects.toThrow(
    /none on the PATH; install it or unset EMBEDDED_DB/,
  );
});

/** Takes the arguments of a mongod, and is the Java database with the password of the key file. */
const standIn = (java: readonly string[]): string => `#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in --keyFile) key="$2" ;; --setParameter) parameter="$2" ;; esac
  shift
done
[ "$parameter" = enableLocalhostAuthBypass=false ] || exit 2
[ "$(stat -c %a "$key")" = 600 ] || exit 3
DATABASE_PASSWORD="$(cat "$key")"
export DATABASE_PASSWORD
exec ${java.map((word) => `'${word}'`).join(" ")}
`;

it("gives a mongod of the PATH its password in a file for its owner alone, and lets nobody make a first user", async () => {
  const dataDir = await testFolder();
  const programs = path.join(dataDir, "programs");
  await mkdir(programs);
  const server = await prepareJavaServer(path.join(toolsDir, "database"), { report: () => undefined });
  const program = path.join(programs, "mongod");
  await writeFile(program, standIn(javaCommand(server, path.join(dataDir, "data.mv.db"))), { mode: 0o755 });
  vi.stubEnv("PATH", `${programs}${path.delimiter}${process.env["PATH"]}`);
  const database = await startEmbeddedDatabase({ dataDir, report: () => undefined });
  try {
    expect(database.kind).toBe("mongod");
    const { username, password, search } = new URL(database.uri);
    expect({ username, search }).toEqual({ username: "__system", search: "?authSource=local" });
    expect(password).toMatch(/^[0-9a-f]{64}$/);
    expect(await readFile(`/proc/${database.pid}/cmdline`, "utf8")).not.toContain(password);
    expect(await readNumbers(siteDatabaseUri(database))).toEqual([]);
    await expect(readNumbers(`mongodb://${new URL(database.uri).host}/`)).rejects.toMatchObject({ code: 13 });
  } finally {
    vi.unstubAllEnvs();
    await database.stop();
  }
});

it("removes drafts of a killed set-up, but not while another set-up runs", async () => {
  const dataDir = await testFolder();
  const finished = await finishedBuilds();
  const folder = path.join(dataDir, "tools", "database");
  await mkdir(path.join(folder, "draft-killed", "jars"), { recursive: true });
  for (const name of finished) await symlink(path.join(toolsDir, "database", name), path.join(folder, name));
  const isWaiting = Promise.withResolvers<void>();
  const starting = await withFolderLock(folder, { report: () => undefined }, async () => {
    const started = startEmbeddedDatabase({ dataDir, kind: "java", report: () => isWaiting.resolve() });
    await isWaiting.promise;
    expect(await readdir(folder)).toContain("draft-killed");
    return { started };
  });
  const database = await starting.started;
  await database.stop();
  expect((await readdir(folder)).filter((name) => name !== ".lock").sort()).toEqual(finished);
});

/** Builds the Java database if it is missing. @returns the names of the folders with a complete one */
async function finishedBuilds(): Promise<string[]> {
  const dataDir = await testFolder();
  const database = await startEmbeddedDatabase({ dataDir, toolsDir, kind: "java", report: () => undefined });
  await database.stop();
  return (await readdir(path.join(toolsDir, "database"))).filter((name) => name.startsWith("java-database-")).sort();
}
