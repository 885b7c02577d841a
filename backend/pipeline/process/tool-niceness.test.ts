import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism, getPriority } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { applyNiceness, briefNiceness, nicenessFor } from "./tool-niceness.ts";

const children: ChildProcess[] = [];
afterEach(async () => {
  await Promise.all(
    children.splice(0).map(async (child) => {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    }),
  );
});

/** Starts a session leader that sleeps, and applies its niceness. @returns its pid */
function startTool(length: "brief" | "long"): number {
  const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  children.push(child);
  applyNiceness(child, length);
  if (child.pid === undefined) throw new Error("sleep does not start");
  return child.pid;
}

function sessionNiceness(pid: number): number {
  return Number(/nice (-?\d+)$/m.exec(readFileSync(`/proc/${pid}/autogroup`, "utf8"))?.[1]);
}

it("ignores a tool that has ended", async () => {
  const child = spawn("true", { detached: true, stdio: "ignore" });
  await once(child, "exit");
  expect(() => applyNiceness(child, "brief")).not.toThrow();
});

describe("nicenessFor", () => {
  it.each([
    [1, 2, 0],
    [2, 2, 0],
    [3, 2, 2],
    [4, 2, 3],
    [20, 2, 10],
    [40, 2, 13],
    [1_000, 2, 15],
    [1, 1, 0],
    [2, 1, 3],
    [8, 8, 0],
    [9, 8, 1],
  ])("gives %i encoders on %i cores niceness %i", (encoderCount, coreCount, niceness) => {
    expect(nicenessFor("long", encoderCount, coreCount)).toBe(niceness);
  });

  it("gives brief tools at most niceness 5", () => {
    expect([1, 2, 3, 4, 20, 1_000].map((count) => nicenessFor("brief", count, 2))).toEqual([0, 0, 2, 3, 5, 5]);
  });

  it("lets all encoders together weigh no more than one process per core", () => {
    for (let encoderCount = 3; encoderCount <= 56; encoderCount += 1) {
      const weight = encoderCount / 1.25 ** nicenessFor("long", encoderCount, 2);
      // Niceness is a whole number, so the weight is right within half a step.
      expect(weight).toBeLessThan(2 * Math.sqrt(1.25) + 0.01);
      expect(weight).toBeGreaterThan(2 / Math.sqrt(1.25) - 0.01);
    }
  });
});

describe("applyNiceness", () => {
  const coreCount = availableParallelism();
  const ownNiceness = getPriority();

  it("leaves encoders at the niceness of this process while each has a core of its own", () => {
    const pids = Array.from({ length: coreCount }, () => startTool("long"));
    expect(pids.map((pid) => getPriority(pid))).toEqual(pids.map(() => ownNiceness));
    expect(briefNiceness()).toBe(0);
  });

  it("raises the niceness of all encoders when there are more encoders than cores", () => {
    const pids = Array.from({ length: coreCount * 4 }, () => startTool("long"));
    const niceness = nicenessFor("long", pids.length, coreCount);
    expect(niceness).toBeGreaterThan(0);
    expect(pids.map((pid) => getPriority(pid))).toEqual(pids.map(() => ownNiceness + niceness));
    expect(getPriority(startTool("brief"))).toBe(ownNiceness + nicenessFor("brief", pids.length, coreCount));
  });

  it("counts an encoder until it ends", async () => {
    Array.from({ length: coreCount * 4 }, () => startTool("long"));
    await Promise.all(
      children.splice(0).map(async (child) => {
        const exited = once(child, "exit");
        child.kill("SIGKILL");
        await exited;
      }),
    );
    expect(getPriority(startTool("long"))).toBe(ownNiceness);
  });

  it.runIf(existsSync("/proc/self/autogroup"))("gives an encoder's session the niceness of its process", async () => {
    const pids = Array.from({ length: coreCount * 4 }, () => startTool("long"));
    const niceness = nicenessFor("long", pids.length, coreCount);
    await expect.poll(() => pids.map(sessionNiceness)).toEqual(pids.map(() => niceness));
    expect(sessionNiceness(startTool("brief"))).toBe(0);
  });
});
