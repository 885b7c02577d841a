/** Pages of the YouTube-shaped site, with the data that yt-dlp reads from them. */
import type { Player } from "./player-script.ts";

export const WEB_VERSION = "2.20261101.00.00";

/** Path of the player's script. */
export function scriptPath({ version }: Player): string {
  return `/s/player/${version}/player_ias.vflset/en_US/base.js`;
}

/** Who reads a page. */
export interface PageVisit {
  readonly clientName?: string;
  readonly clientNumber?: number;
  readonly isSignedIn?: boolean;
}

/** The configuration that pages carry for the client of the browser. */
export function pageConfig(
  player: Player,
  { clientName = "WEB", clientNumber = 1, isSignedIn = false }: PageVisit = {},
): Record<string, unknown> {
  return {
    ...(isSignedIn ? { LOGGED_IN: true, DATASYNC_ID: "100000000000000000001||", SESSION_INDEX: "0" } : {}),
    INNERTUBE_CONTEXT: {
      client: { clientName, clientVersion: WEB_VERSION, hl: "en", gl: "US", visitorData: "CgtUYXBlZGVjaw%3D%3D" },
    },
    INNERTUBE_CONTEXT_CLIENT_NAME: clientNumber,
    INNERTUBE_CLIENT_VERSION: WEB_VERSION,
    STS: player.signatureTimestamp,
    PLAYER_JS_URL: scriptPath(player),
  };
}

function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** @returns the HTML of a page with the configuration alone */
export function configPage(config: Record<string, unknown>): string {
  return `<!doctype html><html><head><script>ytcfg.set(${inScript(config)});</script></head><body></body></html>`;
}

/** @returns the HTML of `/watch` */
export function watchPage(player: Player, response: Record<string, unknown>, isSignedIn: boolean): string {
  const data = { contents: { twoColumnWatchNextResults: {} }, currentVideoEndpoint: {} };
  return `<!doctype html><html><head><title>YouTube</title>
<script>ytcfg.set(${inScript(pageConfig(player, { isSignedIn }))});</script>
<script>var ytInitialPlayerResponse = ${inScript(response)};</script>
<script>var ytInitialData = ${inScript(data)};</script></head><body></body></html>`;
}

/** @returns the data of the page of a clip, in milliseconds of its video */
export function clipData(videoId: string, startMs: number, endMs: number): Record<string, unknown> {
  const loop = { loopCommand: { startTimeMs: String(startMs), endTimeMs: String(endMs) } };
  const command = { commandExecutorCommand: { commands: [loop] } };
  const popup = { notificationActionRenderer: { actionButton: { buttonRenderer: { command } } } };
  const onScrubExit = { commandExecutorCommand: { commands: [{ openPopupAction: { popup } }] } };
  const contents = [{ clipAttributionRenderer: { onScrubExit } }];
  return {
    currentVideoEndpoint: { watchEndpoint: { videoId } },
    engagementPanels: [{ engagementPanelSectionListRenderer: { content: { clipSectionRenderer: { contents } } } }],
  };
}

/** @returns the HTML of the page of a clip, whose data stands in a variable */
export function clipPage(player: Player, data: Record<string, unknown>): string {
  return `<!doctype html><html><head><script>ytcfg.set(${inScript(pageConfig(player))});</script>
<script>var ytInitialData = ${inScript(data)};</script></head><body></body></html>`;
}

/**
 * @param element id of the element that has the data
 * @returns the HTML of the page of a list, as of October 2026
 */
export function listPage(player: Player, data: Record<string, unknown>, element: string): string {
  return `<!doctype html><html><head><script>ytcfg.set(${inScript(pageConfig(player))});</script>
<script id="${element}" type="application/json">${inScript(data)}</script></head><body></body></html>`;
}
