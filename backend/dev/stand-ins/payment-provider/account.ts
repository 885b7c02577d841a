/** The provider's ledger: its objects, its clock, and the event that tells of each change. */
import { randomInt } from "node:crypto";
import { Stripe } from "stripe";
import { noSuch } from "./api-error.ts";
import { type Collections, type Event, ID_PREFIXES, type Kind, type State } from "./state.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** The version whose shapes the stand-in speaks: the one that the official client asks for. */
export const API_VERSION = Stripe.API_VERSION;

/** Which API call a change comes from; null when it comes from the clock. */
export interface Cause {
  readonly requestId: string;
  readonly idempotencyKey: string | null;
}

export class Account {
  readonly state: State;
  /** Told of each event, in the order made. */
  onEvent: (event: Event) => void = () => undefined;
  cause: Cause | null = null;
  /** Set while time is moved, so that what happens on the way bears its own moment. */
  momentSeconds: number | null = null;
  /** Each object as last told of, for what an update changed. */
  readonly #told = new Map<string, Record<string, unknown>>();

  constructor(state: State) {
    this.state = state;
  }

  /** The stand-in's clock, in whole seconds since 1970. */
  now(): number {
    return this.momentSeconds ?? Math.floor(Date.now() / 1_000) + this.state.clockOffsetSeconds;
  }

  newId(kind: Kind): string {
    return `${ID_PREFIXES[kind]}_1${randomLetters(23)}`;
  }

  add<K extends Kind>(kind: K, object: Collections[K]): Collections[K] {
    const kept: Record<string, Collections[K]> = this.state.objects[kind];
    kept[object.id] = object;
    return object;
  }

  find<K extends Kind>(kind: K, id: string): Collections[K] | undefined {
    const kept = this.state.objects[kind];
    return Object.hasOwn(kept, id) ? kept[id] : undefined;
  }

  /** @throws ApiError 404 (400 when the id came as a parameter) when there is none. */
  get<K extends Kind>(kind: K, id: string, param?: string): Collections[K] {
    const found = this.find(kind, id);
    if (found === undefined)
      throw noSuch(kind.replace("billing_portal.", ""), id, param ?? "id", param === undefined ? 404 : 400);
    return found;
  }

  /** Newest first, as every list of the provider. */
  list<K extends Kind>(kind: K): Collections[K][] {
    return Object.values(this.state.objects[kind]).toReversed();
  }

  /** Tells of a change with the object as it is now; of an update that changed nothing, nothing is told. */
  emit(type: string, object: { readonly id: string }): void {
    const snapshot = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
    const previous = this.#told.get(object.id);
    this.#told.set(object.id, snapshot);
    const changed = previous && type.endsWith(".updated") ? changedFrom(previous, snapshot) : undefined;
    if (changed && Object.keys(changed).length === 0) return;
    const event: Event = {
      id: this.newId("event"),
      object: "event",
      api_version: API_VERSION,
      created: this.now(),
      data: { object: snapshot, ...(changed && { previous_attributes: changed }) },
      livemode: false,
      pending_webhooks: this.list("webhook_endpoint").filter((endpoint) => wants(endpoint.enabled_events, type)).length,
      request: { id: this.cause?.requestId ?? null, idempotency_key: this.cause?.idempotencyKey ?? null },
      type,
    };
    this.add("event", event);
    this.onEvent(event);
  }
}

export function wants(enabledEvents: readonly string[], type: string): boolean {
  return enabledEvents.includes("*") || enabledEvents.includes(type);
}

export function randomLetters(length: number): string {
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

/** The old values of the fields that differ, as `previous_attributes` has them. */
function changedFrom(previous: Record<string, unknown>, now: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(previous).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(now[key])),
  );
}
