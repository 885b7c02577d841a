import { describeCounters } from "./limit-counters.contract.ts";
import { countInMemory } from "./limit-counters.ts";

describeCounters("a process that is alone", { openProcess: () => Promise.resolve(countInMemory), isAlone: true });
