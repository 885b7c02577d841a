/** The command that names operators, beside a running server. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { OperatorRecords } from "../common/operator.ts";
import { makeOperator } from "./dev/testing/change-accounts.ts";
import { REPOSITORY_ROOT } from "./dev/repository.ts";
import { startTestServer } from "./dev/testing/test-server.ts";

it("names operators by a command, and takes that back", async () => {
  await using server = await startTestServer({ hasExtractor: false });
  const [device, operator] = [await server.newDevice(), await server.newDevice()];
  await server.signIn(operator, { email: "operator@example.com" });
  await makeOperator(server.mongodbUri, "operator@example.com");
  await server.signIn(device, { email: "named@example.com" });
  const run = (command: string) =>
    promisify(execFile)(process.execPath, ["backend/commands/change-operator.ts", command, "named@example.com"], {
      cwd: REPOSITORY_ROOT,
      env: { ...process.env, MONGODB_URI: server.mongodbUri, DATA_DIR: server.config.dataDir },
    });
  const status = async () => (await device.call("GET", "/api/operator/records")).status;
  await run("grant");
  expect(await status()).toBe(200);
  await run("revoke");
  expect(await status()).toBe(404);
  const { log } = OperatorRecords.parse(await (await operator.call("GET", "/api/operator/records")).json());
  expect(log.map((line) => line.act)).toEqual(expect.arrayContaining(["grant_operator", "revoke_operator"]));
});
