/** Prerenders pages at build time, so that browsers show them before any script has loaded. */
import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import createEmotionServer from "@emotion/server/create-instance";
import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router";
import type { PageViewer } from "../../../common/api.ts";
import { device } from "../client/stores.ts";
import { prerenderedContacts } from "../platform/page-contacts.ts";
import { prerenderedHead } from "../platform/prerendered-head.ts";
import { NOT_LOADED } from "../texts/not-loaded.ts";
import type { NotLoadedTexts } from "../texts/not-loaded.ts";
import { showLanguage } from "../texts/store.ts";
import type { Language } from "../texts/languages.ts";
import { loadPage, Site } from "./routes.tsx";
import { Providers } from "./Providers.tsx";

export interface PrerenderedPage {
  /** Content of #root. */
  readonly html: string;
  /** Style elements for the head, which emotion reuses in the browser. */
  readonly styles: string;
  readonly title: string;
  readonly description: string;
  /** Keeps the page out of search engines. */
  readonly isPrivate: boolean;
  readonly notLoaded: NotLoadedTexts;
}

export interface RenderOptions {
  /** A signed-in user has no name yet: it is known when the app runs. */
  readonly viewer: PageViewer;
  /** Whether the contact page has a form. */
  readonly hasForm: boolean;
}

/**
 * Renders a page as HTML. The calls must not overlap, because they share the page's language and viewer.
 * @param path URL path
 * @throws Error when the page's script cannot be loaded
 */
export async function renderPage(
  path: string,
  language: Language,
  { viewer, hasForm }: RenderOptions,
): Promise<PrerenderedPage> {
  prerenderedContacts.hasForm = hasForm;
  // As the app creates the store from what the page says of its viewer. React renders a store's initial state here.
  Object.assign(device.getInitialState(), { tier: viewer.tier, isSignedIn: viewer.authenticated });
  await loadPage(path);
  // After the page, which brings the list of its texts.
  await showLanguage(language);
  // Without prefixes, as in the browser: see build/without-unused-styles.ts.
  const cache = createCache({ key: "css", stylisPlugins: [] });
  // Collects the rules for the head instead of a style element beside each element.
  cache.compat = true;
  const html = renderToString(
    <CacheProvider value={cache}>
      <Providers>
        <StaticRouter location={path}>
          <Site />
        </StaticRouter>
      </Providers>
    </CacheProvider>,
  );
  const emotion = createEmotionServer(cache);
  return {
    html,
    styles: emotion.constructStyleTagsFromChunks(emotion.extractCriticalToChunks(html)),
    ...prerenderedHead,
    notLoaded: NOT_LOADED[language],
  };
}
