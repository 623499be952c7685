/** The contract, for every way in which a system can be run. */
import { testContract } from "./contract.ts";
import { protocolPeer, type Service } from "./http_peer.ts";

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

testContract({
  name: "python",
  file: "app.py",
  rag: () => Promise.resolve({ object: "app:Contract" }),
  process: true,
  boom: "ValueError: boom",
});

testContract({
  name: "python, async",
  file: "app.py",
  rag: () => Promise.resolve({ object: "app:AsyncContract" }),
  process: true,
  boom: "ValueError: boom",
});

for (const runtime of ["deno", "node"]) {
  testContract({
    name: runtime,
    file: "app.mjs",
    rag: () => Promise.resolve({ object: "app:contract", runtime }),
    process: true,
  });
}

const services: Service[] = [];

testContract({
  name: "http",
  rag: () => {
    const service = protocolPeer();
    services.push(service);
    return Promise.resolve({ url: service.url });
  },
  process: false,
});

Deno.test.afterAll(async () => {
  for (const service of services) await service.stop();
});
