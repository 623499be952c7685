/** In which settings two runs differ. */
import type { SettingChange } from "../domain/comparison.ts";
import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import type { PartialSettings, SystemSettings } from "../domain/settings.ts";

/** Each setting under its dotted name, as JSON text, in the order in which they stand. */
export function dottedSettings(
  settings: PartialSettings | SystemSettings,
): readonly (readonly [string, string])[] {
  return flatten({ ...settings } as JsonObject, "");
}

function flatten(value: Json | undefined, path: string): readonly (readonly [string, string])[] {
  if (!isJsonObject(value)) return value === undefined ? [] : [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, item]) => flatten(item, path === "" ? key : `${path}.${key}`));
}

/** Settings under their names that are not the same in both, sorted; `absent` stands for what one does not have. */
export function changesBetween(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): readonly SettingChange[] {
  return [...new Set([...before.keys(), ...now.keys()])].sort().flatMap((setting) => {
    const [baseline = "absent", candidate = "absent"] = [before.get(setting), now.get(setting)];
    return baseline === candidate ? [] : [{ setting, baseline, candidate }];
  });
}
