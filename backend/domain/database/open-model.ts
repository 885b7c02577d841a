import { Schema, type Connection, type Model } from "mongoose";

/**
 * Options of a schema. What a document has is said by its type alone, so nothing is left out or converted. Indexes and
 * collection are created by what opens the model, before the first write.
 */
export const storedIn = (collection: string) =>
  ({ versionKey: false, collection, autoCreate: false, autoIndex: false, strict: false, minimize: false }) as const;

/**
 * @param defaults of fields that a new document may leave out
 * @returns the schema of documents that have a text as their id; its indexes are added to it
 */
export function schemaOf<Stored extends { _id: string }>(
  collection: string,
  defaults: Partial<Stored> = {},
): Schema<Stored> {
  const fields = Object.entries(defaults).map(([name, value]) => {
    return [name, { type: Schema.Types.Mixed, default: () => structuredClone(value) }];
  });
  return new Schema<Stored>({ _id: String, ...Object.fromEntries(fields) }, storedIn(collection));
}

/** @returns a function that opens the model and creates its missing indexes */
export function opensModel<Stored>(name: string, schema: Schema<Stored>) {
  return async (connection: Connection): Promise<Model<Stored>> => {
    const model = connection.model<Stored>(name, schema);
    await model.createIndexes();
    return model;
  };
}
