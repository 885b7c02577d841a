/** Downloads that a store sends itself, with a link that does not know the conditions of the request. */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Koa from "koa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import type { EarlyForm } from "../../storage/early-files.ts";
import { openDiskStore } from "../../storage/disk-store.ts";
import { sendFile } from "./send-file.ts";

const KEY = "job.1.mp4";
const TEXT = "abcdefghijklmnopqrstuvwxyz";
const LINK = "https://store.example/link";
const FORM: EarlyForm = { name: `${KEY}.early1`, standIn: Buffer.from("DEF"), sameFrom: 6 };
const TAG = `"${KEY}"`;
const EARLY_TAG = `"${FORM.name}"`;

const folder = await testFolder();
let server: Server;
let earlyForm: EarlyForm | undefined;
beforeAll(async () => {
  const store = Object.assign(await openDiskStore(join(folder, "files")), { linkTo: () => Promise.resolve(LINK) });
  await writeFile(join(folder, "new"), TEXT);
  await store.put(KEY, join(folder, "new"));
  const about = { key: KEY, contentType: "video/mp4", downloadName: "video.mp4" };
  const app = new Koa();
  app.use((ctx) => sendFile(ctx, store, { ...about, earlyForm }));
  const answer = app.callback();
  server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** @returns what tells the answers apart */
async function ask(headers: Record<string, string>) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const answer = await fetch(url, { headers, redirect: "manual" });
  const { status, headers: sent } = answer;
  return { status, location: sent.get("location"), etag: sent.get("etag"), text: await answer.text() };
}

describe.each([
  ["is not known any more", undefined],
  ["is known", FORM],
])("when the form in which the file was read early %s", (_, form) => {
  beforeAll(() => {
    earlyForm = form;
  });

  it.each([
    ["that names no version", { range: "bytes=10-" }],
    ["for the kept file", { range: "bytes=10-", "if-range": TAG }],
    ["of another file", { range: "bytes=10-", "if-range": '"other"' }],
  ])("a range %s gets the link", async (_, headers) => {
    expect(await ask(headers)).toMatchObject({ status: 302, location: LINK, etag: null });
  });

  it("the rest of the stand-in and what follows is not sent as a part of that form", async () => {
    const range = "bytes=5-";
    const whole = { status: 200, location: null, etag: TAG, text: TEXT };
    expect(await ask({ range, "if-range": EARLY_TAG })).toEqual(whole);
    const refused = { status: 412, location: null, text: "" };
    expect(await ask({ range, "if-match": EARLY_TAG })).toMatchObject(refused);
  });
});

it.each(["audio", "video"])("a player (%s) gets the file from this site, whose pages play no others", async (dest) => {
  earlyForm = undefined;
  const answer = await ask({ range: "bytes=10-", "sec-fetch-dest": dest });
  expect(answer).toEqual({ status: 206, location: null, etag: TAG, text: TEXT.slice(10) });
});

it("a form that is not known any more does not go on in the kept file", async () => {
  earlyForm = undefined;
  const range = "bytes=10-";
  const whole = { status: 200, location: null, etag: TAG, text: TEXT };
  expect(await ask({ range, "if-range": EARLY_TAG })).toEqual(whole);
  expect(await ask({ range, "if-match": EARLY_TAG })).toMatchObject({ status: 412, text: "" });
});

it.each([FORM.sameFrom, FORM.sameFrom + 4])(
  "a form that is known goes on in the kept file, which has the same bytes from byte 6 on: from byte %i",
  async (start) => {
    earlyForm = FORM;
    const rest = { status: 206, location: null, etag: EARLY_TAG, text: TEXT.slice(start) };
    for (const name of ["if-range", "if-match"])
      expect(await ask({ range: `bytes=${start}-`, [name]: EARLY_TAG })).toEqual(rest);
  },
);
