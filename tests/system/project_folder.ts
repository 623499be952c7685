/** Folders of user code for tests that load it. */
import { dirname } from "node:path";
import { OloproofError } from "../../lib/domain/error.ts";
import { tempFolder } from "../temp_folder.ts";

/** A new folder with files in it, by their relative paths. */
export async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await tempFolder();
  await writeInto(folder, files);
  return folder;
}

/** Writes files into a folder, over what is there. */
export async function writeInto(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(`${folder}/${name}`), { recursive: true });
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
}

/** The error of ours with which something fails. */
export async function faultOf(work: Promise<unknown>): Promise<OloproofError> {
  const end = await work.then(() => undefined, (cause) => ({ cause }));
  if (end === undefined) throw new Error("it did not fail");
  if (!(end.cause instanceof OloproofError)) throw end.cause;
  return end.cause;
}
