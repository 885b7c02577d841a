/** The part of the provider's search language that finds objects by fields: `metadata['k']:'v' AND email:'x'`. */
import { invalidRequest } from "../api-error.ts";

export interface Clause {
  readonly field: string;
  readonly key: string | undefined;
  readonly operator: ":" | "~";
  readonly value: string;
}

const CLAUSE = /^(?<field>[a-z_]+)(?:\[["'](?<key>[^"']+)["']\])?(?<operator>[:~])["'](?<value>[^"']*)["']$/;

/** @throws ApiError 400 for a query that cannot be parsed */
export function parseQuery(query: string): Clause[] {
  return query.split(/\s+AND\s+/i).map((part) => {
    const { field, key, operator, value } = CLAUSE.exec(part.trim())?.groups ?? {};
    if (field === undefined || value === undefined)
      throw invalidRequest(`We were unable to parse your search query: ${query}`, { param: "query" });
    return { field, key, operator: operator === "~" ? "~" : ":", value };
  });
}

export function matchesQuery(object: object, clauses: readonly Clause[]): boolean {
  return clauses.every(({ field, key, operator, value }) => {
    const fieldValue: unknown = Object.entries(object).find(([name]) => name === field)?.[1];
    const found: unknown =
      key === undefined
        ? fieldValue
        : typeof fieldValue === "object" && fieldValue !== null
          ? Object.entries(fieldValue).find(([name]) => name === key)?.[1]
          : undefined;
    const words =
      typeof found === "string" || typeof found === "boolean" || typeof found === "number"
        ? String(found).toLowerCase()
        : undefined;
    return operator === "~" ? words?.includes(value.toLowerCase()) === true : words === value.toLowerCase();
  });
}
