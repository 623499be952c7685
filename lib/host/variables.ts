/** Variables of the environment in texts of a project: `Bearer ${TOKEN}`. */
import { OloproofError } from "../domain/error.ts";

/** A variable whose value nobody else may see. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** A text with its variables filled in, and which these were. */
export interface FilledText {
  readonly text: string;
  readonly secrets: readonly Secret[];
}

/**
 * Fills `${NAME}` from the environment.
 *
 * @param what How messages name the text.
 * @throws {OloproofError} `missing_variable`.
 */
export function fillVariables(
  text: string,
  what: string,
  env: (name: string) => string | undefined,
): FilledText {
  const secrets: Secret[] = [];
  const filled = text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = env(name);
    if (value === undefined || value === "") throw missing(name, what);
    secrets.push({ name, value });
    return value;
  });
  return { text: filled, secrets };
}

function missing(name: string, what: string): OloproofError {
  return new OloproofError(`Cannot use the system: the environment has no ${name}, which ${what} needs`, {
    code: "missing_variable",
    kind: "configuration",
    hint: `set it before the run: export ${name}=…`,
  });
}

/** Shorter values occur in texts by chance. */
const SHORTEST_SECRET = 8;

/** Replaces the values of secrets, also as JSON writes them, by `[redacted NAME]`. */
export function redactSecrets(text: string, secrets: readonly Secret[]): string {
  return secrets.filter(({ value }) => value.length >= SHORTEST_SECRET).reduce((rest, { name, value }) => {
    const written = JSON.stringify(value).slice(1, -1);
    return rest.replaceAll(value, `[redacted ${name}]`).replaceAll(written, `[redacted ${name}]`);
  }, text);
}
