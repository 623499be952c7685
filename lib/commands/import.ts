/** `import`: data of other tools → a project. */
import { createHash } from "node:crypto";
import { basename, join, relative, resolve } from "node:path";
import { CaseIds } from "../config/case_ids.ts";
import { parseCaseLine } from "../config/parse_case.ts";
import type { Case } from "../domain/case.ts";
import { type Issue, issuesError, OloproofError } from "../domain/error.ts";
import type { ImportedProject, Notice } from "../domain/run_report.ts";
import { importBeir } from "../importers/beir.ts";
import { type CsvColumns, importCsv } from "../importers/csv.ts";
import type { Imported, Importer, ProjectDraft, SourcePlace } from "../importers/imported.ts";
import { projectFile } from "../importers/project_file.ts";
import { importPromptfoo } from "../importers/promptfoo.ts";
import type { ResultChoice } from "../importers/promptfoo_results.ts";
import { importRagas } from "../importers/ragas.ts";
import { starterApp } from "../importers/starter_app.ts";
import { importTrec } from "../importers/trec.ts";
import { type FileSet, type NewFile, writeFiles } from "./file_set.ts";
import { ignoreStore } from "./ignore_store.ts";
import { sourceFile } from "./source_file.ts";
import type { Surroundings } from "./surroundings.ts";

/** What is imported; paths are relative to the current folder. */
export type ImportSource =
  | { readonly format: "beir"; readonly folder: string; readonly split: string }
  | {
    readonly format: "trec";
    readonly qrels: string;
    readonly run: string;
    readonly topics?: string | undefined;
  }
  | { readonly format: "ragas"; readonly file: string }
  | { readonly format: "promptfoo"; readonly file: string; readonly choice: ResultChoice }
  | { readonly format: "csv"; readonly file: string; readonly columns: CsvColumns };

/** Where the project goes. */
export interface ImportOptions {
  /** Absolute. */
  readonly folder: string;
  /** Whether files of an earlier import are overwritten. */
  readonly force: boolean;
}

/** Mistakes that are reported at once; a file of the wrong kind would have one a line. */
const MAX_ISSUES = 50;

/**
 * Reads a source whole and writes a project: `oloproof.yaml`, `cases.jsonl`, and `records.jsonl` where the source holds answers,
 * else a starter in `app.ts` with the `corpus.jsonl` that it searches. With a mistake in the source nothing is written.
 *
 * @throws {OloproofError} Every mistake with its place; `no_cases`, `file_exists`, `unreadable_file`, `interrupted`.
 */
export async function importProject(
  source: ImportSource,
  { folder, force }: ImportOptions,
  { cwd, stop }: Pick<Surroundings, "cwd" | "stop">,
): Promise<ImportedProject> {
  refuseSourceFolder(source, folder, cwd);
  const hint = "--force overwrites what an earlier import wrote; or name another folder with -o";
  const written = await writeFiles({ overwrite: force, hint }, async (files) => {
    const project = new ProjectWriter(files, folder);
    await project.begin();
    const draft = await writeAll(openImporter(source, cwd), project, stop);
    return await project.finish(draft);
  });
  await ignoreStore(join(folder, ".gitignore"));
  return { folder: relative(cwd, folder) || ".", ...written };
}

/** A project beside its source is fine; one that takes the place of a file of the source would destroy it. */
function refuseSourceFolder(source: ImportSource, folder: string, cwd: string): void {
  const sources = source.format === "beir"
    ? ["corpus.jsonl", "queries.jsonl"].map((name) => join(source.folder, name))
    : source.format === "trec"
    ? [source.qrels, source.run, ...(source.topics === undefined ? [] : [source.topics])]
    : [source.file];
  const written = ["oloproof.yaml", "cases.jsonl", "corpus.jsonl", "records.jsonl"];
  const taken = sources.map((path) => resolve(cwd, path))
    .find((path) => written.some((name) => join(folder, name) === path));
  if (taken === undefined) return;
  throw new OloproofError(
    `Cannot import: ${JSON.stringify(basename(taken))} of the source would be overwritten`,
    {
      code: "source_in_the_way",
      kind: "configuration",
      where: taken,
      hint: "name another folder with -o",
    },
  );
}

function openImporter(source: ImportSource, cwd: string): Importer {
  const nameOf = (path: string) => basename(resolve(cwd, path)).replace(/\.\w+$/, "") || "imported";
  switch (source.format) {
    case "beir": {
      const { folder, split } = source;
      const file = (name: string, hint: string) => sourceFile(join(folder, name), cwd, hint);
      return importBeir({
        name: nameOf(folder),
        split,
        corpus: file("corpus.jsonl", "a BEIR folder holds corpus.jsonl, queries.jsonl and qrels/"),
        queries: file("queries.jsonl", "a BEIR folder holds corpus.jsonl, queries.jsonl and qrels/"),
        qrels: file(`qrels/${split}.tsv`, "--split names a file of qrels/: test, dev or train"),
      });
    }
    case "trec": {
      const topics = source.topics === undefined ? {} : { topics: sourceFile(source.topics, cwd) };
      const [qrels, run] = [sourceFile(source.qrels, cwd), sourceFile(source.run, cwd)];
      return importTrec({ name: nameOf(source.run), qrels, run, ...topics });
    }
    case "ragas":
      return importRagas(sourceFile(source.file, cwd), nameOf(source.file));
    case "promptfoo":
      return importPromptfoo(sourceFile(source.file, cwd), nameOf(source.file), source.choice);
    case "csv":
      return importCsv(sourceFile(source.file, cwd), nameOf(source.file), source.columns);
  }
}

