/** Real time and real stores for tests of commands, with ids that count. */
import type { Surroundings } from "../../lib/commands/surroundings.ts";
import { defineProject, type ProjectDefinition } from "../../lib/api/define_project.ts";
import type { Project } from "../../lib/domain/project.ts";
import { systemClock } from "../../lib/system/clock.ts";
import { tempFolder } from "../temp_folder.ts";

let ids = 0;

/** The outside of a command; each call of `newId` gives another id. */
export function testSurroundings(overrides: Partial<Surroundings> = {}): Surroundings {
  return {
    clock: systemClock,
    newId: () => `TEST${String(++ids).padStart(22, "0")}`,
    stop: new AbortController().signal,
    cwd: Deno.cwd(),
    env: () => undefined,
    ...overrides,
  };
}

/** A project with a store of its own in a temporary folder. */
export async function testProject<Input>(
  definition: Omit<ProjectDefinition<Input>, "store">,
): Promise<Project> {
  const folder = await tempFolder();
  return defineProject({ ...definition, store: `${folder}/store.db` });
}
