/** The provider's objects and clock, and the events about changes of objects. */
import { randomInt } from "node:crypto";
import { noSuch } from "./api-error.ts";
import { blank } from "./shapes/blank.ts";
import { type Collections, type Event, ID_PREFIXES, type Kind, type State } from "./state.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
export const DAY_SECONDS = 86_400;

export class Account {
  readonly state: State;
  /** Called for each event, in order. */
  onEvent: (event: Event) => void = () => undefined;
  /** Set while the clock is moved, so that each event on the way has its own time. */
  momentSeconds: number | null = null;
  /** Each object as it was at its last event. */
  readonly #snapshots = new Map<string, string>();

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

  /** @returns an object with all fields of the API, which is not stored */
  make<K extends Kind>(kind: K, contents: Partial<Collections[K]>): Collections[K] {
    return { ...blank(kind), id: this.newId(kind), created: this.now(), ...contents };
  }

  create<K extends Kind>(kind: K, contents: Partial<Collections[K]>): Collections[K] {
    const object = this.make(kind, contents);
    const stored: Record<string, Collections[K]> = this.state.objects[kind];
    stored[object.id] = object;
    return object;
  }

  find<K extends Kind>(kind: K, id: string | null): Collections[K] | undefined {
    const stored = this.state.objects[kind];
    return id !== null && Object.hasOwn(stored, id) ? stored[id] : undefined;
  }

  /** @throws ApiError 404 when there is no such object, or 400 when the id came as the parameter `param` */
  get<K extends Kind>(kind: K, id: string, param?: string): Collections[K] {
    const found = this.find(kind, id);
    if (found === undefined) throw noSuch(kind, id, param);
    return found;
  }

  /** @returns all objects of a kind, newest first, as in every list of the API */
  list<K extends Kind>(kind: K): Collections[K][] {
    return Object.values(this.state.objects[kind]).toReversed();
  }

  /** Emits an event with a snapshot of the object; an update without changes emits none. */
  emit(type: string, object: { readonly id: string }): void {
    const snapshot = JSON.stringify(object);
    if (type.endsWith(".updated") && this.#snapshots.get(object.id) === snapshot) return;
    this.#snapshots.set(object.id, snapshot);
    const data = { object: JSON.parse(snapshot) as Record<string, unknown> };
    this.onEvent(this.create("event", { data, type }));
  }
}

export function randomLetters(length: number): string {
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}
