const HIDDEN = "[cookie]";

/** @returns the text without any of the secrets */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text);
}
