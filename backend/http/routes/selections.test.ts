import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { SelectionAnswer } from "../../../common/api.ts";
import { ErrorBody } from "../../../common/errors.ts";
import { TIERS } from "../../../common/tiers.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";

let device: TestDevice;
const server = await ofFile(
  startTestServer({ hasExtractor: false, WORKER_CONCURRENCY: "32" }, undefined, convertWithoutTools),
);

async function signUp(tier: "free" | "pro"): Promise<TestDevice> {
  const email = `${randomUUID()}@example.com`;
  const signedIn = await server.newDevice();
  await server.signIn(signedIn, { email });
  await server.setTier(email, tier);
  return signedIn;
}

beforeAll(async () => {
  device = await signUp("pro");
});

const MANY = 2 * TIERS.pro.batchSize + 5;
const LIST = { title: "Rain of a year", format: "mp3" } as const;
const links = (count: number, prefix = "part") =>
  Array.from({ length: count }, (_, index) => `${server.site.urlOf("rain")}?${prefix}=${index}`);
const codeOf = async (answer: Response): Promise<string> => ErrorBody.parse(await answer.json()).code;

it("converts all links of a selection of more than two batches without another call, and shows them as one batch", async () => {
  const live = await device.live();
  const answer = await device.call("POST", "/api/selections", { ...LIST, urls: links(MANY) });
  expect(answer.status).toBe(201);
  const { batchId, total, jobs, refused } = SelectionAnswer.parse(await answer.json());
  expect([total, jobs.length, refused]).toEqual([MANY, TIERS.pro.batchSize, []]);
  await expect
    .poll(() => live.jobs().filter((job) => job.batchId === batchId && job.status === "completed").length)
    .toBe(MANY);
  const positions = live.jobs().map(({ batchTitle, batchTotal, batchPosition }) => ({
    batchTitle,
    batchTotal,
    batchPosition,
  }));
  expect(positions.toSorted((a, b) => (a.batchPosition ?? 0) - (b.batchPosition ?? 0))).toEqual(
    Array.from({ length: MANY }, (_, batchPosition) => ({ batchTitle: LIST.title, batchTotal: MANY, batchPosition })),
  );
});

it("shows the place in the album of each job", async () => {
  const album = { title: "Weather", artist: "Rain", of: 12 };
  const body = { ...LIST, urls: links(2, "song"), choices: { album }, tracks: [3, 12] };
  const answer = await device.call("POST", "/api/selections", body);
  const { jobs } = SelectionAnswer.parse(await answer.json());
  expect(jobs.map(({ choices }) => choices)).toEqual([3, 12].map((track) => ({ album: { ...album, track } })));
});

it("refuses a free account with what Pro has", async () => {
  const answer = await (await signUp("free")).call("POST", "/api/selections", { ...LIST, urls: links(2) });
  expect([answer.status, await codeOf(answer)]).toEqual([402, "pro_required"]);
});

it.each([
  ["no title", { urls: ["x"], format: "mp3" }],
  ["an empty title", { ...LIST, title: " ", urls: ["x"] }],
  ["no links", LIST],
  ["links that are no texts", { ...LIST, urls: [1] }],
  ["an unknown format", { ...LIST, format: "gif", urls: ["x"] }],
  ["numbers in an album for some of the links", { ...LIST, urls: ["x", "y"], tracks: [1] }],
  ["an album without a title", { ...LIST, urls: ["x"], choices: { album: { artist: "Rain" } } }],
  ["a number that no song of an album has", { ...LIST, urls: ["x"], choices: { album: { title: "A", track: 0 } } }],
])("refuses a body with %s", async (_, body) => {
  const answer = await device.call("POST", "/api/selections", body);
  expect([answer.status, await codeOf(answer)]).toEqual([400, "bad_request"]);
});

it("answers a repeated request with the same selection", async () => {
  const headers = { "Idempotency-Key": randomUUID() };
  const body = { ...LIST, urls: links(3, "repeated") };
  const answers = [];
  for (let n = 0; n < 2; n += 1) {
    const answer = await device.call("POST", "/api/selections", body, headers);
    answers.push(SelectionAnswer.parse(await answer.json()));
  }
  expect(answers[1]?.batchId).toBe(answers[0]?.batchId);
  expect(answers[1]?.jobs.map(({ id }) => id)).toEqual(answers[0]?.jobs.map(({ id }) => id));
});

it.each([
  ["as it is", (text: string) => Buffer.from(text), {}],
  ["packed", (text: string) => gzipSync(text), { "content-encoding": "gzip" }],
] as const)("refuses a body of more than 1 MiB %s", async (_, encode, headers) => {
  const send = (padding: number) =>
    fetch(`${server.origin}/api/selections`, {
      method: "POST",
      headers: { origin: server.origin, "content-type": "application/json", ...headers },
      body: new Uint8Array(encode(JSON.stringify({ ...LIST, urls: [] }).padEnd(padding))),
    });
  // A visitor without an account: the body has been read.
  expect((await send(1024 * 1024)).status).toBe(402);
  expect((await send(1024 * 1024 + 1)).status).toBe(413);
});
