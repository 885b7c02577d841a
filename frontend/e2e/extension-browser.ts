/** A browser with the built extension in it. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { chromium, expect, type BrowserContext, type Page, type Worker } from "@playwright/test";
import { z } from "zod";
import { CreatedToken, type TokenScope } from "../../common/token-calls.ts";
import playwrightConfig from "../playwright.config.ts";
import { Home } from "./home.ts";
import { serverOrigin } from "./server.ts";

/** What tests use of the interface for extensions, in pages and in the background of the extension. */
declare const chrome: {
  readonly action: {
    readonly onClicked: { dispatch(tab: object): void };
    getBadgeText(details: object): Promise<string>;
    getTitle(details: object): Promise<string>;
    getPopup(details: object): Promise<string>;
  };
  readonly alarms: {
    create(name: string, alarm: { readonly when: number }): Promise<void>;
    clear(name: string): Promise<boolean>;
  };
  readonly permissions: {
    contains(permissions: object): Promise<boolean>;
    request: (permissions: object) => Promise<boolean>;
  };
  readonly storage: { readonly local: { get(): Promise<object> } };
  readonly downloads: { search(query: object): Promise<unknown> };
};

const Download = z.object({ url: z.string(), state: z.string(), fileSize: z.number(), filename: z.string() });

const BUILD = path.join(import.meta.dirname, "../build/extension.ts");
const ALARM = "go-on";

/**
 * Builds the extension for Chrome. Nobody can answer the browser's question for the permission to reach a server, so
 * a test may give that of the test server from the start.
 */
async function buildExtension(folder: string, mayReachServer: boolean): Promise<string> {
  await promisify(execFile)(process.execPath, [BUILD, folder]);
  const built = path.join(folder, "chrome");
  if (!mayReachServer) return built;
  const file = path.join(built, "manifest.json");
  const manifest = z.looseObject({}).parse(JSON.parse(await readFile(file, "utf8")));
  await writeFile(file, JSON.stringify({ ...manifest, host_permissions: ["http://localhost/*"] }));
  return built;
}

export class ExtensionBrowser implements AsyncDisposable {
  readonly context: BrowserContext;
  /** The page of options, which also asks the browser what the button shows. */
  readonly options: Page;
  readonly home: Home;
  readonly #folder: string;

  private constructor(context: BrowserContext, options: Page, folder: string) {
    this.context = context;
    this.options = options;
    this.home = new Home(options);
    this.#folder = folder;
  }

  static async open({ mayReachServer = true } = {}): Promise<ExtensionBrowser> {
    const folder = await mkdtemp(path.join(tmpdir(), "tapedeck-extension-"));
    const extension = await buildExtension(folder, mayReachServer);
    const { launchOptions } = playwrightConfig.use ?? {};
    const context = await chromium.launchPersistentContext("", {
      ...launchOptions,
      args: [
        ...(launchOptions?.args ?? []),
        `--disable-extensions-except=${extension}`,
        `--load-extension=${extension}`,
      ],
      baseURL: serverOrigin(),
      viewport: { width: 1280, height: 800 },
    });
    const background = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
    const [page = await context.newPage()] = context.pages();
    await page.goto(new URL("/options.html", background.url()).href);
    return new ExtensionBrowser(context, page, folder);
  }

  /** Makes a token of the signed-in user. */
  async makeToken(...scopes: TokenScope[]): Promise<CreatedToken> {
    const answer = await this.context.request.post(`${serverOrigin()}/api/tokens`, {
      headers: { origin: serverOrigin() },
      data: { name: "The extension", scopes },
    });
    return CreatedToken.parse(await answer.json());
  }

  async revoke({ id }: CreatedToken): Promise<void> {
    const headers = { origin: serverOrigin(), "content-type": "application/json" };
    await this.context.request.delete(`${serverOrigin()}/api/tokens/${id}`, { headers });
  }

  /**
   * Answers the browser's question for permissions with no.
   * @returns gives what the options have asked for so far
   */
  async refusePermissions(): Promise<() => Promise<unknown>> {
    await this.options.evaluate(() => {
      const asked: object[] = [];
      Object.assign(window, { asked });
      chrome.permissions.request = (permissions) => {
        asked.push(permissions);
        return Promise.resolve(false);
      };
    });
    return () => this.options.evaluate(() => "asked" in window && window.asked);
  }

  /** Presses the button while a page is shown. */
  async press(page: Page): Promise<void> {
    await page.bringToFront();
    const background = await this.#background();
    await background.evaluate((url) => chrome.action.onClicked.dispatch({ url }), page.url());
  }

  /** Opens what a press of the button opens. */
  async openPopup(): Promise<Page> {
    const popupAddress = () => this.options.evaluate(() => chrome.action.getPopup({}));
    // It is set after the title.
    await expect.poll(popupAddress).not.toBe("");
    const address = await popupAddress();
    const popup = await this.context.newPage();
    await popup.goto(address);
    return popup;
  }

  /** @returns whether the extension may reach the test server, and what it keeps */
  async readState(): Promise<{ readonly mayReachServer: boolean; readonly kept: object }> {
    return this.options.evaluate(async () => ({
      mayReachServer: await chrome.permissions.contains({ origins: ["http://localhost/*"] }),
      kept: await chrome.storage.local.get(),
    }));
  }

  async expectBadge(text: string | RegExp): Promise<void> {
    const badge = expect.poll(() => this.options.evaluate(() => chrome.action.getBadgeText({})));
    await (typeof text === "string" ? badge.toBe(text) : badge.toMatch(text));
  }

  async expectTitle(text: string | RegExp): Promise<void> {
    const title = expect.poll(() => this.options.evaluate(() => chrome.action.getTitle({})));
    await (typeof text === "string" ? title.toBe(text) : title.toMatch(text));
  }

  /**
   * Stops the background, as the browser does after half a minute without an event. The alarm that would wake it rings
   * when the test says so.
   */
  async stopBackground(): Promise<void> {
    await expect.poll(() => this.options.evaluate((name) => chrome.alarms.clear(name), ALARM)).toBe(true);
    const session = await this.context.newCDPSession(this.options);
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    session.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
      if (versions.some(({ runningStatus }) => runningStatus === "stopped")) resolve();
    });
    await session.send("ServiceWorker.enable");
    await session.send("ServiceWorker.stopAllWorkers");
    await stopped;
    await session.detach();
  }

  /** Lets the alarm ring that wakes the background. */
  async ringAlarm(): Promise<void> {
    await this.options.evaluate((name) => chrome.alarms.create(name, { when: Date.now() }), ALARM);
  }

  /** Resolves with the downloaded files once all are complete. */
  async downloads(): Promise<z.infer<typeof Download>[]> {
    const search = async () => z.array(Download).parse(await this.options.evaluate(() => chrome.downloads.search({})));
    await expect.poll(async () => (await search()).map(({ state }) => state)).toEqual(["complete"]);
    return await search();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #background(): Promise<Worker> {
    return this.context.serviceWorkers().at(-1) ?? (await this.context.waitForEvent("serviceworker"));
  }
}
