/// <reference lib="webworker" />
/**
 * Keeps the pages' own files, so that the site opens without a network and says so. It never touches
 * what belongs to a visitor: calls, sockets and files go past it.
 */

/** Put in by the build. It changes with any of the files, and this script with it, which is how browsers notice. */
declare const PAGES: { readonly build: string; readonly files: readonly string[] };

// Types of a page name another `self`.
const worker = self as unknown as ServiceWorkerGlobalScope;
const PREFIX = "tapedeck-";
const CACHE = `${PREFIX}${PAGES.build}`;
/** The one page that stands for every place: it draws itself. */
const SHELL = "/page.html";

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Hashed files are the same wherever they come from; the others must be of this build.
  await cache.addAll(
    PAGES.files
      .filter((file) => file !== SHELL)
      .map((file) => new Request(file, { cache: file.startsWith("/assets/") ? "default" : "reload" })),
  );
  await cache.put(SHELL, await fetchShell());
  await worker.skipWaiting();
}

/**
 * The page as it is for everybody: whom the server took the browser for at that time may be wrong by the time it is
 * opened.
 */
async function fetchShell(): Promise<Response> {
  const response = await fetch(new Request(SHELL, { cache: "reload" }));
  if (!response.ok) throw new TypeError(`${SHELL} was answered with ${response.status}`);
  const headers = new Headers(response.headers);
  // Said of the answer as it was sent, no longer of what is kept.
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

/** From the server, which has the newest build; what is kept when it cannot be reached. */
async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(SHELL, { cacheName: CACHE });
    if (kept) return kept;
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
  else if (request.mode === "navigate" && !pathname.startsWith("/api/") && !pathname.startsWith("/socket.io/"))
    event.respondWith(openPage(request));
});

/** Whoever answers a notification gets the page that is open, where the file waits; or a new one. */
async function openClient(): Promise<void> {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const [page] = pages;
  await (page ? page.focus() : worker.clients.openWindow("/"));
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openClient());
});
