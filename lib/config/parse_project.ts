/** The text of a project file → a project, or every mistake in it. */
import { basename, resolve } from "node:path";
import type { z } from "zod";
import type { Issue } from "../domain/error.ts";
import { isJsonObject, type Json, readPath } from "../domain/json.ts";
import { judgeModelOf } from "../domain/judge.ts";
import type { EvaluatorSpec, Project } from "../domain/project.ts";
import { type PartialSettings, partialSettingsSchema } from "../domain/settings.ts";
import { isRemoteStore } from "../domain/store_location.ts";
import { evaluatorsBeyondDepth } from "./check_depth.ts";
import { checkEvaluators, type PlacedEvaluator } from "./check_evaluators.ts";
import { originIssues } from "./check_origin.ts";
import { type Places, sortIssues } from "./place.ts";
import { LATER_KEYS, projectSchema } from "./project_schema.ts";
import { SchemaGuide } from "./schema_guide.ts";
import { schemaIssues } from "./schema_issues.ts";
import { systemSource } from "./system_source.ts";
import { readYaml, type YamlReading } from "./yaml_text.ts";

/** Where the text of a project comes from. */
export interface ProjectOrigin {
  /** The file as messages name it. */
  readonly file: string;
  /** The absolute path of the folder that the file is in. */
  readonly root: string;
}

/** A project, or all mistakes in its text, sorted by place. */
export type ProjectParsing =
  | { readonly ok: true; readonly project: Project }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Parses the text of `oloproof.yaml`. Paths become absolute, defaults are filled in, and each evaluator gets
 * its complete parameters and its criterion. A project without evaluators is allowed here; so is a depth
 * that only the system knows (see {@link evaluatorsBeyondDepth}). Text that is no YAML is reported alone,
 * since the rest would be guesswork.
 */
export function parseProject(text: string, origin: ProjectOrigin): ProjectParsing {
  const { value, places, issues } = readYaml(text, origin.file);
  if (value === undefined) return { ok: false, issues: sortIssues(issues) };
  // An empty file lacks keys; it is not of a wrong type.
  return checkProject({ value: value ?? {}, places, issues }, origin);
}

const guide = new SchemaGuide(projectSchema);

function checkProject(
  { value, places, issues }: YamlReading & { value: Json },
  origin: ProjectOrigin,
): ProjectParsing {
  const checked = projectSchema.safeParse(value);
  const context = { whole: "The project", value, places, guide, later: LATER_KEYS };
  const found = schemaIssues(checked.error?.issues ?? [], context);
  const { evaluators, issues: others } = checkEvaluators({
    entries: readPath(value, "evaluators"),
    places,
    unit: projectSchema.shape.relevance_unit.safeParse(readPath(value, "relevance_unit")).data ?? "document",
  });
  const mistakes = [
    ...found,
    ...others,
    ...depthIssues(value, places, evaluators),
    ...originIssues(value, places),
    ...priceIssues(value, places, evaluators),
  ];
  // What could not be read was reported already; that null stands in its place is no second mistake.
  const all = [
    ...issues,
    ...mistakes.filter((mistake) => !issues.some((issue) => isSamePlace(issue, mistake))),
  ];
  if (!checked.success || all.length > 0) return { ok: false, issues: sortIssues(all) };
  return { ok: true, project: completeProject(checked.data, evaluators.map(({ spec }) => spec), origin) };
}

/** Depth, top_k and k against each other, as far as the file states them. */
function depthIssues(value: Json, places: Places, evaluators: readonly PlacedEvaluator[]): readonly Issue[] {
  const { file } = places;
  const depth = partialSettingsSchema.shape.depth.safeParse(readPath(value, "system.rag.depth")).data;
  const top_k = partialSettingsSchema.shape.top_k.safeParse(readPath(value, "system.rag.top_k")).data;
  if (depth === undefined) return [];
  const beyond = evaluatorsBeyondDepth(evaluators.map(({ spec }) => spec), depth).map(
    ({ index, message }) => {
      const place = places.value(["evaluators", evaluators[index]?.index ?? index, "k"]);
      return { code: "k_beyond_depth", message, file, ...place };
    },
  );
  if (top_k === undefined || top_k <= depth) return beyond;
  const message = `top_k is ${top_k}, but depth is ${depth}; allowed: top_k up to ${depth}`;
  return [...beyond, {
    code: "top_k_beyond_depth",
    message,
    file,
    ...places.value(["system", "rag", "top_k"]),
  }];
}

function isSamePlace(a: Issue, b: Issue): boolean {
  return a.line === b.line && a.column === b.column;
}

type Parsed = z.output<typeof projectSchema>;

/** A limit of cost counts only what has a price. */
function priceIssues(value: Json, places: Places, evaluators: readonly PlacedEvaluator[]): readonly Issue[] {
  const limit = readPath(value, "judging.max_cost_usd");
  if (limit === undefined) return [];
  const prices = readPath(value, "judging.prices");
  const priced = isJsonObject(prices) ? prices : {};
  const models = evaluators.map(({ spec: { parameters } }) => judgeModelOf(parameters))
    .flatMap((judge) => judge?.provider === "object" ? [] : judge?.model ?? []);
  return [...new Set(models)].filter((model) => !Object.hasOwn(priced, model)).map((model) => ({
    code: "model_without_price",
    message: `judging.max_cost_usd needs the price of ${JSON.stringify(model)}`,
    file: places.file,
    ...places.value(["judging", "max_cost_usd"]),
    hint: `prices: {${JSON.stringify(model)}: {input: …, output: …}}, in dollars per million tokens`,
  }));
}

function completeProject(
  parsed: Parsed,
  evaluators: readonly EvaluatorSpec[],
  { file, root }: ProjectOrigin,
): Project {
  const { system: { name, version, rag }, cases, slices, min_slice_support, relevance_unit, store } = parsed;
  const { depth, top_k, token_budget, index_version, params, reports, accepts_context, ranked } = rag;
  const stated = { depth, top_k, token_budget, index_version, params, reports, accepts_context, ranked };
  const { corpus } = parsed;
  return {
    root,
    file: resolve(root, basename(file)),
    system: systemSource(parsed, root),
    settings: withoutAbsent({ name, version, ...stated }),
    cases: { kind: "files", paths: [cases].flat().map((path) => resolve(root, path)) },
    ...(corpus === undefined ? {} : { corpus: resolve(root, corpus) }),
    evaluators,
    slices,
    min_slice_support,
    relevance_unit,
    run: parsed.run,
    judging: judgingOf(parsed.judging),
    store: isRemoteStore(store) ? store : resolve(root, store),
  };
}

/** Without the limits that are not stated. */
function judgingOf({ requests_per_minute, max_calls, max_cost_usd, ...stated }: Parsed["judging"]) {
  return {
    ...stated,
    ...(requests_per_minute === undefined ? {} : { requests_per_minute }),
    ...(max_calls === undefined ? {} : { max_calls }),
    ...(max_cost_usd === undefined ? {} : { max_cost_usd }),
  };
}

function withoutAbsent(settings: PartialSettings): PartialSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
