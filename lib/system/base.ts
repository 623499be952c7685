/** What this program runs on: Deno itself, or the base of a compiled program. */

/** Whether this is a compiled program and not `deno run`. */
export const isCompiled: boolean = Deno.build.standalone;

/** Since this Deno, a compiled program reads TypeScript from the disk. */
const READS_TYPESCRIPT = [2, 9] as const;

/**
 * Whether this is a build for tests: made on a base that is older than those of releases, where that was all there was. It does what
 * a release does, but for modules in TypeScript and for the lock of a store's file.
 */
export const isTestBuild: boolean = isCompiled && isOlder(Deno.version.deno, READS_TYPESCRIPT);

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}
