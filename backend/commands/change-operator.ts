/**
 * `npm run grant-operator` and `npm run revoke-operator`, each with an email address or a user id: who may use the page
 * /operator. Only somebody who can reach the database can name an operator.
 */
import { userInfo } from "node:os";
import { z } from "zod";
import { ConfigError, readConfig } from "../config/config.ts";
import { openOperatorModels } from "../domain/operator/operator-models.ts";
import { logged } from "../domain/operator/operator-log.ts";
import { setOperator } from "../domain/operator/operators.ts";
import { openUserModel } from "../domain/accounts/user-model.ts";
import { connectToSite } from "./connect-to-site.ts";
import { printLine, runCommand } from "./run-command.ts";

const Command = z.enum(["grant", "revoke"]);

/**
 * @returns one line that says what was done
 * @throws ConfigError with a message of one line
 */
async function changeOperator(name: string | undefined, whose: string | undefined): Promise<string> {
  const command = Command.parse(name);
  if (whose === undefined)
    throw new ConfigError(`Say who, by email address or user id: npm run ${command}-operator -- EMAIL`);
  const { MONGODB_URI, DATA_DIR } = process.env;
  const config = readConfig({ MONGODB_URI, DATA_DIR });
  const connection = await connectToSite(config);
  try {
    const users = await openUserModel(connection);
    const { userIds, unverified } = await setOperator({ users }, whose, command === "grant");
    if (userIds.length === 0 && unverified > 0)
      throw new ConfigError(
        `Nobody became an operator: the identity provider has not verified ${whose}, so the account may be somebody ` +
          "else's. Let the user verify the address and sign in again, or name the account by its user id",
      );
    if (userIds.length === 0) throw new ConfigError(`Nobody has signed in as ${whose}`);
    const act = { by: `npm run ${command}-operator (${userInfo().username})`, act: `${command}_operator` };
    await logged(await openOperatorModels(connection), { ...act, on: userIds.join(" ") }, () => Promise.resolve());
    return command === "grant"
      ? `${whose} may use /operator now, after a sign-in within the last hour`
      : `${whose} may not use /operator any more`;
  } finally {
    await connection.close();
  }
}

await runCommand(async () => printLine(await changeOperator(process.argv[2], process.argv[3])));
