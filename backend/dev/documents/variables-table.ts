/** The documentation of the variables. A test compares it with `.env.example` and the table in backend/README.md. */
import type { Variable } from "../../config/variable-kinds.ts";
import { VARIABLES } from "../../config/variables.ts";

/** @returns the text of `.env.example` */
export function renderEnvExample(): string {
  const lines = ["# Every variable with its default. Copy to .env and change what you need.", ""];
  for (const [name, { about, default: fallback, defaultAs }] of Object.entries<Variable>(VARIABLES))
    if (defaultAs === undefined) lines.push(`# ${about}`, `${name}=${fallback}`, "");
    else lines.push(`# ${about} (default: ${defaultAs})`, `# ${name}=`, "");
  return lines.join("\n");
}

/** @returns the rows of the table in backend/README.md */
export function renderReadmeRows(): string[] {
  return Object.entries<Variable>(VARIABLES).map(
    ([name, variable]) => `| \`${name}\` | ${shownDefault(variable)} | ${variable.about} |`,
  );
}

function shownDefault({ default: fallback, defaultAs }: Variable): string {
  if (defaultAs !== undefined) return defaultAs === "" ? "none" : defaultAs;
  return fallback === "" ? "none" : `\`${fallback}\``;
}
