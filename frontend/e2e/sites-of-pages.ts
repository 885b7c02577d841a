/**
 * Three sites on this machine: pages, media, and the plugin of yt-dlp that reads them. A server of its own takes their
 * links, because what pages say depends on which sites a server takes.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { linkSharedFolders } from "../../backend/dev/product/data-folder.ts";
import { startProduct } from "../../backend/dev/product/product.ts";
import { prepareToolsOfCheckout, type ToolPaths } from "../../backend/dev/setup/tools.ts";
import { listenOnLoopback } from "../../backend/dev/stand-ins/sample-site/listeners.ts";
import { PATIENT_SETTINGS } from "../../backend/dev/testing/patient-settings.ts";
import { writePlugin } from "../../backend/dev/testing/shape-site.ts";

/** The names lead nowhere: the extractors ask this machine, as those of sites ask for the data of a page. */
const EXTRACTORS = `
from yt_dlp.extractor.common import InfoExtractor


class OfPage(InfoExtractor):
    def _real_extract(self, url):
        page = self._download_webpage("ORIGIN" + self._search_regex(r"https://([^?#]+)", url, "page"), self._match_id(url))
        return self._search_json(r"<script>page =", page, "page", self._match_id(url))


class PostsIE(OfPage):
    _VALID_URL = r"https://posts\\.example/(?P<id>\\w+)"


class TonesIE(OfPage):
    _VALID_URL = r"https://tones\\.example/song/(?P<id>\\w+)"


class TonesAlbumIE(OfPage):
    _VALID_URL = r"https://tones\\.example/album/(?P<id>\\w+)"


class ReelsIE(OfPage):
    _VALID_URL = r"https://reels\\.example/(?P<id>\\w+)"
`;

const H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"];
const drawn = (size: string): string[] => ["-f", "lavfi", "-i", `testsrc2=s=${size}:r=25:d=3`];
const SOUND = ["-f", "lavfi", "-i", "sine=d=3"];

/** What a browser and the server get at each path. */
async function makeMedia(folder: string, { ffmpegPath }: ToolPaths): Promise<ReadonlyMap<string, Buffer>> {
  const files = {
    "wide.mp4": [...drawn("320x180"), ...SOUND, ...H264],
    "tall.mp4": [...drawn("360x640"), ...SOUND, ...H264],
    "song.m4a": [...SOUND, "-c:a", "aac"],
    "picture.jpg": [...drawn("640x360"), "-frames:v", "1"],
  };
  const made = Object.entries(files).map(async ([name, args]) => {
    const file = path.join(folder, name);
    await promisify(execFile)(ffmpegPath, ["-v", "error", "-nostdin", ...args, file]);
    return [`/${name}`, await readFile(file)] as const;
  });
  return new Map(await Promise.all(made));
}

/** A post that only people read. */
export const LONG_TEXT =
  `A walk by the sea before breakfast. ${"And then the dog found another stick. ".repeat(12)}`.trim();

/** @returns what the page at each path says */
function pagesOf(origin: string): ReadonlyMap<string, object> {
  const thumbnail = `${origin}/picture.jpg`;
  const video = (name: string) => ({ duration: 3, formats: [{ format_id: "1", url: `${origin}/${name}` }] });
  const song = (number: number) => ({
    id: `${number}`,
    title: `Song ${number}`,
    artist: "The Tones",
    thumbnail,
    webpage_url: `https://tones.example/song/${number}?utm_source=page`,
    ...video("song.m4a"),
    formats: [{ format_id: "1", url: `${origin}/song.m4a`, vcodec: "none", acodec: "mp4a.40.2", ext: "m4a" }],
  });
  return new Map<string, object>([
    [
      "/posts.example/p1",
      {
        _type: "playlist",
        id: "p1",
        title: "Three from the beach",
        entries: ["Waves", "Gulls", "Sand"].map((title, index) => ({
          id: `p1-${index}`,
          title,
          thumbnail,
          ...video("wide.mp4"),
        })),
      },
    ],
    [
      "/tones.example/album/a1",
      {
        _type: "playlist",
        id: "a1",
        title: "First Tones",
        album_artist: "The Tones",
        entries: [1, 2, 3].map((number) => ({
          _type: "url",
          url: `https://tones.example/song/${number}`,
          title: `Song ${number}`,
        })),
      },
    ],
    ...[1, 2, 3].map((number) => [`/tones.example/song/${number}`, song(number)] as const),
    ["/reels.example/r1", { id: "r1", title: LONG_TEXT, thumbnail, ...video("tall.mp4") }],
  ]);
}

export interface SitesOfPages extends AsyncDisposable {
  /** Of the server that takes links of the sites. */
  readonly origin: string;
  /** @returns what ffprobe finds in a file */
  readonly probe: (file: string, ...shown: readonly string[]) => Promise<unknown>;
}

export async function openSitesOfPages(): Promise<SitesOfPages> {
  await using opened = new AsyncDisposableStack();
  const tools = await prepareToolsOfCheckout(() => undefined);
  const folder = await mkdtemp(path.join(tmpdir(), "tapedeck-sites-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const media = await makeMedia(folder, tools);
  let pages: ReadonlyMap<string, object> = new Map();
  const site = await listenOnLoopback(0, ({ url = "" }, answer) => {
    const page = pages.get(url);
    if (page) answer.end(`<!doctype html><title>A page</title><script>page = ${JSON.stringify(page)}</script>`);
    else answer.writeHead(media.has(url) ? 200 : 404).end(media.get(url));
  });
  opened.defer(() => site.stop());
  const { port } = site;
  pages = pagesOf(`http://localhost:${port}`);
  const plugins = await writePlugin(folder, EXTRACTORS.replace("ORIGIN", `http://localhost:${port}/`));
  const server = await startProduct({
    dataDir: await linkSharedFolders(path.join(folder, "data")),
    tools,
    settings: { ...PATIENT_SETTINGS, previews: { pictureMs: 60_000 } },
    env: {
      VIDEO_HOSTS: `posts.example,tones.example,reels.example,localhost:${port}`,
      YOUTUBE_PLUGINS_FOLDER: plugins,
    },
  });
  opened.defer(() => server.stop());
  const rest = opened.move();
  return {
    origin: server.origin,
    async probe(file, ...shown) {
      const { stdout } = await promisify(execFile)(tools.ffprobePath, ["-v", "error", "-of", "json", ...shown, file]);
      return JSON.parse(stdout) as unknown;
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}
