import pino, { type Logger } from "pino";
import pretty from "pino-pretty";
import type { Config } from "../config/config.ts";
import { isDatabaseAway } from "../domain/database/database-watch.ts";

/** For the fields of our log lines that are errors. */
export const LOG_SERIALIZERS = { error: serializeError, cause: serializeError };

/** @returns a logger that writes JSON lines in production and readable lines in development */
export function createLogger({ env, isProduction }: Pick<Config, "env" | "isProduction">): Logger {
  const options = { level: env.LOG_LEVEL, serializers: LOG_SERIALIZERS };
  if (isProduction) return pino(options);
  return pino(options, pretty({ ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss", singleLine: true, sync: true }));
}

/** Leaves out the stack when the database does not answer, because it does not help to find the cause. */
function serializeError(error: unknown): unknown {
  if (isDatabaseAway(error) && error instanceof Error) return { type: error.name, message: error.message };
  return error instanceof Error ? pino.stdSerializers.err(error) : error;
}
