import { besideDomain, domainForTests } from "../../dev/testing/test-domain.ts";
import { describeSessions } from "./sessions.contract.ts";

const here = domainForTests();
describeSessions("MongoDB", () => Promise.resolve([here, besideDomain(here)]));
