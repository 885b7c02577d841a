import type { Connection, Model, Schema } from "mongoose";

/** Options of a schema. Indexes and collection are created by what opens the model, before the first write. */
export const storedIn = (collection: string) =>
  ({ versionKey: false, collection, autoCreate: false, autoIndex: false }) as const;

/** @returns a function that opens the model and creates its missing indexes */
export function opensModel<Stored>(name: string, schema: Schema<Stored>) {
  return async (connection: Connection): Promise<Model<Stored>> => {
    const model = connection.model<Stored>(name, schema);
    await model.createIndexes();
    return model;
  };
}
