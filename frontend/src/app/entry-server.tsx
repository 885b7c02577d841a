/** Draws pages at build time, so that a browser shows them before any script has come. */
import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import createEmotionServer from "@emotion/server/create-instance";
import { renderToString } from "react-dom/server";
import { StaticRouterProvider, createStaticHandler, createStaticRouter } from "react-router";
import { drawnHead } from "../platform/drawn-head.ts";
import { routes } from "./routes.tsx";
import { Providers } from "./Providers.tsx";

export interface DrawnPage {
  /** What belongs into #root. */
  readonly html: string;
  /** Style elements for the head, as emotion finds them again in the browser. */
  readonly styles: string;
  readonly title: string;
  readonly description: string;
}

/** @throws Error when there is no such page */
export async function drawPage(path: string): Promise<DrawnPage> {
  const handler = createStaticHandler(routes);
  const context = await handler.query(new Request(new URL(path, "http://localhost")));
  if (context instanceof Response) throw new Error(`${path} leads elsewhere`);
  const cache = createCache({ key: "css" });
  // Rules are gathered for the head instead of standing beside each element.
  cache.compat = true;
  const html = renderToString(
    <CacheProvider value={cache}>
      <Providers>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </Providers>
    </CacheProvider>,
  );
  const emotion = createEmotionServer(cache);
  return { html, styles: emotion.constructStyleTagsFromChunks(emotion.extractCriticalToChunks(html)), ...drawnHead };
}
