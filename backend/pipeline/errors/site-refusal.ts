/** A failure that another client or another exit may not have. */
import { ConversionError, type ConversionErrorCode } from "../../../common/errors.ts";

/**
 * "client": the player client that yt-dlp posed as. "exit": the address that requests came from. "either": one of them;
 * another client is tried before another exit.
 */
export type RefusedParty = "client" | "exit" | "either";

export class SiteRefusal extends ConversionError {
  readonly refuses: RefusedParty;

  constructor(
    code: ConversionErrorCode,
    refuses: RefusedParty,
    options: ConstructorParameters<typeof ConversionError>[1] = {},
  ) {
    super(code, options);
    this.refuses = refuses;
  }
}
