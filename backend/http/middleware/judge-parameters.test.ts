import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import Koa from "koa";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { UserError } from "../../../common/errors.ts";
import { REPOSITORY_ROOT } from "../../dev/repository.ts";
import type { Call } from "../api-description/call.ts";
import { findDeclared, type DeclaredState } from "./declared-call.ts";
import { judgeParameters } from "./judge-parameters.ts";

const COMMON = { group: "This site", summary: "A call", answers: {} } as const;
const CALLS: readonly Call[] = [
  {
    ...COMMON,
    route: "GET /api/things/:id",
    query: z.object({ as: z.enum(["a", "b"]).optional(), size: z.string().optional() }),
  },
  {
    ...COMMON,
    route: "GET /api/stream",
    headers: z.object({ "x-place": z.string().regex(/^\d+$/).optional() }),
  },
];

let origin = "";
const stopped = new AbortController();
beforeAll(async () => {
  const app = new Koa<DeclaredState>();
  app.use(async (ctx, next) => {
    await next().catch((error: unknown) => {
      ctx.status = error instanceof UserError ? 400 : 500;
    });
  });
  app.use(findDeclared(CALLS));
  app.use(judgeParameters());
  app.use((ctx) => {
    ctx.body = { byContext: ctx.query, byRequest: ctx.request.query };
  });
  const server = app.listen({ port: 0, host: "127.0.0.1", signal: stopped.signal });
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => stopped.abort());

/** @returns the query that the route sees, or the status of a refusal */
async function seen(target: string, init: RequestInit = {}): Promise<unknown> {
  const answer = await fetch(origin + target, init);
  if (!answer.ok) return answer.status;
  const { byContext, byRequest } = (await answer.json()) as { byContext: unknown; byRequest: unknown };
  expect(byRequest).toEqual(byContext);
  return byContext;
}

it("hands described parameters to the route, and no others", async () => {
  expect(await seen("/api/things/1?as=a&size=3&secret=yes&__proto__=x")).toEqual({ as: "a", size: "3" });
  // The router takes other spellings of the path.
  expect(await seen("/api/THINGS/1/?as=b")).toEqual({ as: "b" });
  for (const target of ["/api/others?as=a", "/api/things?as=a", "/api/things/1/2?as=a", "/api/stream?as=a"])
    expect([target, await seen(target)]).toEqual([target, {}]);
  expect(await seen("/api/things/1?as=a", { method: "POST" })).toEqual({});
});

it.each(["/api/things/1?as=c", "/api/things/1?as=a&as=b", "/api/things/1?size=1&size=2", "/api/things/1?as="])(
  "refuses %s",
  async (target) => expect(await seen(target)).toBe(400),
);

it("judges described headers", async () => {
  expect(await seen("/api/stream", { headers: { "x-place": "12" } })).toEqual({});
  expect(await seen("/api/stream", { headers: { "x-place": "there" } })).toBe(400);
  expect(await seen("/api/stream")).toEqual({});
});

it("is the only place that reads the query of a call", async () => {
  const folder = path.join(REPOSITORY_ROOT, "backend/http");
  const files = (await readdir(folder, { recursive: true })).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const readers = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(folder, file), "utf8");
      return /querystring|searchParams|(ctx|request|req)\.(search|URL|href|originalUrl)\b(?! =[^=])/.test(text)
        ? file
        : null;
    }),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(readers.filter((file) => file !== null)).toEqual([]);
});
