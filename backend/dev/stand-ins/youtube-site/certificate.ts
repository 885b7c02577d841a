/** The TLS certificates of stand-ins. */
import { generate } from "selfsigned";

/** Host names that the site answers for. */
export const SITE_NAMES = [
  "youtube.com",
  "*.youtube.com",
  "youtu.be",
  "youtube-nocookie.com",
  "*.youtube-nocookie.com",
  "youtubei.googleapis.com",
  "*.googlevideo.com",
  "*.ytimg.com",
] as const;

export interface Certificate {
  /** PEM. It is its own authority: a client trusts the site when it trusts this certificate. */
  readonly cert: string;
  readonly key: string;
}

/** Makes a certificate for these host names, valid for a year. */
export async function makeCertificate(names: readonly string[] = SITE_NAMES): Promise<Certificate> {
  const { cert, private: key } = await generate([{ name: "commonName", value: "Stand-in site" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", digitalSignature: true, keyCertSign: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames: names.map((value) => ({ type: 2, value })) },
    ],
  });
  return { cert, key };
}
