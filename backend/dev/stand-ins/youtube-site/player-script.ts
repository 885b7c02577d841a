/**
 * Players of the YouTube-shaped site: scripts that turn the challenges of an address into values that the media server
 * accepts. The real solver (yt-dlp-ejs) reads them, so they have the shape that it searches for: two statements, the
 * second of which is a function with a URL class and a function that sets "alr" to "yes".
 */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** One release of the player. */
export interface Player {
  /** Eight hexadecimal digits, as in the script's address. */
  readonly version: string;
  /** Five digits that a client has to send with each call, or it is told to reload the page. */
  readonly signatureTimestamp: number;
  readonly script: string;
  /** @returns the value that the media server accepts for the `n` of an address */
  solveN(n: string): string;
  /** @returns the signature for the encrypted signature `s` */
  solveSignature(s: string): string;
}

function rotate(text: string, by: number): string {
  return text
    .split("")
    .toReversed()
    .map((letter) => LETTERS[(LETTERS.indexOf(letter) + by) % LETTERS.length])
    .join("");
}

function scramble(text: string, cut: number, swap: number): string {
  const letters = text.split("").toReversed().slice(cut);
  const place = swap % letters.length;
  const first = letters[0] ?? "";
  letters[0] = letters[place] ?? "";
  letters[place] = first;
  return letters.join("");
}

/** Statements that only make the script longer, as the real one has about a megabyte of them. */
function filler(bytes: number): string {
  const line = (index: number): string => `var z${index}=function(a,b){return a+b*${index}};\n`;
  let text = "";
  for (let index = 0; text.length < bytes; index += 1) text += line(index);
  return text;
}

/**
 * @param release a number from 1; each has challenges of its own
 * @param options.isReadable false: a script in a shape that no solver knows, as after a redesign
 * @param options.scriptBytes about the length of the script
 * @param options.hostileCode statements that run each time an `n` is solved
 */
export function makePlayer(
  release: number,
  { isReadable = true, scriptBytes = 200_000, hostileCode = "" } = {},
): Player {
  const cut = 1 + (release % 3);
  const swap = 7 + release;
  const by = 3 + (release % 50);
  const signatureTimestamp = 20_300 + release;
  const marker = isReadable ? "alr" : "alright";
  const script = `var _yt_player={};(function(g){var window=this;
${filler(scriptBytes)}
var L="${LETTERS}";
var D=function(a){a=a.split("").reverse().slice(${cut});var p=${swap}%a.length,b=a[0];a[0]=a[p];a[p]=b;return a.join("")};
var N=function(a){${hostileCode};return a.split("").reverse().map(function(x){return L[(L.indexOf(x)+${by})%L.length]}).join("")};
var U=function(a){this.a=a;this.b={}};
U.prototype.set=function(a,b){this.b[a]=b};
U.prototype.get=function(a){return this.b[a]===undefined?null:this.b[a]};
U.prototype.clone=function(){return this};
U.prototype.build=function(){var n=this.get("n");n&&this.set("n",N(n))};
g.config={signatureTimestamp:${signatureTimestamp}};
g.make=function(a,b,c){var u=new U(a);u.set("${marker}","yes");c&&u.set(b,encodeURIComponent(D(decodeURIComponent(c))));return u};
})(_yt_player);
`;
  return {
    version: release.toString(16).padStart(8, "0"),
    signatureTimestamp,
    script,
    solveN: (n) => rotate(n, by),
    solveSignature: (s) => scramble(s, cut, swap),
  };
}

/** @returns random letters that may be an `n`, a signature or an id */
export function randomText(length: number): string {
  return Array.from({ length }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join("");
}
