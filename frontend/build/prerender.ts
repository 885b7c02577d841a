/**
 * Build step: prerenders public pages into HTML files. React Router's framework mode can prerender too, but it also
 * brings its own build and its own entry files.
 */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createServer } from "vite";
import type { Plugin, ResolvedConfig, Rolldown } from "vite";
import { z } from "zod";

export interface PrerenderOptions {
  /** Path relative to the frontend folder; the module exports `renderPage`. */
  readonly entry: string;
  /** URL paths. */
  readonly pages: readonly string[];
}

const PrerenderedPage = z.object({
  html: z.string().min(1),
  styles: z.string(),
  title: z.string().min(1),
  description: z.string().min(1),
});
const Entry = z.object({
  renderPage: z.custom<(path: string) => Promise<unknown>>((value) => typeof value === "function"),
});

/** Writes `/` to index.html, `/help` to help.html and so on; page.html is the empty page for all other paths. */
export function prerender({ entry, pages }: PrerenderOptions): Plugin {
  let config: ResolvedConfig;
  return {
    name: "tapedeck-prerender",
    apply: "build",
    configResolved(resolved) {
      config = resolved;
    },
    writeBundle: {
      sequential: true,
      order: "post",
      async handler(_, bundle) {
        const outDir = path.resolve(config.root, config.build.outDir);
        const shell = loadScriptsAfterPaint(
          await inlineStyles(outDir, await readFile(path.join(outDir, "index.html"), "utf8")),
          bundle,
        );
        await writeFile(path.join(outDir, "page.html"), shell);
        const vite = await createServer({
          root: config.root,
          configFile: false,
          mode: "production",
          appType: "custom",
          logLevel: "error",
          server: { middlewareMode: true, ws: false, watch: null },
          optimizeDeps: { noDiscovery: true },
        });
        try {
          const { renderPage } = Entry.parse(await vite.ssrLoadModule(entry));
          for (const page of pages) {
            const rendered = PrerenderedPage.parse(await renderPage(page));
            await writeFile(
              path.join(outDir, page === "/" ? "index.html" : `${page.slice(1)}.html`),
              fill(shell, rendered),
            );
          }
        } finally {
          await vite.close();
        }
      },
    },
  };
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

/**
 * Loads the scripts after the first paint, because on a slow network they would delay the page's text. A hidden
 * page, which is not painted, loads them at once.
 */
function loadScriptsAfterPaint(html: string, bundle: Rolldown.OutputBundle): string {
  const files = firstScripts(bundle).map((name) => `/${name}`);
  const script = `{
  const files = ${JSON.stringify(files)};
  const begin = () => {
    for (const href of files.splice(1)) {
      const link = document.createElement("link");
      document.head.append(Object.assign(link, { rel: "modulepreload", crossOrigin: "", href }));
    }
    import(files[0]);
  };
  document.addEventListener("visibilitychange", begin, { once: true });
  if (document.hidden) begin();
  else requestAnimationFrame(() => setTimeout(begin));
}`;
  return html
    .replaceAll(/\s*<(?:script type="module"[^>]*><\/script>|link rel="modulepreload"[^>]*>)/g, "")
    .replace("</body>", () => `<script>${script}</script></body>`);
}

/** Inserts the content and metadata of a page into the empty page. */
function fill(shell: string, { html, styles, title, description }: z.infer<typeof PrerenderedPage>): string {
  return shell
    .replace(/<title>.*?<\/title>/, () => `<title>${escape(title)}</title>`)
    .replace(/(<meta name="description" content=)"[^"]*"/, (_, start: string) => `${start}"${escape(description)}"`)
    .replace("</head>", () => `${styles}</head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${html}</div>`);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
