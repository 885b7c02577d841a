import { isOpenToReaders } from "../api-client/server-address.ts";

/** Warns before a token goes over http. On the error output, so that what programs read stays as it is. */
export function warnIfOpen(server: string): void {
  if (isOpenToReaders(server))
    process.stderr.write("This server has no https: others on the way can read the token.\n");
}
