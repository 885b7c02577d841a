/** The schemas of the OpenAPI document: each has a name, by which the calls refer to it. */
import { z } from "zod";
import type { Call, Content } from "./call.ts";
import { SHARED_SCHEMAS } from "./schemas.ts";

type Json = Readonly<Record<string, unknown>>;

export type SchemaNames = ReadonlyMap<z.ZodType, string>;

/** @throws Error for a schema with two names, and for a name of two schemas, which are bugs */
export function nameSchemas(calls: readonly Call[]): SchemaNames {
  const schemas = new Map<string, z.ZodType>(Object.entries(SHARED_SCHEMAS));
  for (const { request, answers } of calls)
    for (const { name, schema } of [request ?? {}, ...Object.values(answers)] as Partial<Content>[]) {
      if (name === undefined || !schema) continue;
      if (schemas.has(name) && schemas.get(name) !== schema)
        throw new Error(`two schemas of the description have the name ${name}`);
      schemas.set(name, schema);
    }
  const names = new Map(Array.from(schemas, ([name, schema]) => [schema, name]));
  if (names.size < schemas.size) throw new Error("a schema of the description has two names");
  return names;
}

/** As this server reads and sends them: fields with a default may be left out of a request. */
export function describeSchemas(names: SchemaNames): Json {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const uri = (id: string): string => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(registry, { uri, io: "input", target: "draft-2020-12" });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $id: _id, $schema: _dialect, ...schema }]) => [id, schema]),
  );
}

export function describeContent({ schema, example, moreExamples }: Content, names: SchemaNames): Json {
  const reference = referenceTo(schema, names);
  if (!moreExamples) return { "application/json": { schema: reference, example } };
  return { "application/json": { schema: reference, examples: asExamples({ simple: example, ...moreExamples }) } };
}

/** @param values by what they show */
export function asExamples(values: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
}

/** @throws Error for a schema that has no name, which is a bug */
export function referenceTo(schema: z.ZodType, names: SchemaNames): Json {
  const name = names.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodType)
    return { type: "array", items: referenceTo(schema.element, names) };
  throw new Error("a schema of the description has no name");
}
