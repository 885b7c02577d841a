/** Makes the calls of the shortcut as the description says them, against a real server. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { SENTENCES } from "../../../../common/errors.ts";
import { CreatedToken } from "../../../../common/token-calls.ts";
import { ofFile } from "../../../../backend/dev/testing/of-file.ts";
import { REPOSITORY_ROOT } from "../../../../backend/dev/repository.ts";
import { convertWithoutTools } from "../../../../backend/dev/testing/test-conversion.ts";
import { startTestServer } from "../../../../backend/dev/testing/test-server.ts";
import { linesOf, SHORTCUT_CALLS } from "./shortcut-calls.ts";

const ORIGIN = "https://tapedeck.example";

let token: CreatedToken;
const server = await ofFile(startTestServer({ hasExtractor: false }, undefined, convertWithoutTools));
const device = await server.newDevice();
beforeAll(async () => {
  await server.signIn(device, { email: "ada@example.org" });
  const answer = await device.call("POST", "/api/tokens", { name: "Phone", scopes: ["read", "convert", "download"] });
  token = CreatedToken.parse(await answer.json());
});

/** The calls of the README: the first line has method and address, then come a header and the body. */
async function describedCalls(): Promise<string[][]> {
  const readme = await readFile(path.join(REPOSITORY_ROOT, "frontend/README.md"), "utf8");
  const section = readme.split("\n## ").find((text) => text.startsWith("The shortcut")) ?? "";
  return [...section.matchAll(/^ *```\n([^]*?)\n *```$/gm)].map(([, code = ""]) =>
    code.split("\n").map((line) => line.trim()),
  );
}

/** Sends a call as a phone does: without cookies, and without an origin. */
async function send(lines: readonly string[] | undefined, input: string, id = ""): Promise<Response> {
  const [first = "", header = "", body] = (lines ?? []).map((line) =>
    line.replace(ORIGIN, server.origin).replace("TOKEN", token.secret).replace("Shortcut Input", input),
  );
  const [method, address = ""] = first.replace("ID", id).split(" ");
  const [name = "", value = ""] = header.split(": ");
  return await fetch(address, {
    method: method ?? "",
    headers: { [name]: value, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    body: body ?? null,
  });
}

it("is described with the same calls on the help page and in the README", async () => {
  expect(await describedCalls()).toEqual(Object.values(SHORTCUT_CALLS).map((call) => linesOf(call, ORIGIN)));
});

it("converts the shared link, sees that it is completed, and saves the file", async () => {
  const [convert, look, file] = await describedCalls();
  const { id } = (await (await send(convert, server.site.urlOf("rain"))).json()) as { id: string };
  await (await device.live()).untilStatus(id, "completed");
  expect(await (await send(look, "", id)).json()).toMatchObject({ status: "completed" });
  const saved = await send(file, "", id);
  expect([saved.status, saved.headers.get("content-type")]).toEqual([200, "audio/mpeg"]);
  expect((await saved.arrayBuffer()).byteLength).toBeGreaterThan(0);
});

it("has a message to show where there is no id", async () => {
  const [convert] = await describedCalls();
  const answer = (await (await send(convert, "https://example.org/")).json()) as object;
  expect(answer).not.toHaveProperty("id");
  expect(answer).toMatchObject({ message: SENTENCES.unsupported_host });
});
