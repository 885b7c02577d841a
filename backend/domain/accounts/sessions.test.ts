import { openTestDomain } from "../../dev/testing/test-domain.ts";
import { describeSessions } from "./sessions.contract.ts";

describeSessions("MongoDB", async () => {
  const here = await openTestDomain();
  return [here, await openTestDomain({}, here.jobs.db.name)];
});
