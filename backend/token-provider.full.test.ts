/** A server with a token provider, which yt-dlp reaches while it reads YouTube and at no other time. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Preview } from "../common/api.ts";
import { startTokenProvider } from "./dev/stand-ins/token-provider.ts";
import { startTestServer, type TestDevice } from "./dev/testing/test-server.ts";
import { testFolder } from "./dev/testing/test-folder.ts";

/** What a hostile extractor could do: it reads any site, and its title says whether it could connect to a port. */
const PLUGIN = `
import socket
from yt_dlp.extractor.common import InfoExtractor

class ReachingIE(InfoExtractor):
    _VALID_URL = r"https://(?:[^/]+)/watch"

    def _real_extract(self, url):
        try:
            socket.create_connection(("127.0.0.1", PORT), 5).close()
            title = "reached"
        except OSError:
            title = "not reached"
        formats = [{"url": "https://videos.example/clip.mp4", "vcodec": "h264", "acodec": "aac"}]
        return {"id": "one", "title": title, "formats": formats, "duration": 5}
`;

const resources = new AsyncDisposableStack();
let device: TestDevice;

beforeAll(async () => {
  const plugins = await testFolder();
  const { address } = resources.use(await startTokenProvider({ version: "2.0.1", certificate: "" }));
  const extractors = path.join(plugins, "reaching", "yt_dlp_plugins", "extractor");
  await mkdir(extractors, { recursive: true });
  await writeFile(path.join(extractors, "reaching.py"), PLUGIN.replace("PORT", new URL(address).port));
  const server = resources.use(
    await startTestServer({
      YOUTUBE_TOKEN_PROVIDER: address,
      YOUTUBE_PLUGINS_FOLDER: plugins,
      VIDEO_HOSTS: "youtube.com,videos.example,youtube.com.videos.example",
    }),
  );
  device = await server.newDevice();
});
afterAll(() => resources.disposeAsync());

it.each([
  ["reached for YouTube", "https://www.youtube.com/watch?v=aaaaaaaaaa1", "reached"],
  ["not reached for another site", "https://videos.example/watch", "not reached"],
  ["not reached for a site that begins like YouTube", "https://youtube.com.videos.example/watch", "not reached"],
])("the token provider is %s", async (_what, youtubeUrl, title) => {
  const answer = await device.call("POST", "/api/preview", { youtubeUrl });
  expect(Preview.parse(await answer.json()).title).toBe(title);
});
