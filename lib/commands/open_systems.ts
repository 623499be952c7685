/** The systems that a command opened: however it ends, they end with it. */
import type { Notice } from "../domain/run_report.ts";
import type { RunnableSystem } from "../stages/case_execution.ts";

/** Closes what was added to it. */
export class OpenSystems implements AsyncDisposable {
  readonly #systems = new Set<RunnableSystem>();

  add(system: RunnableSystem): RunnableSystem {
    if (system.close !== undefined) this.#systems.add(system);
    return system;
  }

  /** Closes one of them before the command ends. */
  async close(system: RunnableSystem): Promise<void> {
    this.#systems.delete(system);
    await system.close?.();
  }

  /** What is to be told of them. */
  notices(): readonly Notice[] {
    return [...this.#systems].flatMap((system) => system.notices?.() ?? []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#systems].map((system) => this.close(system)));
  }
}
