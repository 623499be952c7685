/**
 * How identities are found: by an index of their first eight bytes, which tell all identities apart that a store will ever hold, and the
 * whole identity of what was found. They come in no order, so that every batch touches most pages of such an index: it has to be small.
 */

/** SQL of what an index of identities holds. It has to be written in a query as it is in the index, which is not used otherwise. */
export function indexedPart(identity: string): string {
  return `substr(${identity}, 1, 8)`;
}

/** SQL: whether a column holds a wanted identity. */
export function isIdentity(column: string, wanted: string): string {
  return `${indexedPart(column)} = ${indexedPart(wanted)} AND ${column} = ${wanted}`;
}
