/** Form-encoded parameters with brackets, as the official clients send them. */

export type FormValue = string | FormValue[] | { [key: string]: FormValue };

/** `items[0][price]=p&expand[]=x` becomes `{items: [{price: "p"}], expand: ["x"]}`. */
export function parseForm(encoded: string): Record<string, FormValue> {
  const root: Record<string, FormValue> = Object.create(null) as Record<string, FormValue>;
  for (const [name, value] of new URLSearchParams(encoded)) {
    const keys = [...name.matchAll(/[^[\]]+|\[\]/g)].map(([key]) => key);
    let place = root;
    keys.forEach((key, depth) => {
      const own = key === "[]" ? String(Object.keys(place).length) : key;
      if (depth === keys.length - 1) place[own] = value;
      else place = nested(place, own);
    });
  }
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, withArrays(value)]));
}

function nested(place: Record<string, FormValue>, key: string): Record<string, FormValue> {
  const existing = place[key];
  if (typeof existing === "object" && !Array.isArray(existing)) return existing;
  const made: Record<string, FormValue> = Object.create(null) as Record<string, FormValue>;
  place[key] = made;
  return made;
}

/** Turns objects with the keys 0, 1, 2 … back into arrays. */
function withArrays(value: FormValue): FormValue {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key)))
    return entries.map(([, item]) => withArrays(item));
  return Object.fromEntries(entries.map(([key, item]) => [key, withArrays(item)]));
}
