/** Errors and notices as text: what, where, what is allowed, what next. */
import { type Issue, type OloproofError, placeOf } from "../domain/error.ts";
import type { Notice } from "../domain/run_report.ts";
import { printable } from "./printable.ts";

/** An error for a person: its code, its message and place, every mistake a line, a hint. */
export function errorText(error: OloproofError): string {
  const { code, summary: message, where, hint, issues } = error;
  const lines = [
    `error[${code}]: ${message}`,
    ...(issues.length > 0 ? issues.flatMap(issueLines) : where === undefined ? [] : [`  at ${where}`]),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ];
  return lines.map(printable).join("\n") + "\n";
}

function issueLines(issue: Issue): readonly string[] {
  return [
    `  ${placeOf(issue)}: ${issue.message}`,
    ...(issue.hint === undefined ? [] : [`    hint: ${issue.hint}`]),
  ];
}

/** An error for a program. */
export function errorJson(error: OloproofError): unknown {
  const { code, summary: message, where, hint, issues } = error;
  return {
    error: {
      code,
      message,
      where: where ?? null,
      hint: hint ?? null,
      ...(issues.length > 0 ? { issues } : {}),
    },
  };
}

/** A notice on the side of a result. */
export function noticeText({ severity, code, message, hint }: Notice): string {
  const lines = [
    `${severity === "problem" ? "error" : "notice"}[${code}]: ${message}`,
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ];
  return lines.map(printable).join("\n") + "\n";
}
