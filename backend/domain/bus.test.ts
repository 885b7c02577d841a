import { describeBus } from "./bus.contract.ts";
import { createInProcessBus } from "./bus.ts";

describeBus("the in-process bus", { open: () => Promise.resolve(createInProcessBus()), isAlone: true });
