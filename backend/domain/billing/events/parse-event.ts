/**
 * Parses the provider's events, of any API version. Only the ids of customer and object are read, because the current
 * state is read back from the provider.
 */
import { z } from "zod";
import { UserError } from "../../../../common/errors.ts";

export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  /** Live or test mode; null when the event does not say. */
  readonly isLive: boolean | null;
  /** Null when the event names no customer. */
  readonly customerId: string | null;
  /** The object that changed; `kind` is the provider's name of its type, such as `dispute`. Null when not named. */
  readonly object: { readonly kind: string; readonly id: string } | null;
}

const Reference = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .catch(null);
const OptionalText = z.string().nullish().catch(null);
const Snapshot = z.object({ id: OptionalText, object: OptionalText, customer: Reference });
const EventBody = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  livemode: z.boolean().nullish().catch(null),
  data: z.object({ object: Snapshot }).nullish().catch(null),
  // Thin events have no snapshot of the object and name it here:
  // https://docs.stripe.com/event-destinations#thin-events.
  related_object: z.object({ id: z.string(), type: z.string() }).nullish().catch(null),
});

/**
 * @param body the JSON text of a request whose signature was verified
 * @throws UserError bad_request when it is not JSON, or has no id or type
 */
export function parseEvent(body: string): ProviderEvent {
  const { id, type, livemode, data, related_object: related } = parseBody(body);
  const kind = data?.object.object ?? related?.type ?? null;
  const objectId = data?.object.id ?? related?.id ?? null;
  const object = kind === null || objectId === null ? null : { kind, id: objectId };
  const customerId = data?.object.customer ?? (object?.kind === "customer" ? object.id : null);
  return { id, type, isLive: livemode ?? null, customerId, object };
}

function parseBody(body: string): z.infer<typeof EventBody> {
  try {
    return EventBody.parse(JSON.parse(body));
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
    throw Object.assign(new UserError("bad_request", "This is not a message of the payment provider."), {
      cause: error,
    });
  }
}
