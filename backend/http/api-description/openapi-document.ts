/** The description of the API as an OpenAPI 3.1 document, made from the schemas that check the calls. */
import { z } from "zod";
import type { ErrorCode } from "../../../common/errors.ts";
import { SENTENCES } from "../../../common/errors.ts";
import { JobMessage, SIGNATURE_HEADER, TestMessage, type WebhookMessageType } from "../../../common/webhook-calls.ts";
import { IdempotencyKey } from "../middleware/request-key.ts";
import { statusOf } from "../edge/errors.ts";
import {
  DESCRIBED_CALLS,
  errorsOf,
  type DescribedAnswer,
  type DescribedCall,
  type DescribedContent,
} from "./described-calls.ts";
import { MESSAGES } from "./examples.ts";
import { ErrorAnswer, NAMED_SCHEMAS } from "./schemas.ts";

/** Of the API, not of the software: see {@link ABOUT}. */
const API_VERSION = "1.0";

const ABOUT = `Turns video links into files: look at a link, convert it, follow the job, download the file.

**Who calls.** A program sends \`Authorization: Bearer TOKEN\`, with a token from the dashboard; cookies and \`Origin\` play no
part then. Each call names the scope that its token needs. A browser sends the cookies of device and session, and a call
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

const registry = z.registry<{ id: string }>();
const nameOf = new Map<z.ZodType, string>();
for (const [id, schema] of Object.entries(NAMED_SCHEMAS)) {
  registry.add(schema, { id });
  nameOf.set(schema, id);
}

/** @returns the whole document, for JSON */
export function describeApi(publicUrl: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [route, call] of Object.entries(DESCRIBED_CALLS)) {
    const [method = "", path = ""] = route.split(" ");
    (paths[path.replaceAll(/:(\w+)/g, "{$1}")] ??= {})[method.toLowerCase()] = describeCall(route, call);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Tapedeck", version: API_VERSION, description: ABOUT },
    servers: [{ url: publicUrl }],
    paths,
    webhooks: describeMessages(),
    components: { schemas: describeSchemas(), securitySchemes: SECURITY_SCHEMES },
  };
}

const ABOUT_MESSAGES = `Sent to each webhook of the account, by POST. Answer with 2xx within 10 seconds, and work on it afterwards. Any other
answer, a redirect too, and none at all count as failures: the message is sent again after 5 seconds, 10 seconds and so on,
at most an hour apart, for a day. An answer of 410 turns the webhook off, and so does a day of failures.

A message may come more than once, and later ones may come before it: keep the \`id\` of those you have worked on.`;

/** The parameter of every message. */
const SIGNATURE = {
  name: SIGNATURE_HEADER,
  in: "header",
  required: true,
  description:
    "`t=SECONDS,v1=HEX`: the HMAC-SHA256, with the webhook's secret as its key, of `SECONDS.` and the body as it came. " +
    "It is the format of Stripe, so that its libraries can check it. Refuse messages that are minutes old.",
  schema: { type: "string" },
};

/** @returns what webhooks get, by type */
function describeMessages(): Json {
  return Object.fromEntries(
    Object.entries(MESSAGES).map(([type, example]) => [
      type,
      {
        post: {
          operationId: operationId(`message ${type}`),
          summary: SUMMARIES[example.type],
          description: ABOUT_MESSAGES,
          parameters: [SIGNATURE],
          requestBody: {
            required: true,
            content: contentOf({ schema: example.type === "test" ? TestMessage : JobMessage, example }),
          },
          responses: {
            "2XX": { description: "Taken" },
            410: { description: "No more messages are wanted; the webhook is turned off" },
          },
        },
      },
    ]),
  );
}

const SUMMARIES: Readonly<Record<WebhookMessageType, string>> = {
  "job.completed": "A job has been completed",
  "job.failed": "A job has failed",
  test: "Somebody has pressed the test button of the dashboard",
};

const SECURITY_SCHEMES = {
  token: { type: "http", scheme: "bearer", description: "A token from the dashboard, with the scope of the call." },
  session: { type: "apiKey", in: "cookie", name: "session", description: "The cookies of a browser of this site." },
};

/** @returns the ways to call; an empty one where nobody has to say who calls */
function describeSecurity({ tokens, isForAccounts }: DescribedCall): Json[] {
  return [
    ...(tokens === undefined ? [] : [{ token: tokens === "any" ? [] : [tokens] }]),
    { session: [] },
    ...(isForAccounts ? [] : [{}]),
  ];
}

/** As this server reads and sends them: fields with a default may be left out of a request. */
function describeSchemas(): Json {
  const uri = (id: string): string => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(registry, { uri, io: "input", target: "draft-2020-12" });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $id: _id, $schema: _dialect, ...schema }]) => [id, schema]),
  );
}

function describeCall(route: string, call: DescribedCall): Json {
  const { group, summary, description, request, query, headers, isRepeatable, answers } = call;
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
    ...(request ? { requestBody: { required: true, content: contentOf(request) } } : {}),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, describeAnswer(answer)])),
      ...describeErrors(errorsOf(route, call)),
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

function describeAnswer({ description, headers, mediaTypes, schema, example }: DescribedAnswer): Json {
  const described = { description, ...(headers && { headers: describeHeaders(headers) }) };
  if (schema) return { ...described, content: contentOf({ schema, example }) };
  if (mediaTypes === undefined) return described;
  const file = { schema: { type: "string", format: "binary" } };
  return { ...described, content: Object.fromEntries(mediaTypes.map((type) => [type, file])) };
}

function describeHeaders(headers: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
  );
}

type Content = Pick<DescribedContent, "schema" | "moreExamples"> & Partial<DescribedContent>;

function contentOf({ schema, example, moreExamples }: Content): Json {
  if (!moreExamples) return { "application/json": { schema: referenceTo(schema), example } };
  const examples = Object.entries({ simple: example, ...moreExamples }).map(([name, value]) => [name, { value }]);
  return { "application/json": { schema: referenceTo(schema), examples: Object.fromEntries(examples) as Json } };
}

/** @throws Error for a schema that has no name, which is a bug */
function referenceTo(schema: z.ZodType): Json {
  const name = nameOf.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodType)
    return { type: "array", items: referenceTo(schema.element) };
  throw new Error("a schema of the description is not among NAMED_SCHEMAS");
}

/** One answer for each status, with an example for each code. */
function describeErrors(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, statusOf);
  return Object.fromEntries(
    Array.from(byStatus, ([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\``).join(", "),
        content: {
          "application/json": {
            schema: referenceTo(ErrorAnswer),
            examples: Object.fromEntries(ofStatus.map((code) => [code, { value: { code, message: SENTENCES[code] } }])),
          },
        },
      },
    ]),
  );
}
