/**
 * The operator's `npm run grant-pro` and `npm run revoke-pro`, each with an email address or a user id. Web processes
 * poll the database for
 * changes of tier, so open pages show the new tier.
 */
import { Tier } from "../../common/tiers.ts";
import { ConfigError, readConfig } from "../config/config.ts";
import { connectToSite } from "./connect-to-site.ts";
import { changeTier } from "../domain/accounts/tier-sources.ts";
import { openUserModel } from "../domain/accounts/user-model.ts";
import { printLine, runCommand } from "./run-command.ts";
import { UUID } from "../domain/uuid.ts";

/**
 * Sets the tier of an account, or of every account with the address.
 * @returns one line that says what was done
 * @throws ConfigError with a message of one line
 */
async function changeTierOf(tierName: string | undefined, whose: string | undefined): Promise<string> {
  const tier = Tier.parse(tierName);
  if (whose === undefined || !(whose.includes("@") || UUID.test(whose)))
    throw new ConfigError(
      `Say whose, by email address or user id: npm run ${tier === "pro" ? "grant-pro" : "revoke-pro"} -- EMAIL`,
    );
  const config = readConfig(process.env);
  const connection = await connectToSite(config);
  try {
    const users = await openUserModel(connection);
    const { accounts: count, unverified, paying } = await changeTier({ users }, whose, tier);
    if (count === 0 && unverified > 0)
      throw new ConfigError(
        `Nobody got Pro: the identity provider has not verified ${whose}, so the account may be somebody else's. ` +
          "Let the user verify the address and sign in again, or name the account by its user id",
      );
    if (count === 0) throw new ConfigError(`Nobody has signed in as ${whose}`);
    if (tier === "free" && paying > 0)
      return (
        `${whose} keeps Pro: a subscription pays for it. What was granted is taken back; ` +
        "cancel the subscription at the payment provider to end Pro"
      );
    return `${whose} is on the ${tier} tier now${count === 1 ? "" : ` (${count} accounts have this address)`}`;
  } finally {
    await connection.close();
  }
}

await runCommand(async () => printLine(await changeTierOf(process.argv[2], process.argv[3])));
