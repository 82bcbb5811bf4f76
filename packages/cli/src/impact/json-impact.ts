import { jsonDiagnostics } from '@tollgate/diagnostics';
import { jsonText } from '../replay/formats/json-report.ts';
import type { ImpactResult } from './impact-result.ts';

/** Version of the format. It increases when programs that read it may have to change. */
const VERSION = 1;

/** Returns all figures as JSON; `docs/reference/impact.md` describes them. */
export function jsonImpact({
  old,
  new: becomes,
  profile,
  endpoint,
  engine,
  report,
  summary,
  rules,
  limits,
}: ImpactResult): string {
  const { transitions, ...figures } = summary;
  const label = (which: 0 | 1, position: number | undefined) =>
    position === undefined ? null : (rules[which][position]?.label ?? null);
  return jsonText({
    version: VERSION,
    ...{ old, new: becomes, profile, endpoint, engine },
    diagnostics: jsonDiagnostics(report),
    ...figures,
    transitions: transitions.map(one => ({
      ...one,
      rules: one.rules.map(change => ({
        was: label(0, change.was),
        becomes: label(1, change.becomes),
        count: change.count,
      })),
    })),
    limits: limits.map(({ option, found, isExceeded }) => ({ option, found, isExceeded })),
  });
}
