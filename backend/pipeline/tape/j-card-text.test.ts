import { expect, it } from "vitest";
import { cardScript, type JCard } from "./j-card-text.ts";

const card = (title: string, songs: readonly string[] = ["One"]): JCard => ({
  title,
  songs: songs.map((song, index) => ({ title: song, startSeconds: index * 60.9 })),
  durationSeconds: 3_725,
  hasPicture: true,
});

/** @returns the texts, without what was drawn and without the commands before them */
function textsOf(script: string): string[] {
  return script
    .split("\n")
    .filter((line) => line.startsWith("Dialogue:") && !line.includes(String.raw`\p1`))
    .map((line) => line.replace(/^[^{]*\{[^}]*\}/, ""));
}

it("has the name of the tape, its length, and the songs with their numbers and times", () => {
  const script = cardScript({ ...card("Side A", ["One", "Two"]), artist: "Band" });
  expect(textsOf(script)).toEqual(["Side A", "", "Band", "1:02:05", "1", "One", "0:00", "2", "Two", "1:00"]);
});

it.each([
  [1, 1],
  [20, 20],
  [21, 19],
  [5_000, 19],
])("of %i songs names %i", (count, named) => {
  const songs = Array.from({ length: count }, (_, index) => `Song ${index}`);
  const texts = textsOf(cardScript(card("Side A", songs)));
  expect(texts.filter((text) => text.startsWith("Song"))).toEqual(songs.slice(0, named));
  expect(texts.includes(`+ ${count - named}`)).toBe(count > named);
});

it.each(["a word ", "W", "مرحبا ", "हिन्दी ", "三", "😀", "👩‍👩‍👧"])(
  "cuts a title of many %j between two letters",
  (letters) => {
    const long = letters.repeat(60).trim();
    const cut = textsOf(cardScript(card("Side A", [long])))[5] ?? "";
    expect(cut).toMatch(/….?$/);
    const kept = cut.slice(0, -1);
    expect(long.startsWith(kept)).toBe(true);
    const characters = Array.from(new Intl.Segmenter().segment(long), ({ segment }) => segment);
    const beginnings = characters.map((_, index) => characters.slice(0, index).join("").trimEnd());
    expect(beginnings).toContain(kept);
    expect(kept.length).toBeGreaterThan(8);
  },
);

it("breaks the name of a tape between two words", () => {
  const [first, second] = textsOf(
    cardScript(card("The great songs of the nineteenth century and of the one after it")),
  );
  expect(first).toBe("The great songs");
  expect(second).toMatch(/^of the .*…$/);
  expect(textsOf(cardScript(card("A".repeat(40)))).slice(0, 2)).toEqual([
    expect.stringMatching(/^A+$/),
    expect.stringMatching(/^A+…$/),
  ]);
});

it.each([
  ["a command", String.raw`{\p1}m 0 0`, "\\{\\\u2060p1}m 0 0"],
  ["a line break", String.raw`a\Nb\hc`, "a\\\u2060Nb\\\u2060hc"],
  ["a mask of a brace", String.raw`\{\b1}`, "\\\u2060\\{\\\u2060b1}"],
  ["a further line", "a\r\nDialogue: 0,b\u2028c\u0000", "a Dialogue: 0,b c"],
  ["a change of the writing direction", "\u202egpj\u2067.exe", "gpj .exe"],
  ["half a character", "a\ud83d", "a\ufffd"],
])("takes %s in a title as its letters", (_, title, written) => {
  const script = cardScript(card("Side A", [title]));
  expect(textsOf(script)[5]).toBe(written);
  expect(script.split("\n")).toHaveLength(cardScript(card("Side A")).split("\n").length);
});

it("leaves out what no font has", () => {
  expect(textsOf(cardScript(card("Side 🎵 A", ["🎵", "🎵 Two"]), new Set(["🎵"])))).toEqual(
    expect.arrayContaining(["Side  A", "", "Two"]),
  );
});
