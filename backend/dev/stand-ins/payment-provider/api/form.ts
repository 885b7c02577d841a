/** Form-encoded parameters with brackets, as the official clients send them. */

type FormValue = string | FormValue[] | { [key: string]: FormValue };

/** `items[0][price]=p&expand[]=x` becomes `{items: [{price: "p"}], expand: ["x"]}`. */
export function parseForm(encoded: string): Record<string, FormValue> {
  const root = Object.create(null) as Record<string, FormValue>;
  for (const [name, value] of new URLSearchParams(encoded)) {
    const keys = [...name.matchAll(/[^[\]]+|\[\]/g)].map(([key]) => key);
    const last = keys.pop() ?? name;
    let place = root;
    for (const key of keys) place = (place[key] ??= Object.create(null) as Record<string, FormValue>) as typeof root;
    place[last === "[]" ? String(Object.keys(place).length) : last] = value;
  }
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, withArrays(value)]));
}

/** Turns objects with the keys 0, 1, 2 … back into arrays. */
function withArrays(value: FormValue): FormValue {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withArrays(item)] as const);
  return entries.every(([key]) => /^\d+$/.test(key)) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}