/** Passes everything on until the source ends or has too many mistakes. */
async function writeAll(
  importer: Importer,
  project: ProjectWriter,
  stop: AbortSignal,
): Promise<ProjectDraft> {
  const issues: Issue[] = [];
  const ids = new CaseIds();
  for (;;) {
    const { done, value } = await importer.next();
    if (done) {
      if (issues.length > 0) throw issuesError("Cannot import", issues);
      return value;
    }
    if (stop.aborted) throw interrupted();
    if (value.kind === "issue") issues.push(value.issue);
    else issues.push(...await project.add(value, ids));
    if (issues.length >= MAX_ISSUES) {
      await importer.return(EMPTY_DRAFT);
      throw issuesError("Cannot import", issues, false);
    }
  }
}

const EMPTY_DRAFT: ProjectDraft = { name: "", evaluators: [], slices: [], notices: [] };

/** The files of a project under way. */
class ProjectWriter {
  readonly #opened = new Map<string, NewFile>();
  readonly #corpus = createHash("sha256");
  #counts = { cases: 0, passages: 0, records: 0 };

  constructor(private readonly files: FileSet, private readonly folder: string) {}

  /** What every project has comes first: that it is there already is better known before much was read. */
  async begin(): Promise<void> {
    await this.#file("oloproof.yaml");
    await this.#file("cases.jsonl");
  }

  /** Adds what was read, and answers with the mistakes in it. */
  async add(item: Exclude<Imported, { kind: "issue" }>, ids: CaseIds): Promise<readonly Issue[]> {
    if (item.kind === "case") return await this.#addCase(item.case, item.place, ids);
    const [name, count, line] = item.kind === "passage"
      ? ["corpus.jsonl", "passages", `${JSON.stringify(item.passage)}\n`] as const
      : ["records.jsonl", "records", `${JSON.stringify(item.record)}\n`] as const;
    this.#counts[count]++;
    if (item.kind === "passage") this.#corpus.update(line);
    await (await this.#file(name)).write(line);
    return [];
  }

  /** Every case is read back as a project's cases are: what is written is valid. */
  async #addCase(testCase: Case, place: SourcePlace, ids: CaseIds): Promise<readonly Issue[]> {
    const line = JSON.stringify(testCase);
    const at = { file: place.file, line: place.line ?? 1 };
    const parsing = parseCaseLine(line, at, "document");
    if (parsing !== undefined && !parsing.ok) {
      return parsing.issues.map(({ column: _ofTheLine, ...issue }) => ({ ...issue, ...place }));
    }
    const duplicate = ids.add(testCase.id, at);
    if (duplicate !== undefined) return [duplicate];
    this.#counts.cases++;
    await (await this.#file("cases.jsonl")).write(`${line}\n`);
    return [];
  }

  async finish(draft: ProjectDraft): Promise<Omit<ImportedProject, "folder">> {
    const { cases, passages, records } = this.#counts;
    if (cases === 0) throw noCases(draft.notices);
    const kept = records > 0 ? undefined : await this.#addStarter(draft);
    const index_version = passages === 0 ? "empty" : `corpus-${this.#corpus.digest("hex").slice(0, 12)}`;
    const system = records > 0 ? { kind: "records" } as const : { kind: "starter", index_version } as const;
    await (await this.#file("oloproof.yaml")).write(projectFile(draft, system));
    return {
      files: [...this.#opened.keys()].map((name) => ({ name, holds: holds(name, this.#counts) })),
      ...this.#counts,
      notices: kept === undefined ? draft.notices : [...draft.notices, kept],
    };
  }

  /** A system that someone wrote in the starter's place is never overwritten. */
  async #addStarter({ name }: ProjectDraft): Promise<Notice | undefined> {
    await this.#file("corpus.jsonl");
    if (await this.files.isThere(join(this.folder, "app.ts"))) return KEPT;
    await (await this.#file("app.ts")).write(starterApp(name));
    return undefined;
  }

  async #file(name: string): Promise<NewFile> {
    const opened = this.#opened.get(name) ?? await this.files.create(join(this.folder, name));
    this.#opened.set(name, opened);
    return opened;
  }
}

const KEPT: Notice = {
  severity: "notice",
  code: "system_kept",
  message: "app.ts is there already and is left as it is",
};

/** How much was read. */
interface Counts {
  readonly cases: number;
  readonly passages: number;
  readonly records: number;
}

function holds(name: string, counts: Counts): string {
  const counted = (of: keyof Counts) => `${counts[of]} ${counts[of] === 1 ? of.slice(0, -1) : of}`;
  switch (name) {
    case "oloproof.yaml":
      return "what is run, and how it is judged";
    case "cases.jsonl":
      return counted("cases");
    case "records.jsonl":
      return counted("records");
    case "app.ts":
      return "a starter that searches corpus.jsonl by shared words; put your system in its place";
    default:
      return counts.passages > 0
        ? counted("passages")
        : "empty: put the passages to search here, a line each: {doc_id, text}";
  }
}

function noCases(notices: readonly Notice[]): OloproofError {
  const [first] = notices;
  return new OloproofError("Cannot import: the source holds no cases", {
    code: "no_cases",
    kind: "configuration",
    ...(first === undefined ? {} : { hint: first.message }),
  });
}

function interrupted(): OloproofError {
  return new OloproofError("Interrupted: nothing was written", { code: "interrupted", kind: "surroundings" });
}
