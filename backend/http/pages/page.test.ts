import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { join } from "node:path";
import Koa from "koa";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PAGE_PATHS } from "../../../common/pages.ts";
import { createDeviceCookies } from "../../domain/accounts/device-cookie.ts";
import { identify, type ViewerState } from "../middleware/identify.ts";
import { CONTACTS_AS_BUILT, CONTACTS_META_NAME } from "../../../common/contacts.ts";
import { inlineScriptSources, serveAssets, servePage } from "./page.ts";
import { openPageFiles } from "./page-files.ts";

let folder: string;
let server: Server;
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tapedeck-page-"));
  const dist = join(folder, "dist");
  await mkdir(join(dist, "assets"), { recursive: true });
  await writeFile(join(dist, "index.html"), "<!doctype html><title>Tapedeck</title><p>prerendered</p>");
  await writeFile(join(dist, "assets", "app-1a2b.js"), "export {}");
  await writeFile(
    join(dist, "page.html"),
    "<!doctype html><title>Tapedeck</title><script>early()</script>" +
      `<meta name="viewer" content='{"tier":"free","authenticated":false}' />`,
  );
  await writeFile(join(dist, "help.html"), "<!doctype html><title>Help</title>");
  await writeFile(join(dist, "help.html.br"), brotliCompressSync("<!doctype html><title>Help, packed</title>"));
  await writeFile(join(dist, "assets", "app-1a2b.js.br"), brotliCompressSync("export {}"));
  await writeFile(join(dist, "favicon.svg"), "<svg/>");
  await writeFile(join(folder, "secret.txt"), "secret");
  const app = new Koa<ViewerState>();
  const pages = openPageFiles(dist, CONTACTS_AS_BUILT);
  app.use(serveAssets(dist, pages));
  const cookies = createDeviceCookies(["a-key-a-key-a-key-a-key-a-key-a-key"], false);
  app.use(
    identify(cookies, (cookieHeader) => {
      if (cookieHeader === "signed-in") return Promise.resolve({ deviceId: "d", userId: "u", tier: "pro" });
      const deviceId = cookies.read(cookieHeader);
      return Promise.resolve(deviceId === null ? null : { deviceId, userId: null, tier: "free" });
    }),
  );
  app.use(servePage(pages));
  app.use((ctx) => {
    ctx.body = "beyond the page";
  });
  const answer = app.callback();
  server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

it.each([
  ...PAGE_PATHS.map((path) => [path, 200] as const),
  ["/subscribe?plan=monthly", 200],
  ["/plans/", 200],
  ["/Plans", 200],
  ["/no/such/place", 404],
  ["/plans/none", 404],
  ["/index", 404],
] as const)("GET %s answers the page with status %i, no-cache and a device cookie", async (path, status) => {
  const answer = await fetch(`${origin}${path}`);
  expect([answer.status, await answer.text()]).toEqual([
    status,
    expect.stringMatching(/<title>(?:Tapedeck|Help)<\/title>/),
  ]);
  expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
  expect(answer.headers.get("cache-control")).toBe("private, no-cache");
  expect(answer.headers.getSetCookie()).toHaveLength(2);
});

it("sends a signed-in user the empty page with their tier, not a prerendered one", async () => {
  const answer = await fetch(`${origin}/`, { headers: { cookie: "signed-in", "accept-encoding": "br" } });
  const text = await answer.text();
  expect(text).toContain(`<meta name="viewer" content='{"tier":"pro","authenticated":true}' />`);
  expect(text).not.toContain("prerendered");
  expect(await (await fetch(`${origin}/`)).text()).toContain("prerendered");
});

it("sends an asset with a cache time of a year and without a cookie", async () => {
  const answer = await fetch(`${origin}/assets/app-1a2b.js`);
  expect([answer.status, await answer.text()]).toEqual([200, "export {}"]);
  expect(answer.headers.get("content-type")).toMatch(/javascript/);
  expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(answer.headers.getSetCookie()).toEqual([]);
});

it("sends a file without a hash in its name with no-cache", async () => {
  expect((await fetch(`${origin}/favicon.svg`)).headers.get("cache-control")).toBe("no-cache");
});

it("answers 404 without a page for a missing file", async () => {
  const answer = await fetch(`${origin}/assets/app-old.js`);
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain("<title>");
});

