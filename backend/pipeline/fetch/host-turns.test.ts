import { expect, it } from "vitest";
import { HostTurns } from "./host-turns.ts";

const never = new AbortController().signal;
const end = (turn: Disposable): void => turn[Symbol.dispose]();

/** Takes turns for somebody; `got` tells how many were given. */
function taker(turns: HostTurns, host = "a") {
  const got: Disposable[] = [];
  const who = {};
  return { got, take: (signal = never) => turns.take(host, who, signal).then((turn) => void got.push(turn)) };
}

it("gives no more turns at a host than its limit, and the next when one ends", async () => {
  const turns = new HostTurns(2);
  const one = taker(turns);
  const asked = [one.take(), one.take(), one.take()];
  await Promise.all(asked.slice(0, 2));
  expect(one.got).toHaveLength(2);
  end(one.got[0]!);
  await asked[2];
  expect(one.got).toHaveLength(3);
});

it("keeps hosts apart", async () => {
  const turns = new HostTurns(1);
  const [a, b] = [taker(turns, "a"), taker(turns, "b")];
  await Promise.all([a.take(), b.take()]);
  expect([a.got.length, b.got.length]).toEqual([1, 1]);
});

it("serves a newcomer before somebody who has turns already, however long that one has waited", async () => {
  const turns = new HostTurns(2);
  const [greedy, newcomer] = [taker(turns), taker(turns)];
  await Promise.all([greedy.take(), greedy.take()]);
  const more = greedy.take();
  const first = newcomer.take();
  end(greedy.got[0]!);
  await first;
  expect([greedy.got.length, newcomer.got.length]).toEqual([2, 1]);
  end(greedy.got[1]!);
  await more;
  expect(greedy.got).toHaveLength(3);
});

it("forgets whoever stops waiting, and counts a turn that is ended twice once", async () => {
  const turns = new HostTurns(1);
  const [one, two, three] = [taker(turns), taker(turns), taker(turns)];
  await one.take();
  const abort = new AbortController();
  const gone = two.take(abort.signal);
  abort.abort(new Error("enough"));
  await expect(gone).rejects.toThrow("enough");
  const next = three.take();
  end(one.got[0]!);
  end(one.got[0]!);
  await next;
  const after = one.take();
  expect(one.got).toHaveLength(1);
  end(three.got[0]!);
  await after;
  expect(one.got).toHaveLength(2);
});
