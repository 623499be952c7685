/** The version of this program: the one place that states it, held to deno.json by a test. */
export const VERSION = "0.1.0";
