/** `report`: its options and their help. */
import { Argument, type Command } from "commander";
import type { Io } from "./io.ts";
import type { ReportCommandOptions } from "./report_command.ts";

/** `report`, for everything that has an id. */
export function defineReport(program: Command, io: Io, done: (code: number) => void): void {
  program.command("report")
    .description("one HTML page of a run, a diagnosis, a comparison or a sweep")
    .addArgument(
      new Argument("[id]", "a run id or a prefix of one, latest, sha256:…, or a bundle file").default(
        "latest",
      ),
    )
    .option("-o, --output <file>", "a file in the place of stdout")
    .option("--no-text", "leave inputs, passages and answers out")
    .addHelpText(
      "after",
      "\nExample: oloproof report latest -o report.html\nThe page works without network, and loads nothing from anywhere.",
    )
    .action(async (id: string, _options, command: Command) => {
      const { reportCommand } = await import("./report_command.ts");
      done(await reportCommand(id, command.optsWithGlobals<ReportCommandOptions>(), io));
    });
}
