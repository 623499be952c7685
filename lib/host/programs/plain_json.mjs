/** Foreign values → plain JSON, or where they are none: as lib/domain/json.ts does it, for a process that has nothing but itself. */

export class NotJson extends Error {}

const MAX_DEPTH = 500;

/** A copy in plain JSON; throws {@link NotJson}. Text with half a surrogate pair is found on the other side. */
export function plainJson(value, path = "value", ancestors = []) {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new NotJson(`at ${path}, ${value} is not a JSON number`);
      return Object.is(value, -0) ? 0 : value;
    case "object":
      return value === null ? null : plainObject(value, path, ancestors);
    default:
      throw new NotJson(`at ${path}, ${typeof value} is not a JSON value`);
  }
}

function plainObject(value, path, ancestors) {
  if (ancestors.includes(value)) throw new NotJson(`at ${path}, the value contains itself`);
  if (ancestors.length >= MAX_DEPTH) throw new NotJson(`at ${path}, more than ${MAX_DEPTH} levels deep`);
  const within = [...ancestors, value];
  if (typeof value.toJSON === "function") return plainJson(value.toJSON(), path, within);
  if (Array.isArray(value)) {
    return Array.from(value, (item, index) => plainJson(item, `${path}[${index}]`, within));
  }
  if (isOpaque(value)) {
    throw new NotJson(`at ${path}, ${value.constructor?.name || "it"} is not a JSON value`);
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, plainJson(item, `${path}.${key}`, within)]));
}

/** Whether an object keeps what it holds where no key shows it. */
function isOpaque(value) {
  if (value instanceof Error || value instanceof String || ArrayBuffer.isView(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return !isPlain && Object.keys(value).length === 0;
}
