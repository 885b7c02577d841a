import { expect, it } from "vitest";
import { AloneGate } from "./alone-gate.ts";

/** Notes who runs, in order: "+a" begins, "-a" ends. */
function openGate() {
  const gate = new AloneGate();
  const events: string[] = [];
  const places = new Map<string, Disposable>();
  return {
    events,
    enter(name: string, alone = false): void {
      void gate.enter(alone).then((place) => {
        places.set(name, place);
        events.push(`+${name}`);
      });
    },
    leave(name: string): void {
      events.push(`-${name}`);
      places.get(name)?.[Symbol.dispose]();
      places.get(name)?.[Symbol.dispose]();
    },
    /** Lets everything begin that may. */
    settle: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

it("lets ordinary jobs run side by side", async () => {
  const gate = openGate();
  for (const name of ["a", "b", "c"]) gate.enter(name);
  await gate.settle();
  expect(gate.events).toEqual(["+a", "+b", "+c"]);
});

it("lets one that runs alone begin when all others have left, and nobody beside it", async () => {
  const gate = openGate();
  gate.enter("a");
  gate.enter("b");
  gate.enter("alone", true);
  gate.enter("late");
  await gate.settle();
  gate.leave("a");
  await gate.settle();
  gate.leave("b");
  await gate.settle();
  gate.leave("alone");
  await gate.settle();
  expect(gate.events).toEqual(["+a", "+b", "-a", "-b", "+alone", "-alone", "+late"]);
});

it("lets two that run alone run one after the other", async () => {
  const gate = openGate();
  gate.enter("one", true);
  gate.enter("two", true);
  await gate.settle();
  gate.leave("one");
  await gate.settle();
  expect(gate.events).toEqual(["+one", "-one", "+two"]);
});
