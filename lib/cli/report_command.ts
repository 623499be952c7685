/** `oloproof report` */
import { writeToFile } from "../commands/export.ts";
import { withReportSource } from "../commands/report_source.ts";
import { OloproofError } from "../domain/error.ts";
import { reportOf } from "../page/report_of.ts";
import { reportPage } from "../page/report_page.ts";
import { shellWord } from "../report/printable.ts";
import { VERSION } from "../version.ts";
import { EXIT } from "./exit_code.ts";
import type { GlobalOptions } from "./global_options.ts";
import type { Io } from "./io.ts";
import { jsonText, programOf, storeOf, surroundingsOf } from "./surroundings.ts";

/** The options of `report`. */
export interface ReportCommandOptions extends GlobalOptions {
  /** A file; without it stdout. */
  readonly output?: string;
  /** False with `--no-text`. */
  readonly text: boolean;
}

/** Writes the page of a run, a diagnosis or a comparison. */
export async function reportCommand(id: string, options: ReportCommandOptions, io: Io): Promise<number> {
  const { output, text: withText, json = false } = options;
  if (output === undefined && (json || io.stdoutIsTerminal === true)) {
    throw new OloproofError("Cannot write a report here: it is a page of HTML", {
      code: "no_file",
      kind: "configuration",
      hint: `name a file: ${programOf(options)} report ${shellWord(id)} -o report.html`,
    });
  }
  const surroundings = surroundingsOf(io);
  const made = `Made by oloproof ${VERSION} on ${new Date(io.clock.now()).toISOString()}.`;
  let bytes = 0;
  const kind = await withReportSource(await storeOf(options, io), id, surroundings, async (source) => {
    const pieces = reportPage(reportOf(source, { withText, made }));
    if (output === undefined) {
      for await (const piece of pieces) {
        if (io.stdoutIsClosed()) break;
        io.stdout(piece);
      }
    } else {
      await writeToFile(output, surroundings, async (write) => {
        for await (const piece of pieces) {
          bytes += new TextEncoder().encode(piece).length;
          await write(piece);
        }
      });
    }
    return source.kind;
  });
  if (output !== undefined) {
    io.stdout(
      json ? jsonText({ kind, file: output, bytes }) : `Wrote the report of the ${kind} to ${output}\n`,
    );
  }
  return EXIT.done;
}
