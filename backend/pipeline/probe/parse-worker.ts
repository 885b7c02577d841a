/** The thread of parse-aside.ts. */
import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { ConversionError, type ConversionErrorCode } from "../../../common/errors.ts";
import type { Reason } from "../../../common/reasons.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { piecesOf } from "./pieces.ts";
import { PARSERS, type Kind, type Parsed } from "./output-parsers.ts";

export interface ParseOrder {
  readonly kind: Kind;
  /** Of an open file; threads of a process share them. */
  readonly descriptor: number;
  readonly secrets: readonly string[];
}

/** An error does not keep its class on the way to another thread. */
export type ParseAnswer =
  | { readonly parsed: Parsed<Kind> }
  | {
      readonly failure: {
        readonly code: ConversionErrorCode;
        readonly message: string;
        readonly detail: string | undefined;
        readonly isTransient: boolean;
        readonly reason: Reason | undefined;
      };
    };

function answerTo({ kind, descriptor, secrets }: ParseOrder): ParseAnswer {
  try {
    return { parsed: PARSERS[kind](hideSecrets(readFileSync(descriptor, "utf8"), secrets)) };
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    const { code, message, detail, isTransient, reason } = error;
    return { failure: { code, message, detail, isTransient, reason } };
  }
}

parentPort?.on("message", (order: ParseOrder) => {
  const answer = answerTo(order);
  const renditions = "parsed" in answer && "renditions" in answer.parsed ? answer.parsed.renditions : [];
  const bytes = renditions
    .flatMap((rendition) => [rendition, ...piecesOf(rendition)])
    .map(({ rawJson }) => rawJson.buffer);
  // Two forms of a video may share that of one of its parts.
  parentPort?.postMessage(answer, [...new Set(bytes)]);
});
