/** What `--version` prints. */
import { isTestBuild } from "../system/base.ts";
import { VERSION } from "../version.ts";

/** The program with its version; a build that must not be released says so. */
export const versionLine = `oloproof ${VERSION}${isTestBuild ? " (test build)" : ""}`;
