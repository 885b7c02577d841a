/** Odd methods and packets on an open session of long polling: each gets an answer below 500. */
import { expect, it } from "vitest";
import { ofFile } from "../dev/testing/of-file.ts";
import { faultOf, rawRequest, sendRaw } from "../dev/testing/raw-request.ts";
import { startTestServer } from "../dev/testing/test-server.ts";

const server = await ofFile(startTestServer({ hasExtractor: false }));

/** Opens a session of long polling with the cookies of a new device. */
async function openPolling(): Promise<{ path: string; cookie: string }> {
  const { cookie } = await server.newDevice();
  const answer = await fetch(`${server.origin}/socket.io/?EIO=4&transport=polling`, { headers: { cookie } });
  const [, sid = ""] = /"sid":"([^"]+)"/.exec(await answer.text()) ?? [];
  return { path: `/socket.io/?EIO=4&transport=polling&sid=${sid}`, cookie };
}

it.each(["PUT", "PATCH", "DELETE", "TRACE", "HEAD", "OPTIONS", "PROPFIND"])(
  "refuses %s on an open polling session with 405 and keeps the session open",
  async (method) => {
    const { path, cookie } = await openPolling();
    const answer = await sendRaw(server.origin, rawRequest(`${method} ${path} HTTP/1.1`, [`Cookie: ${cookie}`]));
    expect(faultOf(answer)).toBeNull();
    expect([answer?.status, answer?.headers.get("allow")]).toEqual([405, "GET, POST"]);
    const sent = await sendRaw(
      server.origin,
      rawRequest(`POST ${path} HTTP/1.1`, [`Cookie: ${cookie}`, "Content-Type: text/plain"], "40"),
    );
    expect([sent?.status, sent?.body]).toEqual([200, "ok"]);
    const polled = await sendRaw(server.origin, rawRequest(`GET ${path} HTTP/1.1`, [`Cookie: ${cookie}`]));
    expect(faultOf(polled)).toBeNull();
    expect(polled?.body).toMatch(/^40\{"sid"/);
  },
);

it.each([
  ["an empty body", ""],
  ["an unknown packet type", "9"],
  ["an invalid binary packet", "b%%%"],
  ["half an event", '42["x"'],
  ["an unknown event", '40\u001e42["x",{"__proto__":1}]'],
  ["an attachment without its bytes", '40\u001e451-["x",{"_placeholder":true,"num":7}]'],
  ["an unknown namespace", "40/x,{"],
  ["20,000 bytes", "4".repeat(20_000)],
])("answers %s on a polling session with a status below 500", async (_, body) => {
  const { path, cookie } = await openPolling();
  expect(
    faultOf(
      await sendRaw(
        server.origin,
        rawRequest(`POST ${path} HTTP/1.1`, [`Cookie: ${cookie}`, "Content-Type: text/plain"], body),
      ),
    ),
  ).toBeNull();
});
