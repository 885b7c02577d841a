/**
 * Build step: prerenders public pages in each language into HTML files. React Router's framework mode can prerender too, but it also
 * brings its own build and its own entry files.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createServer } from "vite";
import type { Plugin, Rolldown } from "vite";
import { z } from "zod";
import { VIEWER_META_NAME, type PageViewer } from "../../common/api.ts";
import { directionOf, LANGUAGE_CODES } from "../../common/languages.ts";
import type { Language } from "../../common/languages.ts";
import { FORM_PAGE, NOT_FOUND_PAGE, pageFileName } from "../../common/pages.ts";
import { Tier } from "../../common/tiers.ts";
import { afterBuild } from "./after-build.ts";
import { bundleFirstUse } from "./first-use-script.ts";
import { prose } from "./prose.ts";
import { smallZod } from "./small-zod.ts";

export interface PrerenderOptions {
  /** Path relative to the frontend folder; the module exports `renderPage`. */
  readonly entry: string;
  /** URL paths, for visitors who are not signed in. */
  readonly pages: readonly string[];
  /** URL paths, for signed-in users of each tier. */
  readonly userPages: Readonly<Record<Tier, readonly string[]>>;
}

/** Whom a page is prerendered for, and the variant of the contact page. */
interface RenderOptions {
  readonly viewer: PageViewer;
  readonly hasForm: boolean;
}

const PrerenderedPage = z.object({
  html: z.string().min(1),
  styles: z.string(),
  title: z.string().min(1),
  description: z.string().min(1),
  isPrivate: z.boolean(),
  notLoaded: z.object({ title: z.string().min(1), text: z.string().min(1) }),
});
type PrerenderedPage = z.infer<typeof PrerenderedPage>;
const Entry = z.object({
  renderPage: z.custom<(path: string, language: Language, options: RenderOptions) => Promise<unknown>>(
    (value) => typeof value === "function",
  ),
});

/**
 * Writes `/` to index.html, index.de.html and so on, `/help` to help.html, help.de.html and so on; not-found.html is for
 * unknown paths, and page.html is the empty page for all others. The pages of signed-in users are in a folder for each
 * tier: nothing in them depends on who the user is. The server chooses between the two contact pages, with and without a
 * form.
 */
export function prerender({ entry, pages, userPages }: PrerenderOptions): Plugin {
  return afterBuild("tapedeck-prerender", async ({ root, outDir, bundle }) => {
    const shell = withFirstUse(
      await inlineStyles(outDir, await readFile(path.join(outDir, "index.html"), "utf8")),
      await bundleFirstUse(
        root,
        firstScripts(bundle).map((name) => `/${name}`),
      ),
    );
    const vite = await createServer({
      root,
      configFile: false,
      plugins: [prose(), smallZod()],
      mode: "production",
      appType: "custom",
      logLevel: "error",
      server: { middlewareMode: true, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
    });
    try {
      const { renderPage } = Entry.parse(await vite.ssrLoadModule(entry));
      for (const language of LANGUAGE_CODES) {
        const ownShell = localize(shell, language, bundle);
        for (const userTier of [null, ...Tier.options]) {
          const viewer: PageViewer = { tier: userTier ?? "free", authenticated: userTier !== null };
          const viewerShell = withViewer(ownShell, viewer);
          const write = (name: string, html: string) =>
            writeFile(path.join(outDir, pageFileName(name, language, userTier)), html);
          if (userTier !== null) await mkdir(path.join(outDir, userTier), { recursive: true });
          for (const page of [...(userTier ? userPages[userTier] : pages), `/${NOT_FOUND_PAGE}`]) {
            const render = async (hasForm: boolean) =>
              PrerenderedPage.parse(await renderPage(page, language, { viewer, hasForm }));
            const rendered = await render(false);
            await write(page === "/" ? "index" : page.slice(1), fill(viewerShell, rendered));
            if (page === "/contact") await write(FORM_PAGE, fill(viewerShell, await render(true)));
            if (page === "/" && userTier === null)
              await write("page", fill(viewerShell, { ...rendered, html: "", styles: "" }));
          }
        }
      }
    } finally {
      await vite.close();
    }
  });
}

/** Inlines the style sheets, because the first paint would wait for their requests. */
async function inlineStyles(outDir: string, html: string): Promise<string> {
  const links = [...html.matchAll(/<link rel="stylesheet"[^>]*href="\/([^"]+\.css)"[^>]*>/g)];
  let inlined = html;
  for (const [link, file = ""] of links) {
    const css = await readFile(path.join(outDir, file), "utf8");
    inlined = inlined.replace(link, () => `<style>${css.trim()}</style>`);
  }
  return inlined;
}

/** @returns the entry script, the scripts that it imports in turn, and their static imports */
function firstScripts(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const first = chunks.find((chunk) => chunk.isEntry);
  if (!first) throw new Error("the build has no entry script");
  const found = new Set<string>();
  const add = (fileName: string): void => {
    if (found.has(fileName)) return;
    found.add(fileName);
    for (const next of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? []) add(next);
  };
  for (const fileName of [first.fileName, ...first.dynamicImports]) add(fileName);
  return [...found];
}

/** Replaces the app's scripts by the script that starts them; its listeners are there before the first paint. */
function withFirstUse(html: string, script: string): string {
  return html
    .replaceAll(/\s*<(?:script type="module"[^>]*><\/script>|link rel="modulepreload"[^>]*>)/g, "")
    .replace("</head>", () => `<script>${script}</script></head>`);
}

/** Puts language, direction and the script with the language's texts into the empty page. */
function localize(shell: string, language: Language, bundle: Rolldown.OutputBundle): string {
  const catalogue = Object.values(bundle).find(
    (file) => file.type === "chunk" && file.facadeModuleId?.endsWith(`/src/texts/${language}.ts`),
  );
  if (!catalogue) throw new Error(`the build has no script with the texts in ${language}`);
  return shell.replace(
    /<html [^>]*>/,
    () => `<html lang="${language}" dir="${directionOf(language)}" data-catalogue="/${catalogue.fileName}">`,
  );
}

/** Names the visitor in the page, whose app begins with it. */
function withViewer(shell: string, viewer: PageViewer): string {
  return shell.replace(
    new RegExp(`(<meta name="${VIEWER_META_NAME}" content=)'[^']*'`),
    (_, start: string) => `${start}'${JSON.stringify(viewer)}'`,
  );
}

/** Inserts the content and metadata of a page into the empty page. */
function fill(shell: string, { html, styles, title, description, isPrivate, notLoaded }: PrerenderedPage): string {
  const robots = isPrivate ? '<meta name="robots" content="noindex" />' : "";
  const note = `<p id="not-loaded" role="alert" hidden><b>${escape(notLoaded.title)}</b> ${escape(notLoaded.text)}</p>`;
  return shell
    .replace(/<title>.*?<\/title>/, () => `<title>${escape(title)}</title>`)
    .replace(/(<meta name="description" content=)"[^"]*"/, (_, start: string) => `${start}"${escape(description)}"`)
    .replace(/(<meta property="og:title" content=)"[^"]*"/, (_, start: string) => `${start}"${escape(title)}"`)
    .replace(
      /(<meta property="og:description" content=)"[^"]*"/,
      (_, start: string) => `${start}"${escape(description)}"`,
    )
    .replace("</head>", () => `${robots}${styles}</head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${html}</div>${note}`);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
