import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { PublicConfig } from "../../../common/api.ts";
import { createApi, type Api } from "./api.ts";
import { ConditionalPolls } from "./conditional-polls.ts";
import { ApiError, sentenceFor } from "./errors.ts";
import { makeJob } from "../testing/sample-jobs.ts";

let server: Server | undefined;

/** The API client connected to a real HTTP server with the given handler. */
async function apiOn(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const started = createServer(answer);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  const address = started.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return createApi(`http://127.0.0.1:${address.port}`);
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

describe("an error response", () => {
  it("has a message of status and body, and the body's sentence to show", async () => {
    const body = '{"code":"too_long","message":"Longer than 20 minutes."}';
    const api = await apiOn((_request, response) => response.writeHead(422).end(body));
    const error: unknown = await api.retryConversion("a").catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ message: `422: ${body}`, status: 422, code: "too_long" });
    expect(sentenceFor(error, "Failed")).toBe("Longer than 20 minutes.");
  });

  it("has a message of status and status text when the body is empty", async () => {
    const api = await apiOn((_request, response) => response.writeHead(503, "Service Unavailable").end());
    const error: unknown = await api.client.call("/api/config", PublicConfig).catch((error: unknown) => error);
    expect(error).toMatchObject({ message: "503: Service Unavailable", code: undefined });
    expect(sentenceFor(error, "Failed")).toBe("Failed");
  });
});

describe("calls", () => {
  it("rejects a response of unknown shape", async () => {
    const api = await apiOn((_request, response) => response.end('{"status":"melting"}'));
    await expect(api.retryConversion("a")).rejects.toThrow(/Invalid/);
  });

  it("sends the JSON content type except for GET, and escapes ids in the path", async () => {
    const seen: string[] = [];
    const api = await apiOn((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers["content-type"]}`);
      response.writeHead(204).end();
    });
    await api.removeConversion("../x");
    expect(seen).toEqual(["DELETE /api/conversions/..%2Fx application/json"]);
  });

  it("cancels an active job and returns it", async () => {
    const job = makeJob({ status: "canceled" });
    const seen: (string | undefined)[] = [];
    const api = await apiOn((request, response) => {
      seen.push(request.url);
      response.end(JSON.stringify(job));
    });
    await expect(api.cancelConversion("one")).resolves.toEqual(job);
    // Without `while=active`, a job that has ended meanwhile would be removed.
    expect(seen).toEqual(["/api/conversions/one?while=active"]);
  });
});

describe("calls whose result is shown at once", () => {
  const conversion = { youtubeUrl: "https://example.org/", format: "mp3" } as const;
  it.each([
    ["starts a job", (api: Api) => api.createConversion(conversion)],
    ["cancels a job", (api: Api) => api.cancelConversion("one")],
    ["cancels a batch", (api: Api) => api.cancelBatch("one")],
    ["tries a job again", (api: Api) => api.retryConversion("one")],
    ["tries a batch again", (api: Api) => api.retryBatch("one")],
    ["removes a job", (api: Api) => api.removeConversion("one")],
  ])("%s also when the page is left meanwhile", async (_, call) => {
    const api = await apiOn((_request, response) =>
      response.writeHead(409).end(JSON.stringify({ code: "not_active", message: "" })),
    );
    using fetched = vi.spyOn(globalThis, "fetch");
    await expect(call(api)).rejects.toThrow(ApiError);
    expect(fetched).toHaveBeenCalledExactlyOnceWith(expect.anything(), expect.objectContaining({ keepalive: true }));
  });
});

describe("conditional polls", () => {
  it("sends the last ETag and returns null while nothing has changed", async () => {
    const tags: (string | undefined)[] = [];
    const asOf = new Date("2026-01-01T12:00:00Z").toISOString();
    const api = await apiOn((request, response) => {
      tags.push(request.headers["if-none-match"]);
      if (request.headers["if-none-match"] === '"one"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"one"', "x-as-of": asOf }).end(JSON.stringify([makeJob()]));
    });
    const polls = new ConditionalPolls(api.client);
    await expect(polls.list()).resolves.toEqual({ jobs: [makeJob()], asOf });
    await expect(polls.list()).resolves.toBeNull();
    await expect(new ConditionalPolls(api.client).list()).resolves.not.toBeNull();
    expect(tags).toEqual([undefined, '"one"', undefined]);
  });
});
