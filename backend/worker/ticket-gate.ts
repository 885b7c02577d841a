import type { Agenda } from "agenda";

export interface TicketGate {
  isClosed: boolean;
}

/** @returns a gate; while it is closed, Agenda finds no ticket to lock in this process */
export function gateTickets(agenda: Agenda): TicketGate {
  const gate: TicketGate = { isClosed: false };
  const repository = agenda.db;
  const find = repository.getNextJobToRun.bind(repository);
  repository.getNextJobToRun = (...args) => (gate.isClosed ? Promise.resolve(undefined) : find(...args));
  return gate;
}
