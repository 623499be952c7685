/** From what a judge wrote to a verdict, or to what keeps it from being one. */
import { z } from "zod";
import { isJsonObject, type Json } from "../domain/json.ts";
import type { JudgeTask, JudgeVerdict } from "../domain/judge.ts";

const reason = z.string();

const schemas = {
  groundedness: z.strictObject({
    claims: z.array(
      z.strictObject({ claim: z.int(), verdict: z.enum(["supported", "unsupported", "no_claim"]) }),
    ),
    reason,
  }),
  citation_support: z.strictObject({
    citations: z.array(
      z.strictObject({ citation: z.int(), verdict: z.enum(["supports", "does_not_support"]) }),
    ),
    reason,
  }),
  rubric: z.strictObject({ reason, verdict: z.enum(["pass", "fail"]) }),
} as const satisfies Record<JudgeTask, z.ZodType>;

const jsonSchemas = new Map<JudgeTask, Json>();

/** The JSON Schema of the verdict of a task, as providers take it; made once. */
export function verdictJsonSchema(task: JudgeTask): Json {
  const made = jsonSchemas.get(task) ?? JSON.parse(JSON.stringify(z.toJSONSchema(schemas[task])));
  jsonSchemas.set(task, made);
  return made;
}

/** What was asked, as far as a reply must fit it. */
export interface Asked {
  readonly task: JudgeTask;
  /** How many numbered parts need a verdict. */
  readonly items: number;
}

/** A verdict, or in our own words what is wrong; never in those of the reply. */
export type VerdictReading =
  | { readonly ok: true; readonly verdict: JudgeVerdict }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the reply of a model: one JSON object of the task's form, alone or as the only thing in one fenced block. Anything around it
 * makes it no verdict, for what stands in prose may be a quotation of the text under judgment, and that text may hold verdicts
 * of its own making. So may an object with a repeated key.
 */
export function readVerdictText(asked: Asked, reply: string): VerdictReading {
  if (reply.length > LONGEST_REPLY) return problem("it is far too long");
  const text = withoutFence(reply.trim());
  const parsed = parseJson(text);
  if (parsed === undefined) return problem("it is not one JSON object alone");
  if (hasRepeatedKey(text)) return problem("a key occurs twice in it");
  return readVerdict(asked, parsed);
}

/** Reads a verdict that is a value already, as a function of the user's returns it. */
export function readVerdict(asked: Asked, value: unknown): VerdictReading {
  switch (asked.task) {
    case "rubric": {
      const read = schemas.rubric.safeParse(value);
      if (!read.success) return notOfForm(read.error);
      return accept(read.data.verdict === "pass", [], read.data.reason);
    }
    case "groundedness": {
      const read = schemas.groundedness.safeParse(value);
      if (!read.success) return notOfForm(read.error);
      const parts = read.data.claims.map(({ claim, verdict }) => [claim, verdict !== "unsupported"] as const);
      return readParts("claim", parts, asked.items, read.data.reason);
    }
    case "citation_support": {
      const read = schemas.citation_support.safeParse(value);
      if (!read.success) return notOfForm(read.error);
      const parts = read.data.citations.map(({ citation, verdict }) =>
        [citation, verdict === "supports"] as const
      );
      return readParts("citation", parts, asked.items, read.data.reason);
    }
  }
}

/** A judge that skips a part, invents one or speaks twice of one has not judged what it was asked. */
function readParts(
  noun: string,
  parts: readonly (readonly [number, boolean])[],
  items: number,
  reason: string,
): VerdictReading {
  const verdicts = new Map(parts);
  const numbers = Array.from({ length: items }, (_, index) => index + 1);
  if (parts.length !== items || numbers.some((number) => !verdicts.has(number))) {
    return problem(
      `it must give one verdict for each ${noun} from 1 to ${items}; it gives ${parts.length}` +
        (verdicts.size === parts.length ? "" : ", some of them for the same number"),
    );
  }
  const failed = numbers.filter((number) => verdicts.get(number) === false);
  return accept(failed.length === 0, failed, reason);
}

/** Longer replies are not read. */
const LONGEST_REPLY = 200_000;
/** Longer reasons are cut: they are stored with every case. */
const LONGEST_REASON = 600;

function accept(pass: boolean, failed: readonly number[], given: string): VerdictReading {
  const text = given.toWellFormed().trim();
  const reason = text.length <= LONGEST_REASON ? text : `${text.slice(0, LONGEST_REASON).toWellFormed()}…`;
  return { ok: true, verdict: { pass, failed, reason } };
}

function problem(words: string): VerdictReading {
  return { ok: false, problem: words };
}

/** Names the place alone: values of the reply stay out of what a judge is told next. */
function notOfForm({ issues: [issue] }: z.ZodError): VerdictReading {
  const place = issue?.path.map(String).filter((key) => /^[a-z_]+$|^\d+$/.test(key)).join(".") ?? "";
  return problem(`it is not of the form asked for${place === "" ? "" : ` (at ${place})`}`);
}

/** What a Markdown fence holds, when the fence is all that there is. */
function withoutFence(text: string): string {
  return /^```(?:json)?[^\S\n]*\n([^]*?)\n?```$/i.exec(text)?.[1]?.trim() ?? text;
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value as Json) ? value : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** Whether an object in a JSON text has one key twice; parsing would keep the last one and say nothing. */
function hasRepeatedKey(json: string): boolean {
  const open: Set<string>[] = [];
  const tokens = json.matchAll(/"(?:\\.|[^"\\])*"(\s*:)?|[{}]/g);
  for (const [token, colon] of tokens) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon !== undefined) {
      const key = String(JSON.parse(token.slice(0, token.length - colon.length)));
      const keys = open.at(-1);
      if (keys?.has(key)) return true;
      keys?.add(key);
    }
  }
  return false;
}
