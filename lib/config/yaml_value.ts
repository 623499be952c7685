/** The nodes of a YAML document → a JSON value with the places of its parts. */
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { Json } from "../domain/json.ts";
import type { PlacedPart } from "./place.ts";
import { quote } from "./quote.ts";

/** More than any project needs; a few aliases of aliases would otherwise never end. */
const MAX_NODES = 50_000;
const MAX_DEPTH = 100;

const CORE_TAGS = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/;

/** A value and where it stands. */
export interface PlacedValue {
  readonly value: Json;
  readonly part: PlacedPart;
}

type Node = Alias | Scalar | YAMLMap | YAMLSeq;
type Refuse = (code: string, message: string) => PlacedValue;

/**
 * Converts the nodes of one document. What cannot be converted is reported and stands in the value as null.
 */
export class YamlConverter {
  private nodes = 0;
  private depth = 0;
  private readonly anchors = new Map<string, Node>();
  /** The values of anchored nodes that were read to their end, and how many nodes each has. */
  private readonly anchored = new Map<Node, PlacedValue & { readonly size: number }>();

  constructor(private readonly report: (code: string, message: string, offset: number) => void) {}

  /** Whether the limit of nodes was reached, so that the value is not whole. */
  get isExhausted(): boolean {
    return this.nodes > MAX_NODES;
  }

  /** `fallback` is the offset of what has none of its own, such as the value of `{a: }`. */
  convert(node: unknown, fallback: number): PlacedValue {
    if (!isNode(node)) return { value: null, part: { at: fallback, empty: true } };
    const at = node.range?.[0] ?? fallback;
    const refuse: Refuse = (code, message) => {
      this.report(code, message, at);
      return { value: null, part: { at } };
    };
    const before = this.nodes;
    if (!this.count(1, refuse)) return { value: null, part: { at } };
    if (isAlias(node)) return this.follow(node, at, refuse);
    if (node.tag !== undefined && !CORE_TAGS.test(node.tag)) {
      return refuse("yaml_syntax", `The tag ${quote(node.tag)} is not supported`);
    }
    if (this.depth >= MAX_DEPTH) return refuse("too_deep", `More than ${MAX_DEPTH} levels deep`);
    if (node.anchor !== undefined) this.anchors.set(node.anchor, node);
    this.depth++;
    const converted = isScalar(node)
      ? this.scalar(node, at, refuse)
      : isMap(node)
      ? this.map(node, at)
      : this.list(node, at);
    this.depth--;
    if (node.anchor !== undefined) this.anchored.set(node, { ...converted, size: this.nodes - before });
    return converted;
  }

  /** Counts nodes against the limit, and reports once that it is passed. */
  private count(nodes: number, refuse: Refuse): boolean {
    const wasExhausted = this.isExhausted;
    this.nodes += nodes;
    if (this.isExhausted && !wasExhausted) {
      refuse("too_large", `More than ${MAX_NODES} values, counting each use of an alias`);
    }
    return !this.isExhausted;
  }

  private follow(alias: Alias, at: number, refuse: Refuse): PlacedValue {
    const name = quote(`*${alias.source}`);
    const node = this.anchors.get(alias.source);
    if (node === undefined) return refuse("yaml_syntax", `The alias ${name} has no anchor before it`);
    const target = this.anchored.get(node);
    if (target === undefined) return refuse("yaml_syntax", `The alias ${name} stands inside its own anchor`);
    if (!this.count(target.size, refuse)) return { value: null, part: { at } };
    return { value: target.value, part: { ...target.part, at } };
  }

  private scalar(node: Scalar, at: number, refuse: Refuse): PlacedValue {
    const { value } = node;
    const written = node.source ?? "";
    if (typeof value === "string" && !value.isWellFormed()) {
      return refuse("invalid_value", "The text holds half of a surrogate pair");
    }
    if (
      value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ) {
      return { value, part: { at, written, empty: written === "" && value === null } };
    }
    return refuse("invalid_value", `The value ${quote(written)} is not one of JSON's`);
  }

  private map(node: YAMLMap, at: number): PlacedValue {
    const entries: [string, Json][] = [];
    const parts = new Map<string, PlacedPart>();
    for (const pair of node.items) {
      const key_at = offsetOf(pair.key) ?? at;
      const key = this.key(pair, key_at);
      // Also of a key that is refused: an anchor may stand in its value.
      const { value, part } = this.convert(pair.value, key_at);
      if (key === undefined) continue;
      if (parts.has(key)) {
        this.report("duplicate_key", `The key ${quote(key)} is given twice`, key_at);
        continue;
      }
      entries.push([key, value]);
      parts.set(key, { ...part, key_at });
    }
    return { value: Object.fromEntries(entries), part: { at, parts } };
  }

  private key(pair: Pair, at: number): string | undefined {
    const key = isScalar(pair.key) ? keyText(pair.key) : undefined;
    if (key === undefined || !key.isWellFormed()) {
      this.report("yaml_syntax", "A key must be plain text", at);
      return undefined;
    }
    if (key === "<<") {
      this.report(
        "not_supported",
        'The merge key "<<" is not part of YAML 1.2; repeat the keys, or use an alias',
        at,
      );
      return undefined;
    }
    if (key === "__proto__") {
      this.report("invalid_value", 'The key "__proto__" is not allowed', at);
      return undefined;
    }
    return key;
  }

  private list(node: YAMLSeq, at: number): PlacedValue {
    const items = node.items.map((item) => this.convert(item, at));
    return {
      value: items.map((item) => item.value),
      part: { at, parts: new Map(items.map((item, index) => [String(index), item.part])) },
    };
  }
}

function isNode(node: unknown): node is Node {
  return isAlias(node) || isScalar(node) || isMap(node) || isSeq(node);
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

/** A key as it is written: `1: x` has the key "1". */
function keyText(key: Scalar): string {
  return typeof key.value === "string" ? key.value : key.source ?? String(key.value);
}
