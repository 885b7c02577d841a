import { randomInt } from "node:crypto";
import getPort from "get-port";

/** The system gives ports from here on to whoever asks for any (`listen(0)`, outgoing connections), on Linux. */
const FIRST_EPHEMERAL_PORT = 32_768;

/**
 * A free port for a server that listens later, or that stops and listens again. Nobody gets it in between by chance, as
 * happens with a port that `listen(0)` gave.
 */
export function ownPort(): Promise<number> {
  return getPort({ port: Array.from({ length: 20 }, () => randomInt(20_000, FIRST_EPHEMERAL_PORT)) });
}
