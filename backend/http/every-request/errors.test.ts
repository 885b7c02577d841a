import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  ConversionError,
  ConversionErrorCode,
  ErrorBody,
  RequestErrorCode,
  SENTENCES,
  UserError,
} from "../../../common/errors.ts";
import { createTraceCalls } from "../../runtime/telemetry/call-traces.ts";
import { UNRECORDED } from "../../runtime/telemetry/tracing.ts";
import { renderErrors } from "./errors.ts";
import type { ViewerState } from "../middleware/identify.ts";
import { healthRoutes } from "../routes/site-routes.ts";

let server: Server;
let origin: string;
let fail: () => unknown;
let isReady = true;
const lines: string[] = [];

beforeAll(async () => {
  const app = new Koa<ViewerState>();
  app.use(
    renderErrors({
      log: pino({ serializers: { error: pino.stdSerializers.err } }, { write: (line) => lines.push(line) }),
      traceCalls: createTraceCalls(UNRECORDED),
    }),
  );
  app.use(healthRoutes({ isReady: () => Promise.resolve(isReady) }).routes());
  app.use((ctx) => {
    if (ctx.path === "/api/file") {
      ctx.type = "audio/mpeg";
      ctx.status = 206;
      ctx.set({
        "Content-Disposition": 'attachment; filename="song.mp3"',
        "Content-Range": "bytes 0-1/9",
        ETag: '"a"',
      });
    }
    ctx.body = fail();
  });
  const answer = app.callback();
  server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  lines.length = 0;
  isReady = true;
});

async function answerTo(error: unknown): Promise<{ status: number; body: ErrorBody }> {
  fail = () => {
    throw error;
  };
  const answer = await fetch(`${origin}/api/x`);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  return { status: answer.status, body: ErrorBody.strict().parse(await answer.json()) };
}

it("says nothing of the file when it is gone after the answer has been prepared", async () => {
  fail = () => {
    throw UserError.because("not_found", "file_gone");
  };
  const answer = await fetch(`${origin}/api/file`);
  const about = ["content-type", "content-disposition", "content-range", "etag"];
  expect([answer.status, ...about.map((name) => answer.headers.get(name))]).toEqual([
    404,
    "application/json; charset=utf-8",
    null,
    null,
    null,
  ]);
});

const STATUS: Record<RequestErrorCode, number> = {
  bad_request: 400,
  bad_origin: 403,
  sign_in_required: 401,
  fresh_sign_in_required: 403,
  invalid_token: 401,
  missing_scope: 403,
  access_blocked: 403,
  pro_required: 402,
  not_found: 404,
  conflict: 409,
  payload_too_large: 413,
  rate_limited: 429,
  network_busy: 429,
  queue_full: 503,
  unavailable_now: 503,
  payment_unconfigured: 503,
  already_subscribed: 409,
  payment_provider: 502,
  message_not_sent: 503,
};
describe("a known error", () => {
  it.each(RequestErrorCode.options)("%s is answered with its status and sentence and is not logged", async (code) => {
    expect(await answerTo(new UserError(code))).toEqual({
      status: STATUS[code],
      body: { code, message: SENTENCES[code] },
    });
    expect(lines).toEqual([]);
  });

  it.each(ConversionErrorCode.exclude(["internal"]).options)(
    "%s of a link is a 422 without the output of the tool",
    async (code) => {
      const answer = await answerTo(new ConversionError(code, { detail: "a tool said: secret path" }));
      expect(answer).toEqual({ status: 422, body: { code, message: SENTENCES[code] } });
    },
  );
});

describe("an unexpected error", () => {
  it.each<[string, unknown]>([
    ["an unknown error", new TypeError("db password is hunter2")],
    ["a thrown value that is no Error", "hunter2"],
    ["an error with a 5xx status", Object.assign(new Error("hunter2"), { status: 502 })],
  ])("(%s) is answered with a request id only, and logged in full with this id", async (_, error) => {
    const { status, body } = await answerTo(error);
    expect(status).toBe(500);
    expect(body).toEqual({
      code: "internal",
      message: SENTENCES.internal,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: 50,
      requestId: body.requestId,
      method: "GET",
      path: "/api/x",
    });
    expect(lines[0]).toContain("hunter2");
  });

  it("has another request id each time", async () => {
    const ids = [await answerTo(new Error("a")), await answerTo(new Error("a"))].map((answer) => answer.body.requestId);
    expect(new Set(ids).size).toBe(2);
  });
});

describe("readiness", () => {
  it("is a 503 with a sentence while calls cannot be answered, and /healthz stays 200", async () => {
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    isReady = false;
    const answer = await fetch(`${origin}/readyz`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ code: "unavailable_now", message: SENTENCES.unavailable_now });
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  });
});