it.each([
  "/../secret.txt",
  "/assets/../../secret.txt",
  "/%2e%2e/secret.txt",
  "/..%2fsecret.txt",
  "/assets/..%2f..%2fsecret.txt",
  "//secret.txt",
])("serves no file outside of the folder: %s", async (path) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  request(origin, { path }, (answer) => {
    answer.setEncoding("utf8");
    let body = String(answer.statusCode);
    answer.on("data", (chunk: string) => (body += chunk));
    answer.on("end", () => resolve(body));
  }).end();
  expect(await promise).toMatch(/^404/);
});

it.each([
  ["GET", "/api/conversions"],
  ["GET", "/socket.io/"],
  ["POST", "/plans"],
])("passes %s %s to the next middleware", async (method, path) => {
  expect(await (await fetch(`${origin}${path}`, { method })).text()).toBe("beyond the page");
});

const titleAt = async (path: string, encoding: string) => {
  const answer = await fetch(`${origin}${path}`, { headers: { "accept-encoding": encoding } });
  return [answer.headers.get("content-encoding"), /<title>(.*)<\/title>/.exec(await answer.text())?.[1]];
};
it("sends a prerendered page, compressed if the browser accepts it", async () => {
  expect(await titleAt("/help", "identity")).toEqual([null, "Help"]);
  expect(await titleAt("/help", "br, gzip")).toEqual(["br", "Help, packed"]);
  expect(await titleAt("/help", "br;q=0, gzip")).toEqual([null, "Help"]);
  expect(await titleAt("/page", "br")).toEqual([null, "Tapedeck"]);
});

it("sends a compressed asset", async () => {
  const answer = await fetch(`${origin}/assets/app-1a2b.js`, { headers: { "accept-encoding": "br" } });
  expect([answer.headers.get("content-encoding"), await answer.text()]).toEqual(["br", "export {}"]);
});

it("answers 304 for an asset that the browser has", async () => {
  const lastModified = (await fetch(`${origin}/favicon.svg`)).headers.get("last-modified") ?? "";
  expect(
    (
      await fetch(`${origin}/favicon.svg`, {
        headers: { "if-modified-since": lastModified, "cache-control": "max-age=0" },
      })
    ).status,
  ).toBe(304);
});

it("serves files that are built while the server runs", async () => {
  const file = join(folder, "dist", "assets", "app-3c4d.js");
  const statusOf = async () => (await fetch(`${origin}/assets/app-3c4d.js`)).status;
  expect(await statusOf()).toBe(404);
  await writeFile(file, "export {}");
  expect(await statusOf()).toBe(200);
  await rm(file);
  expect(await statusOf()).toBe(404);
});

it("returns the hashes of the inline scripts for the content security policy", () => {
  const early = createHash("sha256").update("early()").digest("base64");
  expect(inlineScriptSources(join(folder, "dist"))).toEqual([`'sha256-${early}'`]);
  expect(inlineScriptSources(join(folder, "none"))).toEqual([]);
});

it("puts the operator's addresses into a page in every encoding, after each build", async () => {
  const dist = join(folder, "contacts");
  await mkdir(dist);
  const build = async (title: string) => {
    const { supportEmail, takedownEmail } = CONTACTS_AS_BUILT;
    const html =
      `<title>${title}</title><meta content='{"takedownEmail":"${takedownEmail}"}'>` +
      `<a href="mailto:${supportEmail}">${supportEmail}</a>`;
    await writeFile(join(dist, "terms.html"), html);
    for (const [ending, packed] of [
      ["br", brotliCompressSync(html)],
      ["gz", gzipSync(html)],
    ] as const)
      await writeFile(join(dist, `terms.html.${ending}`), packed);
  };
  const pages = openPageFiles(dist, {
    supportEmail: "o'hara@deck.example.org",
    takedownEmail: "rights@deck.example.org",
  });
  const wanted = (title: string) =>
    `<title>${title}</title><meta content='{"takedownEmail":"rights@deck.example.org"}'>` +
    '<a href="mailto:o&#39;hara@deck.example.org">o&#39;hara@deck.example.org</a>';
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };
  for (const title of ["Terms", "Newer terms"]) {
    await build(title);
    for (const encoding of ["br", "gzip", "identity"] as const) {
      const body = await pages.read("terms.html", encoding);
      expect(body && unpack[encoding](body).toString()).toBe(wanted(title));
    }
  }
});

it("has the addresses to replace in the meta element of the source page", async () => {
  const html = await readFile(new URL("../../../frontend/index.html", import.meta.url), "utf8");
  expect(html).toContain(`<meta name="${CONTACTS_META_NAME}" content='${JSON.stringify(CONTACTS_AS_BUILT)}' />`);
});
