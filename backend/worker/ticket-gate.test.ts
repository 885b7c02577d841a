import { Agenda, type JobId, type JobParameters } from "agenda";
import { MongoBackend } from "@agendajs/mongo-backend";
import type { Connection } from "mongoose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseOf } from "../domain/database/database-of.ts";
import { connectToNewDatabase, dropDatabase } from "../dev/testing/test-connection.ts";
import { TicketGate } from "./ticket-gate.ts";

let connection: Connection;
beforeAll(async () => {
  connection = await connectToNewDatabase();
});
afterAll(async () => {
  await dropDatabase(connection);
});

/** Agenda behind a gate, with searches that the test answers. */
async function openGate() {
  const agenda = new Agenda({ backend: new MongoBackend({ mongo: databaseOf(connection) }) });
  await agenda.ready;
  const searches: ((ticket: JobParameters | undefined) => void)[] = [];
  agenda.db.getNextJobToRun = () => new Promise((resolve) => searches.push(resolve));
  const gate = new TicketGate(agenda, 60_000);
  const search = () => agenda.db.getNextJobToRun("convert", new Date(), new Date(), undefined, {});
  return { gate, search, searches };
}

const ticketOf = (id: string): JobParameters => ({
  _id: id as JobId,
  name: "convert",
  priority: 0,
  type: "normal",
  nextRunAt: new Date(0),
  data: {},
});

it("begins a search when the one before is answered, so that the ticket with the highest priority comes first", async () => {
  const { search, searches } = await openGate();
  const found = [search(), search()];
  await expect.poll(() => searches).toHaveLength(1);
  searches[0]?.(ticketOf("first"));
  await found[0];
  await expect.poll(() => searches).toHaveLength(2);
  searches[1]?.(ticketOf("second"));
  expect((await Promise.all(found)).map((ticket) => ticket?._id)).toEqual(["first", "second"]);
});

it("finds nothing more once it is closed, and knows of the ticket that was found before", async () => {
  const { gate, search, searches } = await openGate();
  const found = [search(), search()];
  await expect.poll(() => searches).toHaveLength(1);
  gate.isClosed = true;
  expect(gate.isTicketComing()).toBe(true);
  searches[0]?.(ticketOf("first"));
  expect((await Promise.all(found)).map((ticket) => ticket?._id)).toEqual(["first", undefined]);
  expect(searches).toHaveLength(1);
  expect(gate.isTicketComing()).toBe(true);
});
