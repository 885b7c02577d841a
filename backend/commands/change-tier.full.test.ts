/** The operator's command that changes a tier, beside a running server. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { ServerEvents } from "../../common/events.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { REPOSITORY_ROOT } from "../dev/repository.ts";
import { startTestServer } from "../dev/testing/test-server.ts";

type Identity = Parameters<ServerEvents["identity"]>[0];

const server = await ofFile(startTestServer({ hasExtractor: false, settings: { realtime: { tierPollMs: 100 } } }));

describe("the operator's command", () => {
  const command = async (tier: string, ...args: string[]) =>
    promisify(execFile)(
      process.execPath,
      [join(REPOSITORY_ROOT, "backend", "commands", "change-tier.ts"), tier, ...args],
      {
        env: { ...process.env, NODE_ENV: "test", MONGODB_URI: server.mongodbUri },
      },
    );

  it("changes the tier of a user, and the browser gets the change at once", async () => {
    const device = await server.newDevice();
    await server.signIn(device, { email: "operator@example.com" });
    const { socket } = await device.live();
    const identities: Identity[] = [];
    socket.on("identity", (identity) => identities.push(identity));
    expect((await command("pro", "operator@example.com")).stdout).toBe("operator@example.com is on the pro tier now\n");
    await expect.poll(() => identities.at(-1)).toEqual({ tier: "pro", authenticated: true });
    expect((await command("free", "operator@example.com")).stdout).toBe(
      "operator@example.com is on the free tier now\n",
    );
    await expect.poll(() => identities.at(-1)).toEqual({ tier: "free", authenticated: true });
  });

  it.each([
    [["nobody@example.com"], "Nobody has signed in as nobody@example.com\n"],
    [[], "Say whose, by email address or user id: npm run grant-pro -- EMAIL\n"],
  ])("with %j fails with one line of explanation", async (args, line) => {
    await expect(command("pro", ...args)).rejects.toMatchObject({ code: 1, stderr: line });
  });
});
