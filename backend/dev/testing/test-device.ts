/** Browsers without a window: their cookies, calls, sign-in and live view. */
import { CookieJar } from "tough-cookie";
import { Job } from "../../../common/job.ts";
import type { Format } from "../../../common/tiers.ts";
import { LiveView } from "./live-view.ts";

export type { LiveView } from "./live-view.ts";

export interface TestDevice {
  /** The current value of the `Cookie` header. */
  readonly cookie: string;
  readonly origin: string;
  /**
   * Navigates to a page and stores its cookies; redirects are not followed.
   * @param form fields that are posted; a GET without them
   */
  visit(url: string, form?: Record<string, string>): Promise<Response>;
  /** Makes a call as our page does: with cookies, origin and a JSON body. Stores the cookies of the answer. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response>;
  /**
   * Starts a conversion.
   * @throws Error unless the answer is 201
   */
  convert(url: string, format?: Format): Promise<Job>;
  /** The live view; the first call connects it. */
  live(): Promise<LiveView>;
  close(): void;
}

/** As browsers send it when the visitor follows a link of our pages. */
const NAVIGATION = { accept: "text/html", "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" };

/** Stores the cookies that an answer sets. */
async function keepCookies(jar: CookieJar, answer: Response): Promise<void> {
  for (const line of answer.headers.getSetCookie()) await jar.setCookie(line, answer.url);
}

/**
 * Navigates to a page and stores its cookies; redirects are not followed.
 * @param form fields that are posted; a GET without them
 */
async function visitPage(jar: CookieJar, url: URL, form?: Record<string, string>): Promise<Response> {
  const answer = await fetch(url, {
    redirect: "manual",
    headers: { ...NAVIGATION, cookie: jar.getCookieStringSync(url.href), ...(form && { origin: url.origin }) },
    ...(form && { method: "POST", body: new URLSearchParams(form) }),
  });
  await keepCookies(jar, answer);
  return answer;
}

/** Opens a browser that has no cookies and gets a device id from the server. */
export async function openDevice(origin: string): Promise<TestDevice> {
  const jar = new CookieJar();
  const cookieFor = (url: URL | string) => jar.getCookieStringSync(String(url));
  const first = await fetch(`${origin}/api/device-info`);
  await keepCookies(jar, first);
  await first.body?.cancel();
  let view: Promise<LiveView> | undefined;
  let lastVisit: Promise<unknown> = Promise.resolve();
  const device: TestDevice = {
    get cookie() {
      return cookieFor(origin);
    },
    origin,
    visit(url, form) {
      const visiting = visitPage(jar, new URL(url, origin), form);
      lastVisit = Promise.allSettled([visiting]);
      return visiting;
    },
    async call(method, path, body, headers = {}, signal) {
      const url = `${origin}${path}`;
      const type: Record<string, string> = method === "GET" ? {} : { "content-type": "application/json" };
      const answer = await fetch(url, {
        method,
        headers: { cookie: cookieFor(url), origin, ...type, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: signal ?? null,
      });
      await keepCookies(jar, answer);
      return answer;
    },
    async convert(url, format = "mp3") {
      const answer = await device.call("POST", "/api/conversions", { youtubeUrl: url, format });
      if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
      return Job.parse(await answer.json());
    },
    live() {
      view ??= LiveView.connect(origin, () => cookieFor(origin), { cookiesKept: () => lastVisit });
      return view;
    },
    close() {
      void view?.then((live) => live.close());
    },
  };
  return device;
}

/**
 * Signs in through the pages of the site and the identity provider, following their redirects.
 * @param start where it begins
 * @returns path and query of the page on our site where the sign-in ends
 * @throws Error when a page does not redirect, or after 15 redirects
 */
export async function walkThroughSignIn(
  device: Pick<TestDevice, "origin" | "visit">,
  person: { email: string; firstName?: string },
  start = "/api/login",
): Promise<string> {
  let url = start;
  for (let hop = 0; hop < 15; hop += 1) {
    const answer = await device.visit(url, url.includes("/interaction/") ? { ...person } : undefined);
    await answer.body?.cancel();
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`${answer.status} at ${url}`);
    const next = new URL(location, new URL(url, device.origin));
    if (next.origin === device.origin && (next.pathname === "/" || next.pathname === "/login"))
      return `${next.pathname}${next.search}`;
    url = next.href;
  }
  throw new Error(`sign-in redirects without end, last to ${url}`);
}
