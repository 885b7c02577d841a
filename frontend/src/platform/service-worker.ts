/// <reference lib="webworker" />
/**
 * Caches the files of the pages, so that the site opens without a network. It does not handle API calls,
 * sockets and downloads. Workbox can cache the same files, but the page without the viewer's identity, see
 * {@link fetchShell}, would still need code of its own.
 */

/** Inserted by the build. It changes with every file, so browsers notice a new version of this script. */
declare const PAGES: { readonly build: string; readonly files: readonly string[] };

// The types of `self` are those of a page.
const worker = self as unknown as ServiceWorkerGlobalScope;
const PREFIX = "tapedeck-";
const CACHE = `${PREFIX}${PAGES.build}`;
/** The empty page for every path; its script renders the content. */
const SHELL = "/page.html";

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Files with a hash in their name may come from the HTTP cache; the others must be of this build.
  await cache.addAll(
    PAGES.files
      .filter((file) => file !== SHELL)
      .map((file) => new Request(file, { cache: file.startsWith("/assets/") ? "default" : "reload" })),
  );
  await cache.put(SHELL, await fetchShell());
  await worker.skipWaiting();
}

/** Fetches the empty page without the viewer's identity, which may have changed when the cached page is opened. */
async function fetchShell(): Promise<Response> {
  const response = await fetch(new Request(SHELL, { cache: "reload" }));
  if (!response.ok) throw new TypeError(`${SHELL} was answered with ${response.status}`);
  const headers = new Headers(response.headers);
  // These headers describe the original body, not the changed one.
  for (const name of ["content-encoding", "content-length", "etag"]) headers.delete(name);
  return new Response((await response.text()).replace(/<meta name="viewer"[^>]*>/g, ""), { headers });
}

async function activate(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
  await worker.clients.claim();
}

/** Returns the server's page, which is of the newest build, or the cached one when the server is unreachable. */
async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cached = await caches.match(SHELL, { cacheName: CACHE });
    if (cached) return cached;
    throw error;
  }
}

async function openFile(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: CACHE })) ?? (await fetch(request));
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (PAGES.files.includes(pathname)) event.respondWith(openFile(request));
  else if (request.mode === "navigate" && !/^\/(?:api|feed|get|socket\.io)\//.test(pathname))
    event.respondWith(openPage(request));
});

/** Focuses an open page, or opens a new one. */
async function openClient(): Promise<void> {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const [page] = pages;
  await (page ? page.focus() : worker.clients.openWindow("/"));
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openClient());
});
