import { jsonText } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';
import type { Decided } from '@tollgate/solver';
import { exchangeRecord } from '../trace/json/exchange-record.ts';
import { changedAspects, type DiffReport } from './diff-report.ts';

/** Returns the report as JSON. Members are added, never changed. */
export function jsonDiff({ before, after, profile, endpoint, comparison }: DiffReport): string {
  const { verdict, isComplete, differences, open } = comparison;
  const document = {
    version: 1,
    ...{ before, after, profile: profile.name, endpoint, verdict, isComplete },
    differences: differences.map(one => ({
      exchange: exchangeRecord(one.exchange),
      changes: changedAspects(one),
      before: jsonDecided(one.before),
      after: jsonDecided(one.after),
    })),
    open: open.map(one => ({
      reason: one.reason,
      before: one.before.map(jsonRule),
      after: one.after.map(jsonRule),
      ...(one.exchange && { exchange: exchangeRecord(one.exchange) }),
    })),
  };
  return `${jsonText(document, 2)}\n`;
}

function jsonDecided({ decision, rules }: Decided): object {
  const { outcomes, needs } = decision;
  return { outcomes, needs, rules: rules.map(jsonRule) };
}

function jsonRule({ phase, index, name }: Rule): object {
  return { phase, number: index + 1, ...(name && { name: name.value }) };
}
