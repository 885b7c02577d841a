/** Defines one call of the API: its route, its parameters and its action. */
import type { z } from "zod";
import type { Account } from "../account.ts";
import { check } from "./params.ts";

export interface ApiContext {
  readonly account: Account;
  /** Origin of the stand-in. */
  readonly origin: string;
}

export interface Operation {
  readonly method: "DELETE" | "GET" | "POST";
  readonly path: RegExp;
  readonly run: (context: ApiContext, ids: readonly string[], given: unknown) => object;
}

/**
 * @param route such as `POST /v1/customers/:id`
 * @param schema of the parameters
 * @param act gets the checked parameters and the id in the path; may throw ApiError
 */
export function operation<S extends z.ZodType>(
  route: `${Operation["method"]} /v1/${string}`,
  schema: S,
  act: (context: ApiContext, given: z.infer<S>, id: string) => object,
): Operation {
  const [method, path] = route.split(" ") as [Operation["method"], string];
  return {
    method,
    path: new RegExp(`^${path.replaceAll(/:\w+/g, "([^/]+)")}$`),
    run: (context, ids, given) => act(context, check(schema, given), ids[0] ?? ""),
  };
}
