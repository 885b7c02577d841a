/** Addresses of media: made with challenges for clients with a script, and checked when they are fetched. */
import { createHmac, randomBytes } from "node:crypto";
import type { ClipFormat } from "./clips.ts";
import type { PlayerCall } from "./player-response.ts";
import { type Player, randomText } from "./player-script.ts";
import type { Tokens } from "./tokens.ts";

export const MEDIA_HOST = "rr1---sn-tapedeck.googlevideo.com";

const LIFETIME_SECONDS = 21_540;
const N_LETTERS = 16;
const SIGNATURE_LETTERS = 104;

/** Clients whose media needs a proof-of-origin token, all but format 18. */
const NEED_TOKEN: ReadonlySet<string> = new Set(["WEB", "MWEB", "IOS", "ANDROID", "ANDROID_VR"]);

/** What the addresses of one player response have in common. */
export interface Issue {
  readonly videoId: string;
  readonly client: string;
  readonly exit: string;
  readonly expires: string;
  readonly id: string;
  readonly n: string;
  /** Media is refused before this moment. */
  readonly availableAtMs: number;
}

export class MediaAddresses {
  player: Player;
  readonly #key = randomBytes(16);
  readonly #issues = new Map<string, Issue>();
  readonly #tokens: Tokens;

  constructor(player: Player, tokens: Tokens) {
    this.player = player;
    this.#tokens = tokens;
  }

  /** @param adSeconds time before media may be fetched */
  issue({ videoId, client, exit }: PlayerCall, adSeconds = 0): Issue {
    const nowMs = Date.now();
    const issue: Issue = {
      videoId,
      client,
      exit,
      expires: `${Math.floor(nowMs / 1_000) + LIFETIME_SECONDS}`,
      id: randomText(22),
      n: randomText(N_LETTERS),
      availableAtMs: nowMs + adSeconds * 1_000,
    };
    this.#issues.set(issue.id, issue);
    return issue;
  }

  /** @returns `url`, or `signatureCipher` for a client with a script */
  make(format: ClipFormat, issue: Issue, isPlain: boolean, xtags?: string): Record<string, string> {
    const query = new URLSearchParams({
      expire: issue.expires,
      ei: issue.id,
      itag: `${format.itag}`,
      mime: format.mimeType.split(";", 1)[0] ?? "",
      c: issue.client,
      ...(xtags === undefined ? {} : { xtags }),
    });
    const url = (): string => `https://${MEDIA_HOST}/videoplayback?${query}`;
    const encrypted = this.#encryptedSignature(issue, format.itag, xtags);
    if (isPlain) {
      query.set("sig", encrypted);
      return { url: url() };
    }
    query.set("n", issue.n);
    query.set("enc", "1");
    return { signatureCipher: `${new URLSearchParams({ s: encrypted, sp: "sig", url: url() })}` };
  }

  /** @returns why the media server refuses the address; undefined when it is good */
  refusal(query: URLSearchParams, exit: string): string | undefined {
    const issue = this.#issues.get(query.get("ei") ?? "");
    if (!issue) return "unknown";
    if (issue.exit !== exit) return "another address";
    if (Number(query.get("expire")) * 1_000 < Date.now()) return "expired";
    if (Date.now() < issue.availableAtMs) return "ad";
    const itag = Number(query.get("itag"));
    const encrypted = this.#encryptedSignature(issue, itag, query.get("xtags") ?? undefined);
    const isPlain = !query.has("enc");
    if (query.get("sig") !== (isPlain ? encrypted : this.player.solveSignature(encrypted))) return "signature";
    if (!isPlain && query.get("n") !== this.player.solveN(issue.n)) return "n";
    const needsToken = NEED_TOKEN.has(issue.client) && itag !== 18;
    if (needsToken && !this.#tokens.isGood(query.get("pot"), exit)) return "token";
    return undefined;
  }

  videoIdOf(query: URLSearchParams): string | undefined {
    return this.#issues.get(query.get("ei") ?? "")?.videoId;
  }

  #encryptedSignature(issue: Issue, itag: number, xtags = ""): string {
    let text = "";
    for (let part = 0; text.length < SIGNATURE_LETTERS; part += 1)
      text += createHmac("sha256", this.#key).update(`${issue.id} ${itag} ${xtags} ${part}`).digest("base64url");
    return text.slice(0, SIGNATURE_LETTERS);
  }
}
