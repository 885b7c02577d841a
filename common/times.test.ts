import { describe, expect, it } from "vitest";
import { LONGEST_SECONDS } from "./choices.ts";
import { formatTime, parseLink, parseTime, startOfLink } from "./times.ts";

describe("parseTime", () => {
  it.each([
    ["0", 0],
    ["95", 95],
    ["0:05", 5],
    ["1:35", 95],
    [" 1:02:03 ", 3_723],
    ["01:02:03", 3_723],
    ["90:00", 5_400],
    ["59:59.999", 3_599.999],
    ["1:02.5", 62.5],
    ["1:02,5", 62.5],
    ["1000:00:00", LONGEST_SECONDS],
    ["١:٠٢:٠٣", 3_723],
    ["۱:۰۲", 62],
    ["१:०२", 62],
    ["１：０２", 62],
    ["90s", 90],
    ["1m30s", 90],
    ["1m30", 90],
    ["1h2m3s", 3_723],
    ["1 h 2 min 3,5 sec", 3_723.5],
    ["2h", 7_200],
    ["\u200f1:35\u200e", 95],
    ["1 : 02 : 03", 3_723],
    ["1∶30", 90],
    ["1'30\"", 90],
    ["1′ 30″", 90],
    ["1hr 5min", 3_900],
    ["1 hour 5", 3_900],
    ["2 hours 3 minutes 4 seconds", 7_384],
    ["2 minutes", 120],
    ["1 Std. 2 Min. 3 Sek.", 3_723],
    ["1 Min 30 Sek", 90],
    ["1h30", 5_400],
  ])("reads %j as %d seconds", (text, seconds) => expect(parseTime(text)).toBe(seconds));

  it.each([
    "",
    "a",
    "-1",
    "1:60",
    "1:60:00",
    "1:2:3:4",
    ":30",
    "1:",
    "1:02.1234",
    "1e3",
    "1 2",
    "1s2m",
    "1: :2",
    "1 minus",
    "2 mice",
    "5 stones",
    "h",
    "1d",
    "1000:00:01",
    "1001h",
    "Infinity",
  ])("does not read %j", (text) => expect(parseTime(text)).toBeUndefined());
});

describe("formatTime", () => {
  it.each([
    [0, "0:00"],
    [5, "0:05"],
    [59.999, "0:59.999"],
    [59.999_9, "1:00"],
    [62.5, "1:02.5"],
    [3_599, "59:59"],
    [3_600, "1:00:00"],
    [3_723, "1:02:03"],
    [360_000, "100:00:00"],
  ])("writes %d seconds as %s", (seconds, text) => expect(formatTime(seconds)).toBe(text));

  it("writes what parseTime reads again", () => {
    for (const seconds of [0, 0.001, 1.1, 61.25, 3_661.007, LONGEST_SECONDS])
      expect(parseTime(formatTime(seconds))).toBe(seconds);
  });
});

describe("startOfLink", () => {
  it.each([
    ["https://youtu.be/abc?t=90", 90],
    ["https://youtu.be/abc?t=90s", 90],
    ["https://youtu.be/abc?si=x&t=1m30s", 90],
    ["https://www.youtube.com/watch?v=abc&t=1h2m3s", 3_723],
    ["https://www.youtube.com/watch?v=abc&t=2h", 7_200],
    ["https://www.youtube.com/watch?v=abc&t=1h3s", 3_603],
    ["https://www.youtube.com/embed/abc?start=75", 75],
    ["https://www.youtube.com/watch?v=abc&time_continue=12", 12],
    ["https://www.youtube.com/watch?v=abc#t=1m5s", 65],
    ["https://vimeo.com/1#t=65s", 65],
    ["https://example.com/film.mp4#t=10.5,20", 10.5],
    ["https://example.com/film.mp4#t=npt:1:30", 90],
    ["https://www.twitch.tv/videos/1?t=01h02m03s", 3_723],
    ["https://example.com/v?t=5#t=7", 7],
    ["https://example.com/v?t=&start=5", 5],
    [" https://youtu.be/abc?t=90 ", 90],
    ["youtu.be/abc?t=90", 90],
    ["localhost:8090/v?t=90", 90],
  ])("reads %j as %d seconds", (link, seconds) => expect(startOfLink(link)).toBe(seconds));

  it.each([
    "https://youtu.be/abc",
    "https://youtu.be/abc?t=0",
    "https://youtu.be/abc?t=",
    "https://youtu.be/abc?t=-5",
    "https://youtu.be/abc?t=abc",
    "https://youtu.be/abc?t=99999999999",
    "https://youtu.be/abc#top",
    "no link?t=5",
    "",
  ])("finds no start in %j", (link) => expect(startOfLink(link)).toBeUndefined());
});

describe("parseLink", () => {
  it.each([
    ["HTTP://youtu.be/a", "http://youtu.be/a"],
    ["youtu.be/a", "https://youtu.be/a"],
    ["localhost:8090/a", "https://localhost:8090/a"],
  ])("reads %j as %s", (text, href) => expect(parseLink(text)?.href).toBe(href));
  it.each(["", "no link"])("gives null for %j", (text) => expect(parseLink(text)).toBeNull());
});
