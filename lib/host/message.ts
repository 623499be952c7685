/** The messages of the protocol: JSON-RPC 2.0, one a line. */
import { messageOf } from "../domain/error.ts";

/** The version of the protocol. */
export const PROTOCOL = 1;

/** What a system is asked. */
export type Method = "hello" | "retrieve" | "assemble" | "generate" | "answer" | "count_tokens";

/** A call that came back as an error. */
export interface ErrorReply {
  readonly message: string;
  /** `invalid_output`: what the stage returned cannot be written as a message; anything else: it failed. */
  readonly kind?: string;
  readonly trace?: string;
  readonly hint?: string;
  readonly usage?: unknown;
}

/** How a call ended. */
export type Reply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: ErrorReply };

/** What one line of a process is. */
export type Line =
  | { readonly kind: "reply"; readonly id: number; readonly reply: Reply }
  /** An answer to a call that cannot be read. */
  | { readonly kind: "broken"; readonly id: number; readonly problem: string }
  | { readonly kind: "noise"; readonly text: string };

/** A request as a line. */
export function requestLine(id: number, method: Method, params: unknown): string {
  return `${requestText(id, method, params)}\n`;
}

/** A request as the body of an HTTP POST. */
export function requestText(id: number, method: Method, params: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

/** The notification that nobody waits for a call any more. */
export function cancelLine(id: number): string {
  return `${JSON.stringify({ jsonrpc: "2.0", method: "cancel", params: { id } })}\n`;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
const lenient = new TextDecoder();

/** Reads one line. What is no message is noise: libraries print where they should not. */
export function readLine(bytes: Uint8Array): Line {
  let text: string;
  try {
    text = strict.decode(bytes);
  } catch {
    // Bytes that are no UTF-8: replaced characters would be taken for what the system answered.
    return brokenOrNoise(lenient.decode(bytes), "it is not UTF-8 text");
  }
  return readText(text);
}

/** Reads the text of one message; a text that was printed before it, without an end of line, is passed over. */
export function readText(text: string): Line {
  const parsed = parse(text);
  if (parsed.ok) return readMessage(parsed.value) ?? { kind: "noise", text };
  const start = text.indexOf('{"jsonrpc"');
  const rest = start > 0 ? parse(text.slice(start)) : undefined;
  const found = rest?.ok ? readMessage(rest.value) : undefined;
  return found ?? brokenOrNoise(text, `it is not JSON: ${parsed.problem}`);
}

/** A message that is cut or ill-formed ends its call at once; otherwise the call would only end by its time limit. */
function brokenOrNoise(text: string, problem: string): Line {
  const id = /"jsonrpc"/.test(text) ? /"id"\s*:\s*(\d{1,15})\b/.exec(text)?.[1] : undefined;
  return id === undefined ? { kind: "noise", text } : { kind: "broken", id: Number(id), problem };
}

function parse(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (cause) {
    return { ok: false, problem: messageOf(cause).slice(0, 200) };
  }
}

/** A reply, or nothing when the value is no reply: a notification of the system, or JSON that it logs. */
function readMessage(value: unknown): Line | undefined {
  if (!isRecord(value) || value.jsonrpc !== "2.0" || typeof value.id !== "number") return undefined;
  if (isRecord(value.error)) {
    return { kind: "reply", id: value.id, reply: { ok: false, error: readError(value.error) } };
  }
  return "result" in value
    ? { kind: "reply", id: value.id, reply: { ok: true, result: value.result } }
    : undefined;
}

function readError({ message, data }: Readonly<Record<string, unknown>>): ErrorReply {
  const { kind, trace, hint, usage } = isRecord(data) ? data : {};
  return {
    message: typeof message === "string" && message !== "" ? message : "the system gave no reason",
    ...(typeof kind === "string" ? { kind } : {}),
    ...(typeof trace === "string" ? { trace } : {}),
    ...(typeof hint === "string" ? { hint } : {}),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** Whether a value is an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
