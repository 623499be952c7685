/** JSON text: where its parts stand, or where and how it departs from the grammar. Source: RFC 8259. */
import type { PlacedPart } from "./place.ts";
import { quote } from "./quote.ts";

/** The first fault of a JSON text. `offset` is 0-based, in UTF-16 code units. */
export interface JsonFault {
  readonly offset: number;
  /** `invalid_json`, or what is wrong with a text that JSON.parse would take. */
  readonly code: "invalid_json" | "duplicate_key" | "invalid_value" | "too_deep";
  readonly problem: string;
}

/** The parts of a JSON text, or its first fault. */
export type JsonScan =
  | { readonly ok: true; readonly root: PlacedPart }
  | { readonly ok: false; readonly fault: JsonFault };

/**
 * Walks a JSON text, which messages call a line or what `whole` says. Beyond the grammar it refuses what JSON.parse takes in silence: equal keys in one
 * object, the key `__proto__`, numbers beyond the range of a double, half a surrogate pair in text, and more
 * than 500 levels.
 */
export function scanJson(text: string, whole = "line"): JsonScan {
  try {
    return { ok: true, root: new Scanner(text, whole).scan() };
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause;
    const { offset, code, message } = cause;
    return { ok: false, fault: { offset, code, problem: message } };
  }
}

class Fault extends Error {
  constructor(readonly offset: number, problem: string, readonly code: JsonFault["code"]) {
    super(problem);
  }
}

/** The same limit as the one on what stages return. */
const MAX_DEPTH = 500;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[-+]?[\p{L}_$][\p{L}\p{N}_$]*/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What people and other languages write where JSON wants something else. */
const WORDS: Readonly<Record<string, string>> = {
  True: "JSON writes true",
  False: "JSON writes false",
  None: "JSON writes null",
  undefined: "JSON has no undefined; write null or leave the key out",
};

class Scanner {
  private offset = 0;

  constructor(private readonly text: string, private readonly whole: string) {}

  scan(): PlacedPart {
    const root = this.value(0);
    if (this.offset < this.text.length) this.fail(`the ${this.whole} goes on after its value`);
    return root;
  }

  private value(depth: number): PlacedPart {
    if (depth > MAX_DEPTH) this.fail(`More than ${MAX_DEPTH} levels deep`, this.offset, "too_deep");
    this.skipSpace();
    const at = this.offset;
    const first = this.text[at];
    if (first === "{") return { at, parts: this.object(depth) };
    if (first === "[") return { at, parts: this.list(depth) };
    const written = first === '"' ? this.string() : this.number() ?? this.word();
    this.skipSpace();
    return { at, written };
  }

  private object(depth: number): ReadonlyMap<string, PlacedPart> {
    const parts = new Map<string, PlacedPart>();
    this.offset++;
    if (this.takes("}")) return parts;
    do {
      this.skipSpace();
      const key_at = this.offset;
      if (this.text[key_at] === "}") this.fail("a comma stands before }");
      if (this.text[key_at] !== '"') this.fail("expected a key in double quotes");
      const key = this.string();
      if (key === "__proto__") this.fail('The key "__proto__" is not allowed', key_at, "invalid_value");
      if (parts.has(key)) this.fail(`The key ${quote(key)} is given twice`, key_at, "duplicate_key");
      if (!this.takes(":")) this.fail('expected ":" after the key');
      parts.set(key, { ...this.value(depth + 1), key_at });
    } while (this.takes(","));
    if (!this.takes("}")) this.fail('expected "," or "}"');
    return parts;
  }

  private list(depth: number): ReadonlyMap<string, PlacedPart> {
    const parts = new Map<string, PlacedPart>();
    this.offset++;
    if (this.takes("]")) return parts;
    do {
      this.skipSpace();
      if (this.text[this.offset] === "]") this.fail("a comma stands before ]");
      parts.set(String(parts.size), this.value(depth + 1));
    } while (this.takes(","));
    if (!this.takes("]")) this.fail('expected "," or "]"');
    return parts;
  }

  private string(): string {
    const { text } = this;
    const at = this.offset;
    let end = at + 1;
    let escaped = false;
    for (;;) {
      const code = text.charCodeAt(end);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        escaped = true;
        end += this.escapeAt(end);
      } else if (code >= 0x20) end++;
      else if (end < text.length) {
        this.fail("a control character in text is written as an escape, as \\n", end);
      } else this.fail("the text has no closing quote", at);
    }
    this.offset = end + 1;
    const value: string = escaped ? JSON.parse(text.slice(at, end + 1)) : text.slice(at + 1, end);
    if (!value.isWellFormed()) this.fail("The text holds half of a surrogate pair", at, "invalid_value");
    return value;
  }

  /** The length of an escape. */
  private escapeAt(offset: number): number {
    ESCAPE.lastIndex = offset;
    const escape = ESCAPE.exec(this.text)?.[0];
    return escape === undefined ? this.fail("no such escape in JSON text", offset) : escape.length;
  }

  private number(): string | undefined {
    const at = this.offset;
    const written = this.match(NUMBER);
    if (written === undefined) return undefined;
    const next = this.text[this.offset] ?? "";
    if (/[\w.+-]/.test(next)) this.fail("the number is not written as JSON writes numbers", at);
    if (!Number.isFinite(Number(written))) {
      this.fail("The number is beyond the range of a double", at, "invalid_value");
    }
    if (/^-?\d+$/.test(written) && written !== "-0" && String(Number(written)) !== written) {
      this.fail("The integer has more digits than a double can keep; write it as text", at, "invalid_value");
    }
    return written;
  }

  private word(): string {
    const at = this.offset;
    const word = this.match(WORD) ?? "";
    if (word === "true" || word === "false" || word === "null") return word;
    if (/^[-+]?(?:nan|inf(?:inity)?)$/i.test(word)) {
      this.fail(`${word} is not a JSON number; write null or leave the key out`, at);
    }
    if (at >= this.text.length) this.fail(`the ${this.whole} ends where a value is expected`);
    if (this.text[at] === "'") this.fail("text is written in double quotes");
    this.fail(Object.hasOwn(WORDS, word) ? WORDS[word] ?? "" : "expected a value", at);
  }

  private takes(character: string): boolean {
    this.skipSpace();
    if (this.text[this.offset] !== character) return false;
    this.offset++;
    this.skipSpace();
    return true;
  }

  private skipSpace(): void {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.offset);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.offset++;
    }
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.offset += found.length;
    return found;
  }

  private fail(problem: string, offset = this.offset, code: JsonFault["code"] = "invalid_json"): never {
    throw new Fault(offset, problem, code);
  }
}
