import { describe, expect, it } from "vitest";
import { parseHostList } from "../hosts.ts";
import { hostRule } from "./host-rule.ts";
import { isPlainLink } from "./plain-link.ts";
import { readLinks } from "./read-links.ts";

const accepts = hostRule(parseHostList("youtube.com,youtu.be,video.example,localhost:8090"));
const ID = "dQw4w9WgXcQ";
const OTHER_ID = "aqz-KE-bpKQ";
const SHORT = `https://youtu.be/${ID}`;
const WATCH = `https://www.youtube.com/watch?v=${ID}`;
const LIST = "https://www.youtube.com/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf";
const CHANNEL = "UC2_KI6RB__jGdlnK6dvFEZA";
const urlsIn = (text: string) => readLinks(text, accepts).links.map(({ url }) => url);
const encoded = (text: string) => encodeURIComponent(text);

describe("a video of a post", () => {
  it.each([
    ["https://video.example/post/7?utm_source=x#video=2", "https://video.example/post/7#video=2"],
    ["(see https://video.example/post/7#video=12).", "https://video.example/post/7#video=12"],
    ["https://video.example/post/7#video=0", "https://video.example/post/7"],
    ["https://video.example/post/7#video=2&x", "https://video.example/post/7"],
    ["https://video.example/post/7#__youtubedl_smuggle=%7B%7D", "https://video.example/post/7"],
    [`${SHORT}#video=2`, WATCH],
  ])("%s is %s", (text, url) => {
    expect(urlsIn(text)).toEqual([url]);
  });
});

