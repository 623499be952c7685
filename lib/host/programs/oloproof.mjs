/** What `import … from "oloproof"` means in a process that serves a system: there, a system is only described. */

/** Describes a system: its settings, and its stages. Both are checked where the figures are made. */
export function ragSystem(settings, stages) {
  return { settings, stages };
}
