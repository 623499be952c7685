/** The recipe for pull requests: its steps are run as the runner would. */
import assert from "node:assert/strict";
import { cp, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../cli/session.ts";
import { tempFolder } from "../temp_folder.ts";
import { binary, copyExample, ignore } from "./program.ts";

interface Step {
  readonly name?: string;
  readonly run?: string;
}

Deno.test({
  name: "binary: examples/ci/gate.yml gates by a bundle and fails a pull request that its policy blocks",
  ignore: ignore || Deno.build.os === "windows",
  async fn() {
    const recipe = parse(await Deno.readTextFile(join(ROOT, "examples/ci/gate.yml")));
    const steps: readonly Step[] = recipe.jobs.gate.steps;
    const cwd = await tempFolder();
    await mkdir(join(cwd, "bin"));
    await symlink(binary, join(cwd, "bin/oloproof"));
    const bash = async (script: string) => {
      const { code, stderr } = await new Deno.Command("bash", {
        args: ["-e", "-o", "pipefail", "-c", script],
        cwd,
        env: { PATH: `${cwd}/bin:${Deno.env.get("PATH")}`, GITHUB_STEP_SUMMARY: join(cwd, "summary.md") },
      }).output();
      return { code, said: new TextDecoder().decode(stderr) };
    };
    const step = (name: string) => steps.find((one) => one.name === name)?.run ?? "exit 99";
    await cp(await copyExample("support_rag"), join(cwd, "eval"), { recursive: true });
    const renewed = await bash(
      "oloproof -C eval run && oloproof -C eval export latest --format bundle -o eval/baseline.bundle",
    );
    assert.equal(renewed.code, 0, renewed.said);
    await Deno.remove(join(cwd, "eval/.oloproof"), { recursive: true });

    assert.equal((await bash(step("Run the candidate"))).code, 0);
    const blocked = await bash(step("Decide"));
    assert.equal(blocked.code, 3, blocked.said);
    assert.match(await Deno.readTextFile(join(cwd, "summary.md")), /^### Gate: BLOCK \(exit 3\)/);
    assert.match(await Deno.readTextFile(join(cwd, "decisions.xml")), /failures="2"/);

    await cp(join(cwd, "eval/suite.yaml"), join(cwd, "eval/compare.yaml"));
    assert.equal((await bash(step("Decide"))).code, 0);
    // What is no decision fails, too, and not as a block.
    await Deno.writeTextFile(join(cwd, "eval/compare.yaml"), "rules: 3\n");
    assert.equal((await bash(step("Decide"))).code, 2);
  },
});
