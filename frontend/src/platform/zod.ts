/**
 * The zod of the pages and the extension; build/small-zod.ts puts it in the place of the whole library. It has the same
 * checks, from zod/mini, and of the methods those that our schemas call. One that is missing here fails the build or the
 * component tests, which create the schemas.
 */
import * as mini from "zod/mini";
import { _default as withDefault, catch as withCatch } from "zod/mini";

type Schema = mini.ZodMiniType;
type Test = (value: unknown) => unknown;
type Params = Parameters<typeof mini.refine>[1];
type Mask = Record<string, true>;

// Zod gives each schema what it finds on the prototypes of its kinds.
Object.assign(mini.ZodMiniType.prototype, {
  optional: of(mini.optional),
  nullable: of(mini.nullable),
  default: of((schema, value: unknown) => withDefault(schema, value)),
  catch: of((schema, value: unknown) => withCatch(schema, value)),
  pipe: of((schema, next: Schema) => mini.pipe(schema, next)),
  transform: of((schema, change: (value: unknown) => unknown) => mini.pipe(schema, mini.transform(change))),
  refine: of((schema, test: Test, params?: Params) => schema.check(mini.refine(test, params))),
  // For the description of the API.
  meta: of((schema) => schema),
});
Object.assign(mini.ZodMiniString.prototype, {
  min: checked(mini.minLength),
  max: checked(mini.maxLength),
  regex: checked(mini.regex),
  startsWith: checked(mini.startsWith),
  trim: checked(mini.trim),
});
Object.assign(mini.ZodMiniNumber.prototype, {
  min: checked(mini.minimum),
  max: checked(mini.maximum),
  int: checked(mini.int),
  positive: checked(mini.positive),
  nonnegative: checked(mini.nonnegative),
});
Object.assign(mini.ZodMiniArray.prototype, { min: checked(mini.minLength), max: checked(mini.maxLength) });
Object.assign(mini.ZodMiniObject.prototype, {
  extend: of((schema: mini.ZodMiniObject, shape: mini.core.$ZodLooseShape) => mini.extend(schema, shape)),
  omit: of((schema: mini.ZodMiniObject, mask: Mask) => mini.omit(schema, mask)),
  strip: of((schema: mini.ZodMiniObject) => schema.clone({ ...schema.def, catchall: undefined })),
});
Object.assign(mini.ZodMiniEnum.prototype, {
  exclude: of(({ options }: mini.ZodMiniEnum, left: readonly unknown[]) =>
    mini.enum(options.filter((option) => !left.includes(option)).map(String)),
  ),
});

export * as z from "zod/mini";
export { $ZodError as ZodError } from "zod/v4/core";

/** @returns the function as a method */
function of<Own extends Schema, Rest extends unknown[]>(make: (schema: Own, ...rest: Rest) => unknown) {
  return function method(this: Own, ...rest: Rest) {
    return make(this, ...rest);
  };
}

/** @returns a method that adds a check */
function checked<Rest extends unknown[]>(check: (...rest: Rest) => unknown) {
  return of((schema: Schema, ...rest: Rest) => schema.check(check(...rest) as mini.core.$ZodCheck<unknown>));
}
