/** Folders for tests, removed when the test file that asked for them is done. */

const folders: string[] = [];

/** An empty folder of one's own. */
export async function tempFolder(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "oloproof_" });
  folders.push(folder);
  return folder;
}

addEventListener("unload", () => {
  for (const folder of folders) Deno.removeSync(folder, { recursive: true });
});
