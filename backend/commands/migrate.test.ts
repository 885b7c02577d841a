import { execFile } from "node:child_process";
import { promisify } from "node:util";
import mongoose from "mongoose";
import { expect, it } from "vitest";
import { REPOSITORY_ROOT } from "../dev/repository.ts";
import { openModels } from "../domain/database/models.ts";
import { dropDatabase, testDatabaseUri } from "../dev/testing/test-connection.ts";

it("creates every index of every model in an empty database", async () => {
  const uri = testDatabaseUri();
  const env = { ...process.env, MONGODB_URI: uri };
  const { stdout } = await promisify(execFile)(process.execPath, ["backend/commands/migrate.ts"], {
    cwd: REPOSITORY_ROOT,
    env,
  });
  expect(stdout).toContain("has the indexes of its models");

  const connection = await mongoose.createConnection(uri).asPromise();
  const namesIn = async (name: string) => (await connection.collection(name).indexes()).map((index) => index.name);
  try {
    const collections = (await connection.listCollections()).map(({ name }) => name);
    const before = new Map<string, unknown>();
    for (const name of collections) before.set(name, await namesIn(name));
    await openModels(connection);
    const models = Object.values(connection.models);
    expect(models.length).toBeGreaterThan(15);
    for (const model of models) {
      const { name } = model.collection;
      expect([name, before.get(name)]).toEqual([name, await namesIn(name)]);
    }
  } finally {
    await dropDatabase(connection);
  }
});
