/** How the values of options are read. */
import { InvalidArgumentError } from "commander";

/** A value of an option that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Likewise, of a part that `--refresh` knows. */
export function collectChoice(value: string, before: readonly string[] = []): readonly string[] {
  if (!["retrieve", "generate", "judge", "all"].includes(value)) {
    throw new InvalidArgumentError("Allowed choices are retrieve, generate, judge, all.");
  }
  return [...before, value];
}

/** A whole number from 1. */
export function wholeNumber(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError("It is a whole number from 1.");
  return Number(value);
}

/** A percentage of an option that may be given several times. */
export function collectPercent(value: string, before: readonly number[] = []): readonly number[] {
  return [...before, percentage(value)];
}

/** A percentage from 0 to 100, with or without its sign. */
export function percentage(value: string): number {
  const number = Number(value.replace(/%$/, ""));
  if (value === "" || !(number >= 0 && number <= 100)) {
    throw new InvalidArgumentError("It is a percentage from 0 to 100.");
  }
  return number;
}
