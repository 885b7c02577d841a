import { afterAll, expect, it, vi } from "vitest";
import { parseHostList } from "../../common/hosts.ts";
import { hostRule } from "../../common/links/host-rule.ts";
import { readLinks } from "../../common/links/read-links.ts";
import { en } from "./texts/en.ts";

const ID = "dQw4w9WgXcQ";
const accepts = hostRule(parseHostList("youtube.com,youtu.be"));
const settings = { server: "https://tapedeck.example", token: "secret", format: "mp3" };
const kept: Record<string, unknown> = {};
const area = {
  get: () => Promise.resolve({ settings }),
  set: (items: object) => Promise.resolve(void Object.assign(kept, items)),
};
let asked: Record<string, unknown>[] = [];

vi.stubGlobal("chrome", { storage: { local: area, session: area } });
vi.stubGlobal("fetch", (_address: string, { body }: { readonly body: string }) => {
  asked.push(JSON.parse(body));
  return Promise.resolve(new Response(JSON.stringify({ code: "private", message: "It is private." }), { status: 422 }));
});
afterAll(() => void vi.unstubAllGlobals());
// It takes the browser's interface as soon as it is loaded.
const { Converter } = await import("./converter.ts");
const { StateStore } = await import("./state-store.ts");

async function press(url: string): Promise<void> {
  const failed = Promise.withResolvers<void>();
  const store = new StateStore(({ conversions }) => {
    if (conversions.some(({ phase }) => phase === "failed")) failed.resolve();
    return Promise.resolve();
  });
  asked = [];
  await new Converter(store, en).press({ url });
  await failed.promise;
}

it.each([
  ["the site for phones", `https://m.youtube.com/watch?v=${ID}&pp=ygUE`],
  ["YouTube Music", `https://music.youtube.com/watch?v=${ID}&list=RDAMVM${ID}`],
  ["a Short", `https://www.youtube.com/shorts/${ID}`],
  ["a mix", `https://www.youtube.com/watch?v=${ID}&list=RD${ID}&start_radio=1&index=2`],
  ["a stream of a channel", `https://www.youtube.com/@somebody/live/${ID}`],
])("the button converts the video alone of %s", async (_, page) => {
  await press(page);
  expect(asked).toEqual([{ youtubeUrl: page, format: "mp3" }]);
  expect(readLinks(page, accepts).links.map(({ kind, url }) => [kind, url])).toEqual([
    ["video", `https://www.youtube.com/watch?v=${ID}`],
  ]);
});

it.each(["about:blank", "chrome://settings/", "file:///home/ann/a.mp4"])(
  "tells nobody of the page %s",
  async (page) => {
    await press(page);
    expect(asked).toEqual([]);
  },
);
