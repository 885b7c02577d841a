type SetFields<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** @returns the fields that have a value. The others stay out, because the database would store them as null. */
export function setFields<T extends object>(fields: T): SetFields<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as SetFields<T>;
}