describe("readLinks finds the one video", () => {
  it.each([
    // Among words and lines.
    `Check this out: ${SHORT} via @app`,
    `Some title ${SHORT}`,
    `Rain on a roof\n\n${SHORT}?si=AbCd\n\nSent from my phone`,
    `Found on YouTube.com: ${SHORT}`,
    `youtube.com/@somebody: "Song" ${SHORT}`,
    `Title:${SHORT}`,
    `YouTube:${SHORT}`,
    `見て${SHORT}よ`,
    `🎵${SHORT}🎵`,
    `and/or 1.5/2 ${SHORT}`,
    `https://play.example/app ${SHORT}`,
    `00:00 Intro 1/2\n${SHORT}`,
    // With marks around it, of every script.
    `(${SHORT})`,
    `«${SHORT}»`,
    `「${SHORT}」`,
    `（${SHORT}）`,
    `${SHORT}।`,
    `${SHORT}؟`,
    `${SHORT}。よい`,
    `${SHORT}，`,
    `${SHORT}…`,
    `'${SHORT}'`,
    `\`${SHORT}\``,
    `*${SHORT}*`,
    `_${SHORT}_`,
    `||${SHORT}||`,
    `~~youtu.be/${ID}~~`,
    // Of mark-up and programs.
    `[Song](${SHORT})`,
    `[Song](<${SHORT}> "title")`,
    `<${SHORT}>`,
    `<${SHORT}|Song>`,
    `[url=${SHORT}]Song[/url]`,
    `[[${SHORT}][Song]]`,
    `\\href{${SHORT}}{Song}`,
    `<iframe width="560" src="https://www.youtube.com/embed/${ID}?si=x" title="YouTube video player"></iframe>`,
    `<a href='${SHORT}'>Song</a>`,
    `<a href=//youtu.be/${ID}>Song</a>`,
    `&lt;a href=&quot;${SHORT}&quot;&gt;`,
    `<lite-youtube videoid="${ID}"></lite-youtube>`,
    `{% youtube ${ID} %}`,
    `{{< youtube ${ID} >}}`,
    `[youtube]${ID}[/youtube]`,
    `[youtube=${ID}]`,
    `[![Song](https://img.youtube.com/vi/${ID}/0.jpg)](${WATCH} "Song")`,
    `<meta http-equiv="refresh" content="0;url=${WATCH}">`,
    `[InternetShortcut]\nURL=${WATCH}`,
    `MEBKM:TITLE:Song;URL:https\\://youtu.be/${ID};;`,
    `{"url":"https:\\/\\/youtu.be\\/${ID}","next":"https:\\/\\/example.com"}`,
    `"https://www.youtube.com/watch?feature=x\\u0026v=${ID}"`,
    `${SHORT};1;2`,
    // With marks that cannot be seen.
    `${SHORT}\u200b`,
    `${SHORT}\u200f`,
    `${SHORT}\u2060`,
    `\u200e${SHORT}`,
    `\u2068${SHORT}\u2069`,
    `\ufffc${SHORT}`,
    `${SHORT}%E2%80%8B`,
    `${SHORT}&#8203;`,
    `https://www.you\u00adtube.com/watch?v=${ID}`,
    `https://youtu.be/dQw4w\u200b9WgXcQ`,
    // With something stuck to the id.
    `https://m.youtube.com/watch?v=${ID})`,
    `${WATCH}]`,
    `${WATCH}-`,
    `${SHORT})hello`,
    `https://www.youtube.com/shorts/${ID}hi`,
    `${SHORT}*`,
    `${SHORT}\\n`,
    `${SHORT}//asdasd//`,
    `https://youtu.be/${ID}https://youtu.be/${ID}`,
    // With ? and & in the wrong place.
    `${SHORT}&feature=channel`,
    `https://www.youtube.com/shorts/${ID}&si=x`,
    `${WATCH}?si=abc`,
    `https://www.youtube.com/watch&v=${ID}`,
    `https://www.youtube.com/watch??v=${ID}`,
    `https://www.youtube.com/watch?feature=player_embedded&amp;amp;v=${ID}`,
    `https://www.youtube.com/watch?feature=share&amp;v=${ID}`,
    `https://www.youtube.com/watch?feature=share&#38;v=${ID}`,
    `https://www.youtube.com/watch%3Fv%3D${ID}`,
    `https://www.youtube.com/watch？v＝${ID}`,
    // Broken by mail, shells and keyboards.
    `https://www.youtube.com/watch?v=3D${ID}&t=3D30`,
    `https://www.youtube.com/watch?v=3DdQw4w=\r\n9WgXcQ`,
    `https://www.youtube.com/watch?\nv=${ID}`,
    `https://www.youtube.com/watch?v=\n${ID}`,
    `https://youtu.be/ ${ID}`,
    `https:// youtu.be/${ID}`,
    `${SHORT}\\?si\\=x`,
    `https://www.youtube.com/watch\\?v\\=${ID}\\&t\\=4`,
    `https://www.youtube.com/watch?v^=${ID}^&t^=3`,
    `https://www.youtube.com/watch\`?v=${ID}\`&list=PLx`,
    `https://youtu. be/${ID}`,
    `https://www.youtube. com/watch?v=${ID}`,
    `> https://www.youtube.com/watch?\n> v=${ID}`,
    `> > https://www.youtube.com/watch?v=\r\n> > ${ID}`,
    `https//youtu.be/${ID}`,
    `ttps://youtu.be/${ID}`,
    `htp://youtu.be/${ID}`,
    `https:youtu.be/${ID}`,
    `https:/youtu.be/${ID}`,
    `https:///youtu.be/${ID}`,
    `hxxps://youtu.be/${ID}`,
    `//youtu.be/${ID}`,
    `http://https://youtu.be/${ID}`,
    `https:https://youtu.be/${ID}`,
    `https：//youtu.be/${ID}`,
    `ｈｔｔｐｓ：／／ｙｏｕｔｕ．ｂｅ／${ID}`,
    encoded(SHORT),
    encoded(encoded(WATCH)),
    // At other places of YouTube, old and new.
    `youtu.be/${ID}`,
    `/watch?v=${ID}`,
    `https://youtu.be/watch?v=${ID}`,
    `https://youtu.be/shorts/${ID}`,
    `https://www.youtube.com/?v=${ID}`,
    `https://m.youtube.com/#/watch?v=${ID}`,
    `https://www.youtube.com/tv#/watch?v=${ID}`,
    `https://www.youtube.com/live_chat?v=${ID}`,
    `https://www.youtube.com/watch_popup?v=${ID}`,
    `https://studio.youtube.com/video/${ID}/edit`,
    `https://www.youtubekids.com/watch?v=${ID}`,
    `https://yewtu.be/watch?v=${ID}`,
    `https://redirect.invidious.io/${ID}`,
    `https://y2u.be/${ID}`,
    `https://invidious.example/watch?v=${ID}`,
    `https://www.youtube.com/Shorts/${ID}`,
    `https://www.youtube.com/watch?v==${ID}`,
    `https://www.youtube.com/watch?v=${ID}&feature=youtu.be`,
    `https://www.youtube.com/\nwatch?v=${ID}`,
    `x-safari-https://youtu.be/${ID}`,
    `https://i.ytimg.com/vi/${ID}/hqdefault.jpg`,
    `https://img.youtube.com/vi_webp/${ID}/0.webp`,
    `vnd.youtube:${ID}`,
    `vnd.youtube://${ID}`,
    `vnd.youtube://www.youtube.com/watch?v=${ID}`,
    `vnd.youtube.launch:${ID}`,
    `youtube://watch?v=${ID}`,
    `intent://www.youtube.com/watch?v=${ID}#Intent;package=com.google.android.youtube;scheme=https;end`,
    `android-app://com.google.android.youtube/http/www.youtube.com/watch?v=${ID}`,
    // Behind pages that lead on.
    `http://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D${ID}%26feature%3Dshare`,
    `https://www.youtube.com/redirect?event=video_description&q=${encoded(SHORT)}`,
    `https://www.youtube.com/oembed?format=json&url=${encoded(WATCH)}`,
    `https://consent.youtube.com/m?continue=${encoded(WATCH)}&gl=DE`,
    `https://accounts.google.com/ServiceLogin?continue=${encoded(`https://www.youtube.com/signin?next=${encoded(`/watch?v=${ID}`)}`)}`,
    `https://www.google.com/url?sa=t&url=${encoded(WATCH)}&usg=x`,
    `https://www.google.cz/url?q=${WATCH}`,
    `https://www.google.com/amp/s/www.youtube.com/watch?v=${ID}`,
    `https://www.google.com/sorry/index?continue=${encoded(WATCH)}&q=x`,
    `https://wa.me/?text=${encoded(`Look: ${SHORT} !`)}`,
    `https://twitter.com/intent/tweet?text=x&url=${encoded(SHORT)}`,
    `https://l.facebook.com/l.php?u=${encoded(`${SHORT}?fbclid=x`)}&h=AT`,
    `https://l.instagram.com/?u=${encoded(SHORT)}&e=x`,
    `https://eur01.safelinks.protection.outlook.com/?url=${encoded(SHORT)}&data=x`,
    `https://duckduckgo.com/l/?uddg=${encoded(SHORT)}`,
    `https://t.me/share/url?url=${encoded(SHORT)}`,
    `https://yandex.ru/clck/jsredir?from=x&url=${encoded(WATCH)}`,
    `https://link.zhihu.com/?target=${encoded(SHORT)}`,
    `https://href.li/?${WATCH}`,
    `https://r.search.yahoo.com/_ylt=x/RV=2/RU=${encoded(WATCH)}/RK=2/RS=x-`,
    `https://web.archive.org/web/20200101000000/${WATCH}`,
    `whatsapp://send?text=${encoded(`Look: ${SHORT}`)}`,
  ])("in %j", (text) => expect(urlsIn(text)).toEqual([WATCH]));
});

