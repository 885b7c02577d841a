import { describeCounters } from "./limit-counters.contract.ts";
import { countInMemory } from "./limit-counters.ts";

describeCounters("the memory of one process", { openProcess: () => Promise.resolve(countInMemory), isAlone: true });
