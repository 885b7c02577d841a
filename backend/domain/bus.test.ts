import { describeBus } from "./bus.contract.ts";
import { createInProcessBus } from "./bus.ts";

describeBus("the bus of a process that is alone", { open: () => Promise.resolve(createInProcessBus()), isAlone: true });