describe("readLinks finds several links", () => {
  const BOTH = [WATCH, `https://www.youtube.com/watch?v=${OTHER_ID}`];

  it.each([
    `${SHORT} https://youtu.be/${OTHER_ID}`,
    `${SHORT},https://youtu.be/${OTHER_ID}`,
    `${SHORT}|https://youtu.be/${OTHER_ID}`,
    `${SHORT}https://youtu.be/${OTHER_ID}`,
    `youtu.be/${ID},youtu.be/${OTHER_ID}`,
    `First ${SHORT}, then (https://youtu.be/${OTHER_ID}), and ${SHORT} again`,
    `1. ${SHORT}\n2. https://youtu.be/${OTHER_ID}\nhttps://example.com/x`,
    // Lists that exist in the address only.
    `https://www.youtube.com/watch_videos?video_ids=${ID},${OTHER_ID}`,
    `https://www.youtube.com/watch_videos?title=Mine&video_ids=${ID}%2C${OTHER_ID}%2C${ID})`,
    `Look: https://m.youtube.com/watch_videos?video_ids=${ID},${OTHER_ID},N_708QY7…`,
    `https://www.google.com/url?q=${encoded(`https://www.youtube.com/watch_videos?video_ids=${ID},${OTHER_ID}`)}`,
    `https://www.youtube.com/embed/?playlist=${ID},${OTHER_ID}&autoplay=1`,
    `https://www.youtube.com/embed/videoseries?playlist=${ID},${OTHER_ID}`,
  ])("in %j", (text) => expect(urlsIn(text)).toEqual(BOTH));

  it("but of a player that shows one video first, that one", () =>
    expect(urlsIn(`https://www.youtube.com/embed/${ID}?playlist=${ID},${OTHER_ID}`)).toEqual([WATCH]));

  it.each([
    [`${SHORT} from ${SHORT}?t=30 on`, 30],
    [`${SHORT}?t=30 ${WATCH}&t=30 ${SHORT}`, 30],
    [`First ${SHORT}?t=30, then ${SHORT}?t=90, then ${SHORT}?t=30`, undefined],
  ])("and where the one video in %j begins: %j", (text, startSeconds) => {
    expect(readLinks(text, accepts).links).toMatchObject([{ url: WATCH, startSeconds }]);
    expect(readLinks(readLinks(text, accepts).links[0]?.text ?? "", accepts).links).toMatchObject([{ startSeconds }]);
  });

  it("leaves out channels and start pages beside a video", () => {
    expect(urlsIn(`https://video.example/ youtube.com/@me ${LIST} ${SHORT}`)).toEqual([LIST, WATCH]);
    expect(urlsIn("https://video.example/ youtube.com/@me")).toHaveLength(2);
  });
});

