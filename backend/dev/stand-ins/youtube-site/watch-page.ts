/** Pages of the YouTube-shaped site, with the data that yt-dlp reads from them. */
import type { Player } from "./player-script.ts";

export const WEB_VERSION = "2.20261101.00.00";

/** Path of the player's script. */
export function scriptPath({ version }: Player): string {
  return `/s/player/${version}/player_ias.vflset/en_US/base.js`;
}

/** The configuration that pages carry for the client of the browser. */
export function pageConfig(player: Player, clientName = "WEB", clientNumber = 1): Record<string, unknown> {
  return {
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
export function watchPage(player: Player, response: Record<string, unknown>): string {
  const data = { contents: { twoColumnWatchNextResults: {} }, currentVideoEndpoint: {} };
  return `<!doctype html><html><head><title>YouTube</title>
<script>ytcfg.set(${inScript(pageConfig(player))});</script>
<script>var ytInitialPlayerResponse = ${inScript(response)};</script>
<script>var ytInitialData = ${inScript(data)};</script></head><body></body></html>`;
}

/** @returns the HTML of `/playlist` with these videos */
export function playlistPage(player: Player, title: string, videoIds: readonly string[]): string {
  const contents = videoIds.map((videoId, index) => ({
    playlistVideoRenderer: {
      videoId,
      title: { runs: [{ text: `Video ${index + 1}` }] },
      lengthSeconds: "12",
      isPlayable: true,
    },
  }));
  const list = { playlistVideoListRenderer: { contents } };
  const section = { sectionListRenderer: { contents: [{ itemSectionRenderer: { contents: [list] } }] } };
  const data = {
    metadata: { playlistMetadataRenderer: { title } },
    contents: { twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer: { selected: true, content: section } }] } },
  };
  return `<!doctype html><html><head><script>ytcfg.set(${inScript(pageConfig(player))});</script>
<script>var ytInitialData = ${inScript(data)};</script></head><body></body></html>`;
}
