import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { join } from "node:path";
import Koa from "koa";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { PAGE_PATHS } from "../../../common/pages.ts";
import { createDeviceCookies } from "../../domain/accounts/device-cookie.ts";
import { identify, type ViewerState } from "../middleware/identify.ts";
import { CONTACTS_AS_BUILT, CONTACTS_META_NAME, type Contacts } from "../../../common/contacts.ts";
import { inlineScriptSources, serveAssets, servePage } from "./page.ts";
import { openPageFiles } from "./page-files.ts";

const folder = await testFolder();
let server: Server;
let origin: string;

beforeAll(async () => {
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
  await writeFile(join(dist, "contact-form.html"), "<!doctype html><title>Form</title>");
  await writeFile(join(dist, "not-found.html"), "<!doctype html><title>Not found</title>");
  for (const language of ["de", "ar"]) {
    const text = (name: string) => `<!doctype html><html lang="${language}"><title>${name}</title>`;
    await writeFile(join(dist, `help.${language}.html`), text("Help"));
    await writeFile(join(dist, `not-found.${language}.html`), text("Not found"));
    await writeFile(
      join(dist, `page.${language}.html`),
      `${text("Tapedeck")}<meta name="viewer" content='{"tier":"free","authenticated":false}' />`,
    );
  }
  await writeFile(join(dist, "help.de.html.br"), brotliCompressSync('<html lang="de">packed'));
  await writeFile(join(dist, "help.html.br"), brotliCompressSync("<!doctype html><title>Help, packed</title>"));
  await writeFile(join(dist, "assets", "app-1a2b.js.br"), brotliCompressSync("export {}"));
  await writeFile(join(dist, "favicon.svg"), "<svg/>");
  await mkdir(join(dist, "pro"));
  for (const name of ["plans.html", "plans.de.html", "not-found.html"])
    await writeFile(join(dist, "pro", name), `<title>Pro's ${name}</title>`);
  await writeFile(join(dist, "assets", "inter-1a2b.woff2"), "font");
  await writeFile(join(folder, "secret.txt"), "secret");
  const app = new Koa<ViewerState>();
  const pages = openPageFiles(dist, CONTACTS_AS_BUILT, null);
  app.use(serveAssets(dist, pages));
  const cookies = createDeviceCookies(["a-key-a-key-a-key-a-key-a-key-a-key"], false);
  app.use(
    identify(
      cookies,
      ({ cookie }) => {
        if (cookie === "operator")
          return Promise.resolve({ deviceId: "d", userId: "u", tier: "pro", isOperator: true });
        if (cookie === "signed-in") return Promise.resolve({ deviceId: "d", userId: "u", tier: "pro" });
        const deviceId = cookies.read(cookie);
        return Promise.resolve(deviceId === null ? null : { deviceId, userId: null, tier: "free" });
      },
      (address) => address,
      () => false,
    ),
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
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it.each([
  ...PAGE_PATHS.map((path) => [path, 200] as const),
  ["/subscribe?plan=monthly", 200],
  ["/plans/", 200],
  ["/Plans", 200],
  ["/no/such/place", 404],
  ["/plans/none", 404],
  ["/index", 404],
  ["/contact-form", 404],
  ["/not-found", 404],
] as const)("GET %s answers the page with status %i, no-cache and a device cookie", async (path, status) => {
  const answer = await fetch(`${origin}${path}`);
  expect([answer.status, await answer.text()]).toEqual([
    status,
    expect.stringMatching(status === 404 ? /<title>Not found</ : /<title>(?:Tapedeck|Help)</),
  ]);
  expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
  expect(answer.headers.get("cache-control")).toBe("private, no-cache");
  expect(answer.headers.getSetCookie()).toHaveLength(2);
});

it("lets other sites load the fonts, which the payment form needs, and nothing else", async () => {
  const allowed = async (path: string) => {
    const { headers } = await fetch(`${origin}${path}`);
    return [headers.get("access-control-allow-origin"), headers.get("cross-origin-resource-policy")];
  };
  expect(await allowed("/assets/inter-1a2b.woff2")).toEqual(["*", "cross-origin"]);
  expect(await allowed("/assets/app-1a2b.js")).toEqual([null, null]);
});

it("sends a signed-in user the page that was prerendered for their tier, in every encoding", async () => {
  const pageAt = async (path: string, encoding: string, cookie = "signed-in") => {
    const headers = { cookie, "accept-encoding": encoding, "accept-language": "de" };
    const answer = await fetch(`${origin}${path}`, { headers });
    return [answer.status, answer.headers.get("content-encoding"), await answer.text()];
  };
  for (const encoding of ["br", "gzip", "identity"])
    expect(await pageAt("/plans", encoding)).toEqual([
      200,
      encoding === "identity" ? null : encoding,
      "<title>Pro's plans.de.html</title>",
    ]);
  expect(await pageAt("/no/such/place", "br")).toEqual([404, "br", "<title>Pro's not-found.html</title>"]);
  expect(await pageAt("/operator", "br")).toEqual([404, "br", "<title>Pro's not-found.html</title>"]);
  const [status, , text] = await pageAt("/operator", "br", "operator");
  expect(status).toBe(200);
  expect(text).toMatch(/<html lang="de">.*"authenticated":true/);
  // Nobody else gets them, by any address.
  for (const path of ["/pro/plans.html", "/pro/plans.de.html", "/pro/not-found.html"]) {
    const answer = await fetch(`${origin}${path}`);
    expect([answer.status, (await answer.text()).includes("Pro's")]).toEqual([404, false]);
  }
});

it("keeps pages of users out of shared caches and out of the answers to others", async () => {
  const tags = new Set<string | null>();
  for (const cookie of ["signed-in", ""]) {
    const { headers } = await fetch(`${origin}/plans`, { headers: { cookie } });
    expect(headers.get("cache-control")).toBe("private, no-cache");
    expect(headers.get("vary")).toMatch(/Cookie/);
    tags.add(headers.get("etag"));
  }
  expect([tags.size, tags.has(null)]).toEqual([2, false]);
});

it("sends a signed-in user the empty page with their tier where none is prerendered for them", async () => {
  const answer = await fetch(`${origin}/`, { headers: { cookie: "signed-in", "accept-encoding": "br" } });
  const text = await answer.text();
  expect(text).toContain(`<meta name="viewer" content='{"tier":"pro","authenticated":true}' />`);
  expect(text).not.toContain("prerendered");
  expect(await (await fetch(`${origin}/`)).text()).toContain("prerendered");
});

const languageAt = async (path: string, headers: Record<string, string>) => {
  const answer = await fetch(`${origin}${path}`, { headers: { "accept-encoding": "identity", ...headers } });
  return [/<html lang="(..)">/.exec(await answer.text())?.[1] ?? "en", answer.headers.get("content-language")];
};

it.each([
  [{}, "en"],
  [{ "accept-language": "de" }, "de"],
  [{ "accept-language": "de-AT,en;q=0.5" }, "de"],
  [{ "accept-language": "fr-FR, AR ; q=0.3, en;q=0.2" }, "ar"],
  [{ "accept-language": "en-GB,de;q=0.9" }, "en"],
  [{ "accept-language": "en-US,de;q=0.8,en;q=0.5" }, "en"],
  [{ "accept-language": "en;q=0.1,de-AT;q=0.2" }, "de"],
  [{ "accept-language": "de;q=0" }, "en"],
  [{ "accept-language": "fr" }, "en"],
  [{ "accept-language": "*" }, "en"],
  [{ "accept-language": ",;q=,de-,==" }, "en"],
  [{ "accept-language": `${"x".repeat(8_000)},de` }, "de"],
  [{ cookie: "tapedeck.language=ar", "accept-language": "de" }, "ar"],
  [{ cookie: "a=b; tapedeck.language=en; c", "accept-language": "de" }, "en"],
  [{ cookie: "tapedeck.language=AR", "accept-language": "de" }, "de"],
  [{ cookie: "tapedeck.language=fr", "accept-language": "de" }, "de"],
  [{ cookie: "tapedeck.language=", "accept-language": "de" }, "de"],
  [{ cookie: "tapedeck.language=..%2fde", "accept-language": "de" }, "de"],
  [{ cookie: "tapedeck.language=__proto__" }, "en"],
  [{ cookie: "tapedeck.language=%E0%A4%A" }, "en"],
  [{ cookie: "tapedeck.language" }, "en"],
] as [Record<string, string>, string][])("sends pages by %j in %s", async (headers, language) => {
  for (const path of ["/help", "/no/such/place", "/page.html"])
    expect(await languageAt(path, headers)).toEqual([language, language]);
});

it("sends English where a page is not built in the visitor's language", async () => {
  expect((await languageAt("/help", { cookie: "tapedeck.language=es" }))[0]).toBe("en");
});

it("sends a signed-in user the empty page in their language", async () => {
  const answer = await fetch(`${origin}/help`, { headers: { cookie: "signed-in", "accept-language": "ar" } });
  expect(await answer.text()).toMatch(/<html lang="ar">.*"authenticated":true/);
});

it("keeps pages of one language out of requests for another one, and answers 304 for the same page", async () => {
  const tags = new Set<string>();
  for (const cookie of ["tapedeck.language=de", "tapedeck.language=ar", "tapedeck.language=en", "signed-in"]) {
    const ask = (headers: Record<string, string> = {}) =>
      fetch(`${origin}/help`, { headers: { cookie, "accept-encoding": "identity", ...headers } });
    const answer = await ask();
    expect(answer.headers.get("vary")?.toLowerCase().split(/, */).sort()).toEqual(
      ["accept-language", "cookie", ...(cookie === "signed-in" ? [] : ["accept-encoding"])].sort(),
    );
    expect(answer.headers.get("cache-control")).toBe("private, no-cache");
    const tag = answer.headers.get("etag") ?? "";
    // The browser's own cache would answer a request without this header.
    const again = await ask({ "if-none-match": tag, "cache-control": "max-age=0" });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    for (const other of tags)
      expect((await ask({ "if-none-match": other, "cache-control": "max-age=0" })).status).toBe(200);
    tags.add(tag);
  }
  const packed = await fetch(`${origin}/help`, {
    headers: { cookie: "tapedeck.language=de", "accept-encoding": "br" },
  });
  expect(await packed.text()).toContain("packed");
  tags.add(packed.headers.get("etag") ?? "");
  expect([tags.size, tags.has("")]).toEqual([5, false]);
});

it("renews the cookie of a chosen language, and of no other value", async () => {
  const cookiesAfter = async (cookie: string) =>
    (await fetch(`${origin}/help`, { headers: { cookie } })).headers
      .getSetCookie()
      .filter((text) => text.startsWith("tapedeck.language"));
  expect(await cookiesAfter("tapedeck.language=de")).toEqual([
    "tapedeck.language=de; Path=/; Max-Age=34560000; SameSite=Lax",
  ]);
  expect(await cookiesAfter("tapedeck.language=fr")).toEqual([]);
  expect(await cookiesAfter("a=b")).toEqual([]);
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
  expect(await titleAt("/page", "br")).toEqual([null, "Not found"]);
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
  const contacts = {
    supportEmail: "o'hara@deck.example.org",
    takedownEmail: "rights@deck.example.org",
    hasForm: false,
  };
  const pages = openPageFiles(dist, contacts, "https://deck.example.org");
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

it("reads the contact page with the form where there is a mail server, and says so to scripts in every page", async () => {
  const dist = join(folder, "forms");
  await mkdir(dist);
  const meta = `<meta name="contacts" content='${JSON.stringify(CONTACTS_AS_BUILT)}' />`;
  for (const name of ["contact", "contact-form", "help", "contact.de", "contact-form.de"]) {
    await writeFile(join(dist, `${name}.html`), `${name}${meta}`);
    await writeFile(join(dist, `${name}.html.br`), brotliCompressSync(`${name}${meta}`));
  }
  const contentOf = async (contacts: Contacts) => {
    const pages = openPageFiles(dist, contacts, null);
    const read = async (name: string) => {
      const body = await pages.read(name, "br");
      const [, title, hasForm] =
        /^([\w.-]+).*"hasForm":(\w+)/.exec(body ? brotliDecompressSync(body).toString() : "") ?? [];
      return [title, hasForm];
    };
    return Promise.all(["contact.html", "contact.de.html", "help.html"].map(read));
  };
  const contacts = { ...CONTACTS_AS_BUILT, supportEmail: "help@deck.example" };
  for (const without of [CONTACTS_AS_BUILT, contacts])
    expect(await contentOf(without)).toEqual([
      ["contact", "false"],
      ["contact.de", "false"],
      ["help", "false"],
    ]);
  expect(await contentOf({ ...contacts, hasForm: true })).toEqual([
    ["contact-form", "true"],
    ["contact-form.de", "true"],
    ["help", "true"],
  ]);
});

it("names the picture of shared links and the address of a page only if the operator has set the address of the site", async () => {
  const dist = join(folder, "shared");
  await mkdir(dist);
  await writeFile(join(dist, "help.html"), "<head><title>Help</title></head>");
  const read = async (siteUrl: string | null) =>
    (await openPageFiles(dist, CONTACTS_AS_BUILT, siteUrl).read("help.html", "identity"))?.toString();
  expect(await read(null)).toBe("<head><title>Help</title></head>");
  expect(await read("https://deck.example/o'hara")).toBe(
    `<head><title>Help</title><link rel="canonical" href='https://deck.example/o&#39;hara/help' />` +
      `<meta property="og:image" content='https://deck.example/o&#39;hara/shared-link.png' />` +
      `<meta name="twitter:card" content="summary_large_image" /></head>`,
  );
  const source = await readFile(new URL("../../../frontend/index.html", import.meta.url), "utf8");
  expect(source).not.toMatch(/og:image|tapedeck\.example\/|twitter:card/);
});

it("has the addresses to replace in the meta element of the source page", async () => {
  const html = await readFile(new URL("../../../frontend/index.html", import.meta.url), "utf8");
  expect(html).toContain(`<meta name="${CONTACTS_META_NAME}" content='${JSON.stringify(CONTACTS_AS_BUILT)}' />`);
});