describe("readLinks tells", () => {
  it.each([
    [SHORT, "video"],
    [LIST, "list"],
    ["https://www.youtube.com/hashtag/cats", "list"],
    ["https://www.youtube.com/clip/UgkxAbCdEf", "clip"],
    ["look at https://www.youtube.com/clip/UgkxAbCdEf.", "clip"],
    ["https://www.youtube.com/playlist?list=OLAK5uy_lXjQ8pTRX4o1sDMNvmAT2ea4VZoF0VqHg", "list"],
    ["https://www.youtube.com/playlist?list=UU2_KI6RB__jGdlnK6dvFEZA", "list"],
    ["https://www.youtube.com/playlist?list=UUSH2_KI6RB__jGdlnK6dvFEZA", "list"],
    ["https://www.youtube.com/playlist?list=UULF2_KI6RB__jGdlnK6dvFEZA", "list"],
    ["https://www.youtube.com/playlist?list=UULV2_KI6RB__jGdlnK6dvFEZA", "list"],
    ["https://music.youtube.com/playlist?list=VLPLrAXtmErZgOeiKm4sgNOknGvNjby9efdf", "list"],
    ["https://www.youtube.com/view_play_list?p=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf", "list"],
    ["https://www.youtube.com/playlist?p=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf", "list"],
    ["https://www.youtube.com/embed?listType=user_uploads&list=somebody", "channel"],
    ["https://www.youtube.com/@somebody/shorts", "channel"],
    [`https://www.youtube.com/embed/${ID}?clip=UgkxAbCdEf&clipt=EMa`, "clip"],
    ["https://www.youtube.com/@somebody/videos", "channel"],
    [`https://www.youtube.com/channel/${CHANNEL}`, "channel"],
    ["https://video.example/film.mp4", "page"],
  ])("what %j is: %s", (text, kind) => expect(readLinks(text, accepts).links).toMatchObject([{ kind }]));

  it.each([
    [`${SHORT}&t=30`, 30],
    [`${SHORT}?t=1m30s)`, 90],
    [`${WATCH}&amp;t=30`, 30],
    [`https://www.youtube.com/embed/${ID}?start=75`, 75],
    [`${WATCH}#t=1:05`, 65],
    [`vnd.youtube:${ID}?t=12`, 12],
    [`https://www.google.com/url?q=${encoded(`${WATCH}&t=9s`)}`, 9],
    ["https://video.example/film.mp4#t=10.5,20", 10.5],
    [SHORT, undefined],
  ])("where %j begins: %j", (text, startSeconds) =>
    expect(readLinks(text, accepts).links).toMatchObject([{ startSeconds }]),
  );

  it.each([
    "https://www.youtube.com/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9ef__",
    "https://www.youtube.com/clip/UgkxAbCdEf_",
    "https://video.example/a_",
  ])("the id %s with its last underscore, also where others are around it", (link) => {
    for (const text of [link, `*${link}*`, `_${link}_`, `__${link}__,`, `(_${link}_).`])
      expect(urlsIn(text)).toEqual([link]);
  });

  it.each([
    LIST,
    "https://www.youtube.com/playlist?list=PL0123456789ABCDEF",
    `https://www.youtube.com/playlist?list=UU${CHANNEL.slice(2)}`,
    "https://www.youtube.com/playlist?list=OLAK5uy_lXjQ8pTRX4o1sDMNvmAT2ea4VZoF0VqHg",
    "https://www.youtube.com/clip/UgkxVpRmAbTWX7kGgGpbXeTVPXmZpuXLqsx3",
  ])("that %s is whole where a sentence trails off, and where mail breaks it", (link) => {
    const broken = `${link.slice(0, -5)}\r\n> ${link.slice(-5)}`;
    for (const text of [`${link}…`, `Look at ${link}...`, `${broken} and more`]) expect(urlsIn(text)).toEqual([link]);
  });

  it("that a list beside a video is cut off", () =>
    expect(readLinks(`${WATCH}&list=PLrAXtmE…`, accepts).links).toMatchObject([{ url: WATCH, list: undefined }]));

  it("a list under the name that pages inside YouTube give it", () =>
    expect(urlsIn(LIST.replace("list=", "list=VL"))).toEqual([LIST]));

  it("the list beside a video, and why it cannot be opened", () => {
    const listsOf = (text: string) => readLinks(text, accepts).links.map(({ list }) => list);
    expect(listsOf(`${SHORT}?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf).`)).toEqual([LIST]);
    expect(listsOf(`${WATCH}&list=RD${ID}&start_radio=1`)).toEqual([{ code: "invalid_link", reason: "mix" }]);
    expect(listsOf(`${WATCH}&list=WL`)).toEqual([{ code: "private", reason: "own_list" }]);
    expect(listsOf("https://music.youtube.com/playlist?list=RDCLAK5uy_k")).toHaveLength(1);
  });

  it("what to show: a whole link as it stands, another one mended, with its moment and list", () => {
    const textsOf = (text: string) => readLinks(text, accepts).links.map((link) => link.text);
    expect(textsOf(`Look: ${SHORT}?t=5.`)).toEqual([`${SHORT}?t=5`]);
    expect(textsOf(`https://www.youtube.com/embed/${ID}?start=1m&list=PLaaaaaaaa`)).toEqual([
      `${WATCH}&list=PLaaaaaaaa&t=60`,
    ]);
    expect(textsOf("(https://video.example/a_(b).mp4)")).toEqual(["https://video.example/a_(b).mp4"]);
  });
});

