/** Where a store is: a file, or a libSQL server. */

/** Whether a location is the URL of a libSQL server and not a path. */
export function isRemoteStore(location: string): boolean {
  return /^(?:libsql|https?):\/\//.test(location);
}
