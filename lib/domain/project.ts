/** A project: a system under test, its cases, and how its answers are judged. */
import type { Case } from "./case.ts";
import type { JudgingOptions } from "./judge.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Usage } from "./record.ts";
import type { RelevanceUnit } from "./relevance.ts";
import type { PartialSettings } from "./settings.ts";

/** One evaluator of a project, its parameters complete. `criterion` is its unique name. */
export interface EvaluatorSpec {
  /** Which evaluator judges, such as `contains` or `recall`. */
  readonly type: string;
  /** Names its judgments and its metric; derived from type and parameters where none is stated. */
  readonly criterion: string;
  /** All parameters with defaults filled in, `type` and `criterion` aside. */
  readonly parameters: JsonObject;
}

/**
 * How a run is carried out. Time limit and retries decide whether a slow stage fails, repeats how often an answer is asked for;
 * nothing here changes an answer.
 */
export interface RunOptions {
  /** Calls of the system under way at once; with 1, one case after the other. */
  readonly concurrency: number;
  /** The longest that one call of a stage may take. */
  readonly timeout_seconds: number;
  /** Further attempts after a stage threw or timed out. */
  readonly retries: number;
  /** How often each case is executed, ≥ 1; its values are averaged before anything is counted. */
  readonly repeats: number;
}

/** A runtime that runs a module in a process of its own. */
export type ModuleRuntime = "deno" | "node" | "python";

/** Where a list of passages stands in a response, and the parts of a passage within an item: dotted paths. */
export interface PassagePaths {
  /** The list, within the response. */
  readonly items: string;
  /** Within an item: its document; a number becomes a text. */
  readonly doc_id: string;
  /** Within an item: its part of the document; nothing there = no part is named. */
  readonly chunk_id: string;
  /** Within an item: the service's own figure. */
  readonly score: string;
  /** Within an item: what is read. */
  readonly text: string;
  /** Within an item: an object with whatever else there is. */
  readonly metadata: string;
}

/** How a service that knows nothing of the protocol is asked and read. */
export interface ServiceMapping {
  /** The body of a request; texts may hold placeholders such as `{{input.question}}`. */
  readonly request: Json;
  /** Where the parts of a response stand. */
  readonly response: {
    /** A dotted path; absent = the whole body. */
    readonly output?: string;
    /** Absent = the service does not report them. */
    readonly candidates?: PassagePaths;
    /** Absent = the service does not report it. */
    readonly context?: PassagePaths;
    /** Dotted paths of the numbers that the service reports. */
    readonly usage: { readonly [Key in keyof Usage]?: string };
  };
}

/** Where the system under test comes from. */
export type SystemSource =
  /** `module:export`, the module relative to the project's root. */
  | {
    readonly kind: "module";
    readonly object: string;
    readonly files: readonly string[];
    readonly identity: "source" | "version";
    /** What runs the module; auto = this process, or a process of the module's own runtime where that is needed. */
    readonly runtime: "auto" | ModuleRuntime;
    /** The words that start Python; absent = a virtual environment beside the project, or the machine's Python. */
    readonly python?: readonly string[];
    /** The longest that a process may take until it is ready. */
    readonly start_timeout_seconds: number;
  }
  /** A program that speaks the protocol over its standard streams. */
  | {
    readonly kind: "command";
    /** The program and its arguments, as they are: no shell reads them. */
    readonly command: readonly string[];
    readonly start_timeout_seconds: number;
  }
  /** A service that is asked by HTTP POST. `${NAME}` in address and headers is read from the environment. */
  | {
    readonly kind: "service";
    readonly url: string;
    readonly headers: { readonly [name: string]: string };
    /** How its own requests and responses are read; absent = it speaks the protocol. */
    readonly mapping?: ServiceMapping;
    /** Whether the mapping is part of the identity of what the service answers. */
    readonly identity: "source" | "version";
    readonly start_timeout_seconds: number;
  }
  /** Outputs that were recorded before, at an absolute path; nothing is called. */
  | { readonly kind: "records"; readonly path: string }
  /** An object of the calling program, as `ragSystem` returns it. */
  | {
    readonly kind: "inline";
    readonly system: unknown;
    readonly identity: "source" | "version";
    /** The path of the module that holds it; absent = only its functions' text identifies it. */
    readonly module?: string;
  };

/** Where the cases come from: files of JSONL, or objects of the calling program. */
export type CaseSource =
  | { readonly kind: "files"; readonly paths: readonly string[] }
  | { readonly kind: "inline"; readonly cases: readonly Case[] };

/** A checked project. Paths in it are absolute. */
export interface Project {
  /** The folder that modules and files are relative to. */
  readonly root: string;
  /** The project file; absent for one that was defined in code. */
  readonly file?: string;
  /** A module that is loaded when the project runs, or an object that is there already. */
  readonly system: SystemSource;
  /** What the project states over the system's own settings. */
  readonly settings: PartialSettings;
  /** Absolute paths of JSONL files in the order of reading, or the cases themselves. */
  readonly cases: CaseSource;
  /** The absolute path of a JSONL file of passages, from which gold contexts are filled that cases lack; absent = none. */
  readonly corpus?: string;
  /** In the order of tables and reports; may be empty, then a run records and judges nothing. */
  readonly evaluators: readonly EvaluatorSpec[];
  /** What groups the cases: `metadata.<path>`, `input.<path>`, `relevant_position`, `context_truncated`. */
  readonly slices: readonly string[];
  /** Cases, ≥ 1, from which a slice shows metrics; smaller slices are only counted. */
  readonly min_slice_support: number;
  /** What slices and the funnel count as one relevant unit; each evaluator may have its own. */
  readonly relevance_unit: RelevanceUnit;
  /** Concurrency, time limit (seconds) and retries of the stages, repeats of the cases. */
  readonly run: RunOptions;
  /** How judges are asked: limits, further attempts, prices. */
  readonly judging: JudgingOptions;
  /** An absolute path or a URL. */
  readonly store: string;
}
