/** What programs get that download a file for a browser or a player: with a cookie, with a token, and with neither. */
import { beforeAll, describe, expect, it } from "vitest";
import { ErrorBody } from "../../../common/errors.ts";
import { CreatedToken } from "../../../common/token-calls.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

/** What {@link convertWithoutTools} makes. */
const FILE = Buffer.from("a file");

let url: string;
let secret: string;

const server = await ofFile(startTestServer({ hasExtractor: false }, undefined, convertWithoutTools));
const device = await server.newDevice();
beforeAll(async () => {
  await server.signIn(device, { email: "downloads@example.com" });
  await server.setTier("downloads@example.com", "pro");
  const made = await device.call("POST", "/api/tokens", { name: "Downloads", scopes: ["download"] });
  secret = CreatedToken.parse(await made.json()).secret;
  const live = await device.live();
  const { id } = await device.convert(server.site.urlOf("rain"));
  await live.untilStatus(id, "completed", "failed");
  url = `/api/conversions/${id}/file`;
});

type Send = (method: string, headers: Record<string, string>) => Promise<Response>;

const withCookie: Send = (method, headers) => device.call(method, url, undefined, headers);
const withToken: Send = (method, headers) =>
  fetch(server.origin + url, { method, headers: { ...headers, authorization: `Bearer ${secret}` } });

describe.each([
  ["a cookie", withCookie],
  ["a token", withToken],
])("with %s", (_, send) => {
  it.each<[string, Record<string, string>, number, string | null, number]>([
    ["the probe of Safari", { range: "bytes=0-1" }, 206, `bytes 0-1/${FILE.length}`, 2],
    ["an open range", { range: "bytes=0-" }, 206, `bytes 0-${FILE.length - 1}/${FILE.length}`, FILE.length],
    ["a range if a weak tag fits", { range: "bytes=0-1", "if-range": 'W/"a"' }, 200, null, FILE.length],
  ])("%s gets the file", async (_, headers, status, range, sizeBytes) => {
    const answer = await send("GET", headers);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-range")]).toEqual([
      status,
      "audio/mpeg",
      range,
    ]);
    expect(bytes.equals(FILE.subarray(0, sizeBytes))).toBe(true);
  });

  it("HEAD gets type and size", async () => {
    const answer = await send("HEAD", {});
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-length")]).toEqual([
      200,
      "audio/mpeg",
      String(FILE.length),
    ]);
  });
});

describe.each<[string, Record<string, string>, number]>([
  ["without cookie and token", {}, 404],
  ["with a token that is not valid", { authorization: "Bearer tapedeck_unknown" }, 401],
])("%s", (_, credentials, status) => {
  it.each<[string, Record<string, string>]>([
    ["GET", {}],
    ["HEAD", {}],
    ["GET", { range: "bytes=0-1" }],
    ["GET", { range: "bytes=0-" }],
    ["GET", { range: "bytes=0-1", "if-range": 'W/"a"' }],
    ["GET", { accept: "text/html,*/*" }],
  ])("%s %o is refused as JSON that is not to be saved", async (method, headers) => {
    const answer = await fetch(server.origin + url, { method, headers: { ...headers, ...credentials } });
    const about = ["content-type", "content-disposition", "content-range", "accept-ranges", "etag"];
    expect([answer.status, ...about.map((name) => answer.headers.get(name))]).toEqual([
      status,
      "application/json; charset=utf-8",
      null,
      null,
      null,
      null,
    ]);
    if (method !== "HEAD") ErrorBody.parse(await answer.json());
  });
});
