import { request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { DeviceInfo, JobList, PublicConfig } from "../../../common/api.ts";
import { ErrorBody } from "../../../common/errors.ts";
import { Job } from "../../../common/job.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

const server = await ofFile(startTestServer({ hasExtractor: false }, undefined, convertWithoutTools));
const device = await server.newDevice();

async function errorOf(answer: Response): Promise<{ status: number; code: string }> {
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  const body = ErrorBody.strict().parse(await answer.json());
  return { status: answer.status, code: body.code };
}
/** Sends a call exactly as given; `fetch` would normalize the path and add headers. */
async function raw(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = "",
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: Record<string, unknown>;
    body: string;
  }>();
  request(server.origin, { method, path, headers }, (answer) => {
    text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }), reject);
  })
    .once("error", reject)
    .end(body);
  return promise;
}
const slowConversion = () => ({ youtubeUrl: server.site.urlOf("slow"), format: "mp3" });

describe("a conversion", () => {
  it("is created, read, listed, canceled, retried and removed", async () => {
    const own = await server.newDevice();
    const created = await own.call("POST", "/api/conversions", slowConversion());
    expect(created.status).toBe(201);
    const job = Job.parse(await created.json());
    expect(job).toMatchObject({ status: "queued", attempt: 1, progress: 0, format: "mp3", quality: "128kbps" });
    const path = `/api/conversions/${job.id}`;
    expect(Job.parse(await (await own.call("GET", path)).json())).toMatchObject({ id: job.id });
    expect(JobList.parse(await (await own.call("GET", "/api/conversions")).json())).toMatchObject([{ id: job.id }]);

    expect(await errorOf(await own.call("POST", `${path}/retry`))).toEqual({ status: 409, code: "conflict" });
    expect(await errorOf(await own.call("GET", `${path}/file`))).toEqual({ status: 404, code: "not_found" });

    const canceled = await own.call("DELETE", path);
    expect(canceled.status).toBe(200);
    expect(Job.parse(await canceled.json())).toMatchObject({ id: job.id, status: "canceled" });

    const retried = await own.call("POST", `${path}/retry`);
    expect(retried.status).toBe(200);
    expect(Job.parse(await retried.json())).toMatchObject({ status: "queued", attempt: 2 });
    await own.call("DELETE", path);

    // A cancel that comes too late does not remove the job.
    expect(await errorOf(await own.call("DELETE", `${path}?while=active`))).toEqual({ status: 409, code: "conflict" });
    // Another value must not remove what its caller meant to cancel.
    for (const odd of ["?while=Active", "?while=", "?while=active&while=active"])
      expect(await errorOf(await own.call("DELETE", path + odd))).toEqual({ status: 400, code: "bad_request" });
    const removed = await own.call("DELETE", path);
    expect([removed.status, await removed.text()]).toEqual([204, ""]);
    expect(await errorOf(await own.call("GET", path))).toEqual({ status: 404, code: "not_found" });
    expect(await errorOf(await own.call("DELETE", path))).toEqual({ status: 404, code: "not_found" });
    expect(await (await own.call("GET", "/api/conversions")).json()).toEqual([]);
  });

  it("is MP3 by default", async () => {
    const answer = await device.call("POST", "/api/conversions", { youtubeUrl: server.site.urlOf("slow") });
    const job = Job.parse(await answer.json());
    expect(job.format).toBe("mp3");
    await device.call("DELETE", `/api/conversions/${job.id}`);
  });

  it.each<[string, unknown, number, string]>([
    ["an empty object", {}, 400, "bad_request"],
    ["an array", [], 400, "bad_request"],
    ["a link that is a number", { youtubeUrl: 5 }, 400, "bad_request"],
    ["a link that is a database operator", { youtubeUrl: { $ne: "" } }, 400, "bad_request"],
    ["an unknown format", { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "gif" }, 400, "bad_request"],
    ["a format that only Pro has", { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "wav" }, 402, "pro_required"],
    ["an unknown quality", { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", quality: "96kbps" }, 400, "bad_request"],
    [
      "more quality than the plan has",
      { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", quality: "320kbps" },
      402,
      "pro_required",
    ],
    ["an empty link", { youtubeUrl: "  " }, 422, "invalid_link"],
    ["a link with credentials", { youtubeUrl: "https://me:pw@youtu.be/dQw4w9WgXcQ" }, 422, "invalid_link"],
    ["a link that is too long", { youtubeUrl: `https://youtube.com/${"a".repeat(2_048)}` }, 422, "invalid_link"],
    ["an unsupported host", { youtubeUrl: "https://evil.example/?youtu.be" }, 422, "unsupported_host"],
    ["a playlist", { youtubeUrl: "https://www.youtube.com/playlist?list=PL1" }, 422, "playlist"],
    ["more than a hundred kilobytes", { youtubeUrl: "a".repeat(110_000) }, 413, "payload_too_large"],
  ])("of %s is refused", async (_, body, status, code) => {
    expect(await errorOf(await device.call("POST", "/api/conversions", body))).toEqual({ status, code });
  });

  it("takes no fields that a caller may not set", async () => {
    const own = await server.newDevice();
    const more = { status: "completed", tier: "pro", deviceId: "another", userId: "another", fileKey: "x", attempt: 3 };
    const job = Job.parse(await (await own.call("POST", "/api/conversions", { ...slowConversion(), ...more })).json());
    expect(job).toMatchObject({ status: "queued", attempt: 1, quality: "128kbps" });
    const path = `/api/conversions/${job.id}`;
    expect((await own.call("GET", path)).status).toBe(200);
    expect((await own.call("GET", `${path}/file`)).status).toBe(404);
    await own.call("DELETE", path);
  });

  it.each(["{", '{"youtubeUrl": "x"', "null", '"text"', "\u0000"])("sent as %j is refused", async (body) => {
    const answer = await raw(
      "POST",
      "/api/conversions",
      { cookie: device.cookie, origin: server.origin, "content-type": "application/json" },
      body,
    );
    expect([answer.status, ErrorBody.parse(JSON.parse(answer.body)).code]).toEqual([400, "bad_request"]);
  });
});

describe("another device", () => {
  it("gets 404 for every route of a job, running or completed, and does not change it", async () => {
    const live = await device.live();
    const stranger = await server.newDevice();
    const done = await device.convert(server.site.urlOf("rain"));
    await live.untilStatus(done.id, "completed");
    const running = await device.convert(server.site.urlOf("slow"));
    for (const { id } of [done, running]) {
      const path = `/api/conversions/${id}`;
      for (const [method, what] of [
        ["GET", path],
        ["GET", `${path}/file`],
        ["HEAD", `${path}/file`],
        ["GET", `${path}/thumbnail`],
        ["DELETE", path],
        ["POST", `${path}/retry`],
      ] as const) {
        const answer = await stranger.call(method, what);
        expect([method, what, answer.status]).toEqual([method, what, 404]);
        expect(answer.headers.get("content-disposition")).toBeNull();
        await answer.body?.cancel();
      }
      expect((await device.call("GET", path)).status).toBe(200);
    }
    expect(await (await stranger.call("GET", "/api/conversions")).json()).toEqual([]);
    const picture = await device.call("GET", `/api/conversions/${done.id}/thumbnail?attempt=1`);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(await picture.text()).toBe("a picture");
    await device.call("DELETE", `/api/conversions/${running.id}`);
  });
});

describe("a call that changes something", () => {
  const attempt = (headers: Record<string, string>) =>
    raw("POST", "/api/conversions", { cookie: device.cookie, ...headers }, JSON.stringify({ youtubeUrl: "cats" }));
  const json = "application/json";

  it.each<[string, () => Record<string, string>, number, string]>([
    ["from our page", () => ({ origin: server.origin, "content-type": json }), 422, "invalid_link"],
    ["from our public address", () => ({ origin: server.config.publicUrl, "content-type": json }), 422, "invalid_link"],
    [
      "with a charset",
      () => ({ origin: server.origin, "content-type": "application/json; charset=utf-8" }),
      422,
      "invalid_link",
    ],
    ["without an origin", () => ({ "content-type": json }), 403, "bad_origin"],
    ["from another site", () => ({ origin: "https://evil.example", "content-type": json }), 403, "bad_origin"],
    ["from a page with the origin null", () => ({ origin: "null", "content-type": json }), 403, "bad_origin"],
    [
      "from another port",
      () => ({ origin: server.origin.replace(/\d+$/, "1"), "content-type": json }),
      403,
      "bad_origin",
    ],
    [
      "from a host that begins like ours",
      () => ({ origin: `${server.origin}.evil.example`, "content-type": json }),
      403,
      "bad_origin",
    ],
    [
      "as a form",
      () => ({ origin: server.origin, "content-type": "application/x-www-form-urlencoded" }),
      400,
      "bad_request",
    ],
    ["as text", () => ({ origin: server.origin, "content-type": "text/plain" }), 400, "bad_request"],
    [
      "as application/jsonp",
      () => ({ origin: server.origin, "content-type": "application/jsonp" }),
      400,
      "bad_request",
    ],
    ["without a content type", () => ({ origin: server.origin }), 400, "bad_request"],
  ])("%s", async (_, headers, status, code) => {
    const answer = await attempt(headers());
    expect([answer.status, ErrorBody.parse(JSON.parse(answer.body)).code]).toEqual([status, code]);
  });

  it.each(["DELETE", "POST"])("by %s without a body needs our origin too", async (method) => {
    const answer = await raw(method, "/api/conversions/x", {
      cookie: device.cookie,
      origin: "https://evil.example",
      "content-type": json,
    });
    expect(answer.status).toBe(403);
  });
});

describe("a call without cookies", () => {
  const cookiesAfter = async (path: string, headers: Record<string, string>, body: string) => {
    const answer = await fetch(`${server.origin}${path}`, { method: "POST", headers, body });
    return { status: answer.status, cookies: answer.headers.getSetCookie() };
  };

  // Browsers send such a form without our cookies, and keep those of the answer.
  it.each(["/", "/api/logout", "/api/nothing"])("by a form of another site to %s gets none", async (path) => {
    const headers = { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" };
    expect(await cookiesAfter(path, headers, "a=b")).toEqual({ status: 403, cookies: [] });
  });

  it("by our page gets those of a new device", async () => {
    const headers = { origin: server.origin, "content-type": "application/json" };
    expect(await cookiesAfter("/api/conversions", headers, '{"youtubeUrl":"cats"}')).toEqual({
      status: 422,
      cookies: [expect.stringMatching(/^tapedeck\.device=/), expect.stringMatching(/^tapedeck\.device\.sig=/)],
    });
  });
});

describe("an unknown path", () => {
  it.each([
    ["GET", "/api/nothing"],
    ["GET", "/api/conversions/x/y/z"],
    ["PUT", "/api/conversions"],
    ["DELETE", "/api/conversions"],
    ["GET", "/api/conversions/00000000-0000-4000-8000-000000000000"],
    ["GET", "/api/conversions/..%2f..%2f..%2fetc%2fpasswd/file"],
    ["GET", "/api/conversions/%2e%2e/file"],
    ["GET", "/api/conversions/../../../../etc/passwd"],
    ["GET", "/api/conversions/%00/file"],
    ["GET", "/api/conversions/%E0%A4%A"],
    ["GET", "/api/conversions/[$ne]/file"],
    ["GET", `/api/conversions/${"a".repeat(150)}`],
  ])("%s %s is a 404 in JSON", async (method, path) => {
    const answer = await raw(method, path, {
      cookie: device.cookie,
      origin: server.origin,
      "content-type": "application/json",
    });
    expect([answer.status, ErrorBody.strict().parse(JSON.parse(answer.body)).code]).toEqual([404, "not_found"]);
  });
});

describe("the list", () => {
  it("answers 304 while unchanged, has its time of reading, and is private", async () => {
    const own = await server.newDevice();
    const first = await own.call("GET", "/api/conversions");
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\/"/);
    expect(Date.parse(first.headers.get("x-as-of") ?? "")).not.toBeNaN();
    expect(first.headers.get("cache-control")).toBe("private, no-cache");

    // Browsers add `Cache-Control: no-cache` if a page sets If-None-Match itself.
    for (const known of [tag, `"other", ${tag}`, tag.replace("W/", "")]) {
      const same = await own.call("GET", "/api/conversions", undefined, { "if-none-match": known });
      expect([same.status, await same.text()]).toEqual([304, ""]);
      expect(same.headers.get("x-as-of")).not.toBeNull();
    }

    const job = await own.convert(server.site.urlOf("slow"));
    const changed = await own.call("GET", "/api/conversions", undefined, { "if-none-match": tag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(tag);
    await own.call("DELETE", `/api/conversions/${job.id}`);
  });
});

describe("the site", () => {
  it("answers with the public configuration", async () => {
    const config = PublicConfig.strict().parse(await (await device.call("GET", "/api/config")).json());
    expect(config).toMatchObject({
      tier: "free",
      signInAvailable: true,
      paymentAvailable: false,
      stripePublishableKey: null,
    });
    expect(config.videoHosts).toEqual(["youtube.com", "youtu.be", server.site.host]);
    expect(config.sampleLinks).toEqual(server.site.links);
  });

  it("recognizes a device, and creates a new one for a missing or forged cookie", async () => {
    const idOf = async (cookie?: string) => {
      const answer = await raw("GET", "/api/device-info", cookie === undefined ? {} : { cookie });
      return {
        ...DeviceInfo.strict().parse(JSON.parse(answer.body)),
        newCookies: (answer.headers["set-cookie"] as string[] | undefined)?.length ?? 0,
      };
    };
    const known = await idOf(device.cookie);
    expect(known).toEqual({
      deviceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      authenticated: false,
      userId: null,
      newCookies: 0,
    });
    expect(await idOf(device.cookie)).toEqual(known);
    for (const cookie of [undefined, `tapedeck.device=${known.deviceId}`, device.cookie.replace(/.$/, "")]) {
      const stranger = await idOf(cookie);
      expect(stranger.newCookies).toBe(2);
      expect(stranger.deviceId).not.toBe(known.deviceId);
    }
  });

  it.each([
    ["/healthz", "ok"],
    ["/readyz", "ready"],
  ])("answers %s without setting a cookie", async (path, status) => {
    const answer = await raw("GET", path);
    expect([answer.status, JSON.parse(answer.body), answer.headers["set-cookie"]]).toEqual([
      200,
      { status },
      undefined,
    ]);
  });

  it("sends headers against framing, content sniffing and foreign scripts", async () => {
    const { headers } = await raw("GET", "/api/config");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["content-security-policy"]).toContain("default-src 'self'");
    expect(headers["content-security-policy"]).not.toMatch(/script-src[^;]*unsafe|\*/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["strict-transport-security"]).toBeUndefined();
    expect(headers["permissions-policy"]).toMatch(/camera=\(\).*microphone=\(\).*payment=\(\)/);
  });
});
