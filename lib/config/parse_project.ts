/** The text of a project file → a project, or every mistake in it. */
import { basename, resolve } from "node:path";
import type { z } from "zod";
import type { Issue } from "../domain/error.ts";
import { isJsonObject, type Json, readPath } from "../domain/json.ts";
import type { EvaluatorSpec, Project } from "../domain/project.ts";
import { type PartialSettings, partialSettingsSchema } from "../domain/settings.ts";
import { isRemoteStore } from "../domain/store_location.ts";
import { evaluatorsBeyondDepth } from "./check_depth.ts";
import { checkEvaluators, type PlacedEvaluator } from "./check_evaluators.ts";
import { type Places, sortIssues } from "./place.ts";
import { LATER_KEYS, projectSchema } from "./project_schema.ts";
import { SchemaGuide } from "./schema_guide.ts";
import { schemaIssues } from "./schema_issues.ts";
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
  ];
  // What could not be read was reported already; that null stands in its place is no second mistake.
  const all = [
    ...issues,
    ...mistakes.filter((mistake) => !issues.some((issue) => isSamePlace(issue, mistake))),
  ];
  if (!checked.success || all.length > 0) return { ok: false, issues: sortIssues(all) };
  return { ok: true, project: completeProject(checked.data, evaluators.map(({ spec }) => spec), origin) };
}

/** Ways in which a system can be given; one of them is needed. */
const ORIGINS = ["object", "records", "command", "url"] as const;

/** Keys that are about code, of which records have none. */
const CODE_KEYS = ["identity", "files"] as const;

/** A system comes from one place; what is about its code has no meaning beside records. */
function originIssues(value: Json, places: Places): readonly Issue[] {
  const rag = readPath(value, "system.rag");
  if (!isJsonObject(rag)) return [];
  const { file } = places;
  const at = (key: string) => ({ file, ...places.value(["system", "rag", key]) });
  const [origin] = ORIGINS.filter((key) => rag[key] !== undefined);
  if (origin === undefined) {
    const message = 'system.rag needs the key "object": module:export, as in "app:supportRag"';
    return [{
      code: "missing_key",
      message,
      file,
      ...places.key(["system", "rag"]),
      hint: "or records: a JSONL file of recorded outputs",
    }];
  }
  if (rag.object !== undefined && rag.records !== undefined) {
    const message = 'system.rag names a system by "object" and by "records"; allowed: one of them';
    return [{ code: "two_systems", message, ...at("records") }];
  }
  if (origin !== "records") return [];
  return CODE_KEYS.filter((key) => rag[key] !== undefined).map((key) => {
    const message = `"${key}" is about the system's code; beside "records" it has no meaning`;
    return { code: "setting_without_meaning", message, ...at(key), hint: "take it away" };
  });
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

function completeProject(
  parsed: z.output<typeof projectSchema>,
  evaluators: readonly EvaluatorSpec[],
  { file, root }: ProjectOrigin,
): Project {
  const { system: { name, version, rag }, cases, slices, min_slice_support, relevance_unit, store } = parsed;
  const { object, records, files, identity, ...settings } = rag;
  const { corpus } = parsed;
  return {
    root,
    file: resolve(root, basename(file)),
    system: object === undefined
      ? { kind: "records", path: resolve(root, records ?? "") }
      : { kind: "module", object, files, identity },
    settings: withoutAbsent({ name, version, ...settings }),
    cases: { kind: "files", paths: [cases].flat().map((path) => resolve(root, path)) },
    ...(corpus === undefined ? {} : { corpus: resolve(root, corpus) }),
    evaluators,
    slices,
    min_slice_support,
    relevance_unit,
    run: parsed.run,
    store: isRemoteStore(store) ? store : resolve(root, store),
  };
}

function withoutAbsent(settings: PartialSettings): PartialSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
