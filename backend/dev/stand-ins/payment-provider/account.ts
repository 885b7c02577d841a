/** The provider's objects and clock, and the events about changes of objects. */
import { randomInt } from "node:crypto";
import { Stripe } from "stripe";
import { noSuch } from "./api-error.ts";
import { type Collections, type Event, ID_PREFIXES, type Kind, type State } from "./state.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Version of the API: the one that the official client requests. */
export const API_VERSION = Stripe.API_VERSION;

/** The API call that causes a change. */
export interface Cause {
  readonly requestId: string;
  readonly idempotencyKey: string | null;
}

export class Account {
  readonly state: State;
  /** Called for each event, in order. */
  onEvent: (event: Event) => void = () => undefined;
  /** null while the clock causes changes. */
  cause: Cause | null = null;
  /** Set while the clock is moved, so that each event on the way has its own time. */
  momentSeconds: number | null = null;
  /** Snapshot of each object at its last event, for `previous_attributes`. */
  readonly #snapshots = new Map<string, Record<string, unknown>>();

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
    const stored: Record<string, Collections[K]> = this.state.objects[kind];
    stored[object.id] = object;
    return object;
  }

  find<K extends Kind>(kind: K, id: string): Collections[K] | undefined {
    const stored = this.state.objects[kind];
    return Object.hasOwn(stored, id) ? stored[id] : undefined;
  }

  /** @throws ApiError 404 when there is no such object, or 400 when the id came as the parameter `param` */
  get<K extends Kind>(kind: K, id: string, param?: string): Collections[K] {
    const found = this.find(kind, id);
    if (found === undefined)
      throw noSuch(kind.replace("billing_portal.", ""), id, param ?? "id", param === undefined ? 404 : 400);
    return found;
  }

  /** @returns all objects of a kind, newest first, as in every list of the API */
  list<K extends Kind>(kind: K): Collections[K][] {
    return Object.values(this.state.objects[kind]).toReversed();
  }

  /** Emits an event with a snapshot of the object; an update without changes emits none. */
  emit(type: string, object: { readonly id: string }): void {
    const snapshot = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
    const previous = this.#snapshots.get(object.id);
    this.#snapshots.set(object.id, snapshot);
    const changed = previous && type.endsWith(".updated") ? changedFrom(previous, snapshot) : undefined;
    if (changed && Object.keys(changed).length === 0) return;
    const event: Event = {
      id: this.newId("event"),
      object: "event",
      api_version: API_VERSION,
      created: this.now(),
      data: { object: snapshot, ...(changed && { previous_attributes: changed }) },
      livemode: false,
      pending_webhooks: this.list("webhook_endpoint").filter((endpoint) => matchesType(endpoint.enabled_events, type))
        .length,
      request: { id: this.cause?.requestId ?? null, idempotency_key: this.cause?.idempotencyKey ?? null },
      type,
    };
    this.add("event", event);
    this.onEvent(event);
  }
}

/** Whether an event type is enabled. */
export function matchesType(enabledEvents: readonly string[], type: string): boolean {
  return enabledEvents.includes("*") || enabledEvents.includes(type);
}

export function randomLetters(length: number): string {
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

/** @returns the old values of changed fields, for `previous_attributes` */
function changedFrom(previous: Record<string, unknown>, now: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(previous).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(now[key])),
  );
}
