/**
 * What the provider sends us, of whatever API version and shape: only who and what it is about is
 * read, because how things stand is asked for afterwards.
 */
import { z } from "zod";
import { UserError } from "../../../../common/errors.ts";

export interface Message {
  readonly id: string;
  readonly type: string;
  /** Null: the message does not say whether it comes from the live or the test mode. */
  readonly isLive: boolean | null;
  /** Null: it names no customer. */
  readonly customerId: string | null;
  /** The object it is about, such as `dispute`; null: it names none. */
  readonly object: { readonly kind: string; readonly id: string } | null;
}

const Reference = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .catch(null);
const Named = z.string().nullish().catch(null);
const Snapshot = z.object({ id: Named, object: Named, customer: Reference });
const Wire = z.object({
  id: z.string().min(1).max(255),
  type: z.string().max(255),
  livemode: z.boolean().nullish().catch(null),
  data: z.object({ object: Snapshot }).nullish().catch(null),
  // Thin events have no snapshot, and say what they are about here:
  // https://docs.stripe.com/event-destinations#thin-events.
  related_object: z.object({ id: z.string(), type: z.string() }).nullish().catch(null),
});

/**
 * @param body JSON whose signature holds
 * @throws UserError bad_request when it is no JSON, or lacks an id or a type
 */
export function parseMessage(body: string): Message {
  const { id, type, livemode, data, related_object: related } = parseWire(body);
  const kind = data?.object.object ?? related?.type ?? null;
  const objectId = data?.object.id ?? related?.id ?? null;
  const object = kind === null || objectId === null ? null : { kind, id: objectId };
  const customerId = data?.object.customer ?? (object?.kind === "customer" ? object.id : null);
  return { id, type, isLive: livemode ?? null, customerId, object };
}

function parseWire(body: string): z.infer<typeof Wire> {
  try {
    return Wire.parse(JSON.parse(body));
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
    throw Object.assign(new UserError("bad_request", "This is not a message of the payment provider."), {
      cause: error,
    });
  }
}
