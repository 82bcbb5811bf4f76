/** The result of one check. */
export interface Finding {
  readonly check: string;
  /** What was seen; undefined if the check failed. */
  readonly seen?: string;
  readonly problem?: string;
}

/** Returns a line of a Markdown table. */
export function findingLine({ check, seen, problem }: Finding): string {
  return `| ${check} | ${problem === undefined ? (seen ?? 'passed') : `**failed**: ${problem.replaceAll('\n', ' ')}`} |`;
}

/** Runs a check, and turns what it throws into a finding. */
export function checked(check: string, run: () => string): Finding {
  try {
    return { check, seen: run() };
  } catch (error) {
    return { check, problem: error instanceof Error ? error.message : String(error) };
  }
}
