/** Texts as messengers, mail, notes, feeds, search pages and security software hand them over. */
import { describe, expect, it } from "vitest";
import { parseHostList } from "../hosts.ts";
import { hostRule } from "./host-rule.ts";
import { readLinks } from "./read-links.ts";

const accepts = hostRule(parseHostList("youtube.com,youtu.be"));
const ID = "dQw4w9WgXcQ";
const SHORT = `https://youtu.be/${ID}`;
const WATCH = `https://www.youtube.com/watch?v=${ID}`;
const encoded = (text: string) => encodeURIComponent(text);
const base64 = (text: string) => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const read = (text: string) => readLinks(text, accepts).links.map(({ url, startSeconds }) => [url, startSeconds]);

describe("the one video is found in", () => {
  it.each([
    ["WhatsApp's export", `[29/11/2026, 04:14:09] Anna: \u200e${SHORT}?si=a_b-c <This message was edited>`],
    ["a reply in Telegram", `Anna, [29.11.2026 04:14]\n[In reply to Bob]\n${WATCH}\n\n▶️ Song — YouTube`],
    ["Telegram's scheme", `tg://msg_url?url=${encoded(SHORT)}&text=Song`],
    ["Signal's quote", `"${SHORT}"\n— Anna, 04:14`],
    ["a message of Teams", `[04:14] Anna\nhttps://teams.microsoft.com/l/message/19:abc@thread.v2/1?context=x ${WATCH}`],
    [
      "a link of Teams",
      `https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=${encoded(WATCH)}`,
    ],
    ["Slack", `Anna  [4:14 AM]\n${SHORT} YouTube | Song (Official) https://www.youtube.com/@channel`],
    ["iMessage", `Song\u2028${SHORT}`],
    ["LINE", `https://social-plugins.line.me/lineit/share?url=${encoded(SHORT)}`],
    ["WeChat's warning", `https://weixin110.qq.com/cgi-bin/newredirectconfirmcgi?main_type=2&url=${encoded(WATCH)}`],
    ["QQ's warning", `https://c.pc.qq.com/middlem.html?pfurl=${encoded(WATCH)}`],
    ["forums that lead on", `https://link.juejin.cn/?target=${encoded(WATCH)}`],
    ["a mail link", `mailto:?subject=Song&body=${encoded(`Look ${SHORT}`)}`],
    ["an answered mail", `On Sun, Nov 29, 2026 Anna <anna@youtube.com> wrote:\n> have you seen\n> ${WATCH}?`],
    ["mail that breaks an id", `Have you seen this one already, from the concert: https://youtu.be/dQw4w9W\ngXcQ`],
    [
      "answered mail that breaks it",
      `> have you seen this: https://www.youtube.com/watch?app=desktop&v=dQ\r\n> w4w9WgXcQ`,
    ],
    ["Proofpoint", `https://urldefense.proofpoint.com/v2/url?u=https-3A__www.youtube.com_watch-3Fv-3D${ID}&d=DwMFaQ`],
    ["Proofpoint 3", `https://urldefense.com/v3/__${WATCH}__;!!abc!def$`],
    ["Barracuda", `https://linkprotect.cudasvc.com/url?a=${encoded(WATCH)}&c=E,1,x&typo=1`],
    ["security mail", `hxxps[:]//youtu[.]be/${ID}`],
    ["a careful chat", `youtube(dot)com/watch?v=${ID}`],
    ["Org", `- [[yt:${ID}][Song]]`],
    ["MediaWiki", `{{YouTube|id=${ID}|title=Song}}`],
    ["AsciiDoc", `video::${ID}[youtube]`],
    ["Obsidian", `obsidian://new?name=Song&content=${encoded(SHORT)}`],
    ["Notion", `[${SHORT}](${SHORT})`],
    ["a block of WordPress", `<!-- wp:embed {"url":"${SHORT}","type":"video"} -->`],
    ["a feed's id", `<id>yt:video:${ID}</id>`],
    ["a feed's entry", `<yt:videoId>${ID}</yt:videoId><link rel="alternate" href="${WATCH}"/>`],
    ["a feed's media", `<media:content url="https://www.youtube.com/v/${ID}?version=3" type="x"/>`],
    ["Bing", `https://www.bing.com/ck/a?!&&p=x&u=a1${base64(WATCH)}&ntb=1`],
    ["Google's videos", `https://www.google.com/search?q=song&tbm=vid#fpstate=ive&vld=cid:1,vid:${ID},st:0`],
    ["a translated page", `https://www-youtube-com.translate.goog/watch?v=${ID}&_x_tr_sl=de`],
    ["an AMP cache", `https://www-youtube-com.cdn.ampproject.org/v/s/www.youtube.com/watch?v=${ID}`],
    ["a QR code in capitals", `HTTPS://YOUTU.BE/${ID}`],
    ["a QR code", `URLTO:${WATCH}`],
    ["Chinese", `看看这个视频${SHORT}，很好听！复制此链接，打开YouTube，直接观看视频！`],
    ["Arabic", `شاهد هذا الفيديو\u061c: \u2066${SHORT}\u2069، رائع`],
    ["Hindi", `इसे देखें: ${SHORT}।बहुत अच्छा`],
    ["Japanese", `「曲名」をYouTubeで見る→${SHORT}?si=abcから`],
    ["Korean", `이거봐${SHORT}임`],
    ["Thai", `ดูนี่${SHORT}นะ`],
    ["Greek", `Είδες ${SHORT}\u037e`],
    ["Amharic", `${SHORT}።`],
    ["Armenian", `${SHORT}։`],
    ["Khmer", `${SHORT}។`],
    ["hashtags", `#NowPlaying:${SHORT}#music #song`],
    ["a channel's video", `https://www.youtube.com/@somebody/video/${ID}`],
    ["a channel's Short", `https://www.youtube.com/@somebody/shorts/${ID}?si=x`],
    ["a channel's stream", `https://www.youtube.com/channel/UC2_KI6RB__jGdlnK6dvFEZA/live/${ID}`],
    ["the editor", `https://www.youtube.com/edit?o=U&video_id=${ID}`],
    ["a page with named entities", `https&colon;&sol;&sol;youtu&period;be&sol;${ID}`],
    ["an embed code", `<iframe loading=lazy src=https://www.youtube-nocookie.com/embed/${ID}?rel=0></iframe>`],
    ["a redirector, encoded twice", `https://www.google.com/url?q=${encoded(encoded(WATCH))}&sa=D`],
    ["an attribution link", `https://www.youtube.com/attribution_link?a=abc&u=${encoded(`/watch?v=${ID}&feature=x`)}`],
    ["a mobile page", `https://m.youtube.com/?app=desktop#/watch?v=${ID}`],
    ["a mirror", `https://inv.nadeko.net/watch?v=${ID}`],
    ["a log", `[youtube] Extracting URL: ${WATCH}`],
  ])("%s", (_, text) => expect(read(text)).toEqual([[WATCH, undefined]]));

  it.each([
    ["Obsidian", `![](${WATCH}#t=1m2s)`, 62],
    ["Org", `[[${SHORT}?t=62][Song @ 1:02]]`, 62],
    ["LaTeX", `\\url{https://www.youtube.com/watch?v=${ID}\\&t=30}`, 30],
    ["Slack", `<https://www.youtube.com/watch?v=${ID}&amp;t=30|youtube.com/watch?v=…>`, 30],
    ["a stream", `https://www.youtube.com/live/${ID}?si=abcdef&t=90`, 90],
    ["two question marks", `${SHORT}?si=abc?t=62`, 62],
  ])("%s, with its moment", (_, text, startSeconds) => expect(read(text)).toEqual([[WATCH, startSeconds]]));
});

describe("nothing is found in", () => {
  it.each([
    ["a short line that was cut off", "https://youtu.be/dQw4w9W\ngXcQ"],
    ["an unknown mirror", `https://tube.example/watch?v=${ID}`],
    ["Bing's link to another site", `https://www.bing.com/ck/a?!&&u=a1${base64(`https://evil.example/?${WATCH}`)}`],
    ["Bing's link that is broken", "https://www.bing.com/ck/a?!&&u=a1abcde"],
    ["Proofpoint's link to another site", "https://urldefense.proofpoint.com/v2/url?u=https-3A__evil.example_a&d=x"],
    ["a path of another site with brackets", "https://evil.example/youtu(.)be/x"],
    ["words in brackets", "see yt:information and (.) a[.]b"],
    ["the name of a file", `Song [${ID}].mp4`],
  ])("%s", (_, text) => expect(read(text)).toEqual([]));
});
