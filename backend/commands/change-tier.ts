/**
 * The operator's `npm run grant-pro -- EMAIL` and `npm run revoke-pro -- EMAIL`. Web processes poll the database for
 * changes of tier, so open pages show the new tier.
 */
import { Tier } from "../../common/tiers.ts";
import { ConfigError, readConfig } from "../config/config.ts";
import { connectToDatabase } from "../runtime/database.ts";
import { readDatabaseAddress } from "../runtime/database-address.ts";
import { changeTier } from "../domain/accounts/tier-sources.ts";
import { openUserModel } from "../domain/accounts/user-model.ts";
import { printLine, runCommand } from "./run-command.ts";

/**
 * Sets the tier of every account with the address.
 * @returns one line that says what was done
 * @throws ConfigError with a message of one line
 */
async function changeTierOf(tierName: string | undefined, email: string | undefined): Promise<string> {
  const tier = Tier.parse(tierName);
  if (email === undefined || !email.includes("@"))
    throw new ConfigError(`Say whose: npm run ${tier === "pro" ? "grant-pro" : "revoke-pro"} -- EMAIL`);
  const config = readConfig(process.env);
  const uri = config.env.MONGODB_URI ?? (await readDatabaseAddress(config.dataDir));
  if (uri === null)
    throw new ConfigError("There is no database to work on: start the server first, or set MONGODB_URI");
  const connection = await connectToDatabase(uri);
  try {
    const { accounts: count, paying } = await changeTier({ users: await openUserModel(connection) }, email, tier);
    if (count === 0) throw new ConfigError(`Nobody has signed in as ${email}`);
    if (tier === "free" && paying > 0)
      return (
        `${email} keeps Pro: a subscription pays for it. What was granted is taken back; ` +
        "cancel the subscription at the payment provider to end Pro"
      );
    return `${email} is on the ${tier} tier now${count === 1 ? "" : ` (${count} accounts have this address)`}`;
  } finally {
    await connection.close();
  }
}

await runCommand(async () => printLine(await changeTierOf(process.argv[2], process.argv[3])));