describe("readLinks ends a link of another site where a text goes on", () => {
  it.each([
    ["https://video.example/a, and more", "https://video.example/a"],
    ["(see https://video.example/a)", "https://video.example/a"],
    ["[Film](https://video.example/a_(b))", "https://video.example/a_(b)"],
    ["https://video.example/a。よい", "https://video.example/a"],
    ["https://video.example/モーニング娘。", `https://video.example/${encoded("モーニング娘。")}`],
    ["https://video.example/a%E2%80%8B", "https://video.example/a"],
    ["https://video.example/?u=//cdn.example/x", "https://video.example/?u=//cdn.example/x"],
    ["https://video.example/?u=https://video.example/b", "https://video.example/?u=https://video.example/b"],
    ["http://localhost:8090/watch/rain?1", "http://localhost:8090/watch/rain?1"],
    ["localhost:8090/watch/rain", "https://localhost:8090/watch/rain"],
  ])("in %j: %j", (text, url) => expect(urlsIn(text)).toEqual([url]));
});

describe("readLinks where any host is accepted", () => {
  const anyIn = (text: string) => readLinks(text, hostRule(parseHostList("any"))).links.map(({ url }) => url);

  it.each([
    ["Look (https://vimeo.com/1)!", ["https://vimeo.com/1"]],
    ["soundcloud.com/a/b and youtu.be/dQw4w9WgXcQ", ["https://soundcloud.com/a/b", WATCH]],
    ["one https://a.example/1\nhttps://b.example/2", ["https://a.example/1", "https://b.example/2"]],
    [`https://urldefense.com/v3/__${WATCH}__;!!abc!def$`, [WATCH]],
    ["this and/or that, mp3/mp4, v2.0/beta, 1.5/2, 24/7", []],
    ["http://router/1 http://a..example/1 http://127.0.0.1/1 http://[::1]/1 https://a.example:8080/1", []],
  ])("finds in %j: %j", (text, found) => expect(anyIn(text)).toEqual(found));
});

