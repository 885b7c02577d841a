/** The description of the API as an OpenAPI 3.1 document, made from the schemas that check the calls. */
import { z } from "zod";
import type { ErrorCode } from "../../../common/errors.ts";
import { SENTENCES } from "../../../common/errors.ts";
import { IdempotencyKey } from "../middleware/request-key.ts";
import { statusOf } from "../every-request/errors.ts";
import { addressOf, errorsOf, type Answer, type Call } from "./call.ts";
import { describeMessages } from "./messages.ts";
import {
  asExamples,
  describeContent,
  describeSchemas,
  nameSchemas,
  referenceTo,
  type SchemaNames,
} from "./schema-names.ts";
import { ErrorAnswer } from "./schemas.ts";

/** Of the API, not of the software: see {@link ABOUT}. */
const API_VERSION = "1.0";

const ABOUT = `Turns video links into files: look at a link, convert it, follow the job, download the file.

**Who calls.** A program sends \`Authorization: Bearer TOKEN\`, with a token from the dashboard; cookies and \`Origin\` play no
part then. Each call names the scope that its token needs. A token works until its user revokes it or signs out
everywhere. A browser sends the cookies of device and session, and a call
that changes something must come from a page of this site (\`Origin\`) and be JSON.

**What may change.** Within version 1, calls, optional fields of requests, fields of answers, values of enumerations
and error codes may be added. Ignore fields that you do not know, and treat an unknown code as \`internal\`, with its
message. What is here is not taken away or given another meaning.

**Errors.** Every error is an \`Error\`: a code for programs, a sentence for people, and figures in \`reason\`. Answers
with 429 and 503 say in \`Retry-After\` when to try again.

**Repeating.** Send a new \`Idempotency-Key\` with a call that takes one. If its answer is lost, send it again with the
same key: within a day the call is carried out once.

**Live.** Socket.IO at the same address pushes every change of the caller's jobs as \`job\`. A program sends its token in the
\`Authorization\` header of the handshake. \`/api/events\` is the same as server-sent events. A webhook gets a message when
a job has ended.`;

type Json = Readonly<Record<string, unknown>>;

/** @returns the whole document, for JSON */
export function describeApi(publicUrl: string, calls: readonly Call[]): Json {
  const names = nameSchemas(calls);
  const paths: Record<string, Record<string, Json>> = {};
  for (const call of calls) {
    const [method, path] = addressOf(call);
    (paths[path.replaceAll(/:(\w+)/g, "{$1}")] ??= {})[method.toLowerCase()] = describeCall(call, names);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Tapedeck", version: API_VERSION, description: ABOUT },
    servers: [{ url: publicUrl }],
    paths,
    webhooks: describeMessages(operationId, (content) => describeContent(content, names)),
    components: { schemas: describeSchemas(names), securitySchemes: SECURITY_SCHEMES },
  };
}

const SECURITY_SCHEMES = {
  token: { type: "http", scheme: "bearer", description: "A token from the dashboard, with the scope of the call." },
  session: { type: "apiKey", in: "cookie", name: "session", description: "The cookies of a browser of this site." },
};

/** @returns the ways to call; an empty one where nobody has to say who calls */
function describeSecurity({ tokens, isForAccounts }: Call): Json[] {
  return [
    ...(tokens === undefined ? [] : [{ token: tokens === "any" ? [] : [tokens] }]),
    { session: [] },
    ...(isForAccounts ? [] : [{}]),
  ];
}

function describeCall(call: Call, names: SchemaNames): Json {
  const { route, group, summary, description, request, query, headers, isRepeatable, answers } = call;
  const parameters = [
    ...Array.from(route.matchAll(/:(\w+)/g), ([, name]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
    ...(query ? describeParameters(query, "query") : []),
    ...(headers ? describeParameters(headers, "header") : []),
    ...(isRepeatable ? [IDEMPOTENCY_KEY] : []),
  ];
  return {
    operationId: operationId(route),
    tags: [group],
    summary,
    ...(description === undefined ? {} : { description }),
    security: describeSecurity(call),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(request ? { requestBody: { required: true, content: describeContent(request, names) } } : {}),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, describeAnswer(answer, names)])),
      ...describeErrors(errorsOf(call), names),
    },
  };
}

/** @returns a parameter for each field */
function describeParameters(schema: z.ZodObject, place: "query" | "header"): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return Object.entries(properties).map(([field, property]) => {
    const { description, ...rest } = typeof property === "object" ? property : {};
    const name = place === "header" ? headerName(field) : field;
    return { name, in: place, required: required.includes(field), description, schema: rest };
  });
}

/** @returns such as "Last-Event-ID" */
function headerName(field: string): string {
  return field.replaceAll(/\b(id$|[a-z])/g, (start) => start.toUpperCase());
}

const { $schema: _dialect, ...IDEMPOTENCY_KEY_SCHEMA } = z.toJSONSchema(IdempotencyKey, { io: "input" });

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  description: "A new random value for each request; the same one when it is sent again. An empty one counts as none.",
  schema: IDEMPOTENCY_KEY_SCHEMA,
};

/** @returns such as "postApiConversionsIdRetry" */
function operationId(route: string): string {
  const [first = "", ...words] = route.toLowerCase().match(/[a-z]+/g) ?? [];
  return first + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function describeAnswer({ description, headers, mediaTypes, schema, example }: Answer, names: SchemaNames): Json {
  const described = { description, ...(headers && { headers: describeHeaders(headers) }) };
  if (schema) return { ...described, content: describeContent({ schema, example }, names) };
  if (mediaTypes === undefined) return described;
  const file = { schema: { type: "string", format: "binary" } };
  return { ...described, content: Object.fromEntries(mediaTypes.map((type) => [type, file])) };
}

function describeHeaders(headers: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
  );
}

/** One answer for each status, with an example for each code. */
function describeErrors(codes: readonly ErrorCode[], names: SchemaNames): Json {
  const byStatus = Map.groupBy(codes, statusOf);
  const schema = referenceTo(ErrorAnswer, names);
  return Object.fromEntries(
    Array.from(byStatus, ([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\``).join(", "),
        content: {
          "application/json": {
            schema,
            examples: asExamples(
              Object.fromEntries(ofStatus.map((code) => [code, { code, message: SENTENCES[code] }])),
            ),
          },
        },
      },
    ]),
  );
}
