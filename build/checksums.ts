/** Checksums of a release. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A line a file of a folder, as `sha256sum --check` reads it. */
export async function checksums(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name !== "SHA256SUMS").toSorted();
  const lines = await Promise.all(
    names.map(async (name) => `${await sha256(join(folder, name))}  ${name}\n`),
  );
  return lines.join("");
}

async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}
