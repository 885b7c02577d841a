/** The calls of the shortcut for iPhones, in the order in which it makes them. README and help page show their lines. */

interface ShortcutCall {
  readonly method: "GET" | "POST";
  /** ID stands for the id of the job. */
  readonly path: string;
  readonly body?: Readonly<Record<string, string>>;
}

export const SHORTCUT_CALLS = {
  convert: { method: "POST", path: "/api/conversions", body: { youtubeUrl: "Shortcut Input", format: "mp3" } },
  look: { method: "GET", path: "/api/conversions/ID" },
  file: { method: "GET", path: "/api/conversions/ID/file" },
} as const satisfies Readonly<Record<string, ShortcutCall>>;

/** @returns what has to be filled in; TOKEN stands for the token */
export function linesOf({ method, path, body }: ShortcutCall, origin: string): string[] {
  const lines = [`${method} ${origin}${path}`, "Authorization: Bearer TOKEN"];
  return body === undefined ? lines : [...lines, JSON.stringify(body)];
}
