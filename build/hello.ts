/** The least that a compiled program can be: what the real one is measured against. */
Deno.stdout.writeSync(new TextEncoder().encode("hello\n"));
