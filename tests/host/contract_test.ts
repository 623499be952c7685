/** The contract, for every way in which a system can be run. */
import { testContract } from "./contract.ts";

testContract({
  name: "in process",
  file: "app.mjs",
  rag: () => Promise.resolve({ object: "app:contract" }),
  process: false,
});

testContract({
  name: "command",
  file: "peer.py",
  rag: () => Promise.resolve({ command: ["python3", "peer.py"] }),
  process: true,
});
