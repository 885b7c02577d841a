import { expect, it } from "vitest";
import { MAX_LIST_ENTRIES } from "../../../common/lists.ts";
import { TIERS } from "../../../common/tiers.ts";
import { shown } from "../../../frontend/src/testing/shown-limits.ts";
import { withRows } from "./rendered-rows.ts";

it("the README states the limits of both tiers", async () => {
  const { free, pro } = shown;
  const height = (quality: string) => `up to ${quality.replace("p", " lines")}`;
  const ofChapters = (has: boolean) => (has ? "yes" : "no");
  const rows: readonly [string, string | number, string | number][] = [
    ["MP3", free.mp3, pro.mp3],
    ["MP4", height(free.mp4), height(pro.mp4)],
    ["Others", free.otherFormats, pro.otherFormats],
    ["One file per chapter", ofChapters(TIERS.free.hasChapterFiles), ofChapters(TIERS.pro.hasChapterFiles)],
    ["File", free.size, pro.size],
    ["Video", free.length, pro.length],
    ["Links at once", free.batch, `${pro.batch}; of a playlist ${MAX_LIST_ENTRIES.toLocaleString("en")}`],
    ["Kept", free.kept, pro.kept],
    ["Tokens", TIERS.free.maxTokens, TIERS.pro.maxTokens],
    ["Webhooks", TIERS.free.maxWebhooks, TIERS.pro.maxWebhooks],
    ["Followed playlists and channels", TIERS.free.maxFollows, TIERS.pro.maxFollows],
  ];
  const isRow = new RegExp(`^\\| (?:${rows.map(([name]) => name).join("|")}) \\|`);
  const lines = rows.map(([name, ofFree, ofPro]) => `| ${name} | ${ofFree} | ${ofPro} |`);
  const { path, text } = await withRows("README.md", isRow, lines);
  await expect(text).toMatchFileSnapshot(path);
});