describe("readLinks refuses", () => {
  it.each([
    ["https://www.youtube.com/watch?v=N_708QY7Ob", "invalid_link", "link_cut_off"],
    ["https://youtu.be/dQw4w…", "invalid_link", "link_cut_off"],
    ["https://www.youtube.com/wat...", "invalid_link", "link_cut_off"],
    ["https://www.youtube.com/watch?feature=x", "invalid_link", "link_cut_off"],
    ["https://www.youtube.com/clip/Ugk…", "invalid_link", "link_cut_off"],
    ["https://www.youtube.com/watch_videos?video_ids=dQw4w9", "invalid_link", "link_cut_off"],
    ["https://www.youtube.com/watch_videos?title=x", "invalid_link", "link_cut_off"],
    [`https://evil.example/watch_videos?video_ids=${ID},${OTHER_ID}`, "unsupported_host", undefined],
    [`https://www.youtube.com/playlist?list=RD${ID}`, "invalid_link", "mix"],
    ["https://www.youtube.com/playlist?list=RDMM", "invalid_link", "mix"],
    ["https://www.youtube.com/playlist?list=WL", "private", "own_list"],
    ["https://www.youtube.com/playlist?list=", "invalid_link", "link_cut_off"],
    ["https://www.youtube.com/playlist?list=P", "invalid_link", "link_cut_off"],
    ["https://www.youtube.com/playlist?list=PLrAXtmE…", "invalid_link", "link_cut_off"],
    [LIST.replace("efdf", "..."), "invalid_link", "link_cut_off"],
    ["https://www.youtube.com/clip/UgkxAbCdEf…", "invalid_link", "link_cut_off"],
    [`https://www.youtube.com/embed/live_stream?channel=${CHANNEL}`, "live", "live_embed"],
    ["https://www.youtube.com/results?search_query=cats", "invalid_link", "search_page"],
    ["https://music.youtube.com/search?q=cats", "invalid_link", "search_page"],
    ["https://www.youtube.com/embed?listType=search&list=cats", "invalid_link", "search_page"],
    ["https://www.google.de/search?q=cats", "invalid_link", "search_page"],
    ["https://duckduckgo.com/?q=cats", "invalid_link", "search_page"],
    ["https://duckduckgo.com/about", "unsupported_host", undefined],
    ["https://www.youtube.com/activate", "invalid_link", "no_video_page"],
    ["https://www.youtube.com/tv", "invalid_link", "no_video_page"],
    [`https://www.youtube.com/source/${ID}/shorts`, "invalid_link", "no_video_page"],
    ["https://www.youtube.com/post/Ugkx", "invalid_link", "no_video_page"],
    ["https://www.youtube.com/feed/trending", "invalid_link", "no_video_page"],
    ["https://www.youtube.com/podcasts", "invalid_link", "no_video_page"],
    ["https://www.youtube.com/", "invalid_link", "no_video_page"],
    [`https://www.youtube.com/${"a".repeat(2_048)}`, "invalid_link", undefined],
    [`https://video.example/${"a".repeat(2_048)}`, "invalid_link", undefined],
    [`https://www.youtube.com/redirect?q=${encoded("https://evil.example/")}`, "unsupported_host", undefined],
    [`https://www.google.com/url?q=${encoded(`https://evil.example/?${WATCH}`)}`, "unsupported_host", undefined],
    [`https://web.archive.org/web/2020/https://evil.example/${ID}?u=${SHORT}`, "unsupported_host", undefined],
    [`https://r.search.yahoo.com/_ylt=x/RU=${encoded("https://evil.example/")}/RK=2`, "unsupported_host", undefined],
    [`https://href.li/?https://evil.example/?${WATCH}`, "unsupported_host", undefined],
    [`intent://evil.example/watch?v=${ID}#Intent;scheme=https;end`, "unsupported_host", undefined],
    [`vnd.youtube://evil.example/watch?v=${ID}`, "unsupported_host", undefined],
    [`https://evil.example/${ID}?u=${SHORT}`, "unsupported_host", undefined],
    ["evil.example/youtu.be", "unsupported_host", undefined],
    [`https://.youtu.be/${ID}`, "unsupported_host", undefined],
    [`https://a..youtube.com/watch?v=${ID}`, "unsupported_host", undefined],
  ])("%j: %s, %s", (text, code, reason) =>
    expect(readLinks(text, accepts)).toMatchObject({ links: [], refusals: [{ code, reason }] }),
  );

  it("an address with its text, which the visitor can correct", () => {
    expect(readLinks("look: example.com/x!", accepts).refusals).toMatchObject([{ text: "https://example.com/x" }]);
  });

  it.each(["", "cats", "youtube.com", `view-source:${WATCH}`, `ftp://youtu.be/${ID}`, "ytsearch:cats", "a/b"])(
    "to see a link in %j",
    (text) => expect(readLinks(text, accepts)).toEqual({ links: [], refusals: [] }),
  );
});

it.each([SHORT, `${WATCH}&list=PLx&index=2`, `https://www.youtube.com/shorts/${ID}?feature=share`])(
  "shows the undamaged link %j as it is",
  (text) => {
    expect(isPlainLink(text)).toBe(true);
    expect(readLinks(text, accepts).links).toMatchObject([{ text }]);
  },
);

it.each([`${WATCH}x`, `${SHORT}?si=x.`, `youtu.be/${ID}`])("sees the damage of %j", (text) => {
  expect(isPlainLink(text)).toBe(false);
});
