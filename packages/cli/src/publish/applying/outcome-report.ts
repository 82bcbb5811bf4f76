import { jsonText, printable } from '@tollgate/diagnostics';
import { markdownTable, markdownText } from '@tollgate/diagnostics/reports';
import { type BeginEntry, MODULE_NOUNS, type RunOutcome, type TargetOutcome } from '@tollgate/publisher';
import type { PlanFormat } from '../planning/plan-report.ts';

/** The result of an apply or a rollback. */
interface ShownOutcome {
  readonly command: BeginEntry['command'];
  readonly outcome: RunOutcome;
  readonly targets: readonly TargetOutcome[];
  /** Undefined if nothing was written. */
  readonly hasTags: boolean | undefined;
}

/** Returns what each target holds after an apply or a rollback. */
export function outcomeReport(format: PlanFormat, shown: ShownOutcome): string {
  if (format === 'json') return json(shown);
  return format === 'markdown' ? markdown(shown) : text(shown);
}

/** Returns the result for one target in one line. */
export function outcomeText({ target, state, reason }: TargetOutcome): string {
  return printable(`${target}: ${state}${reason === undefined ? '' : ` (${reason})`}`);
}

function json({ outcome, hasTags, targets }: ShownOutcome): string {
  return `${jsonText({ version: 1, outcome, hasTags: hasTags ?? null, targets }, 2)}\n`;
}

function text(shown: ShownOutcome): string {
  const others = shown.targets.filter(({ state }) => state !== 'written').map(one => `  ${outcomeText(one)}`);
  return `${[summary(shown), ...others].join('\n')}\n`;
}

function markdown(shown: ShownOutcome): string {
  const rows = shown.targets.map(({ target, state, reason = '', modules }) =>
    [target, state, modules.map(({ module }) => MODULE_NOUNS[module]).join(', '), reason].map(markdownText),
  );
  const table = rows.length === 0 ? [] : [markdownTable(['target', 'state', 'modules', 'reason'], rows)];
  return `${[`## ${summary(shown)}`, ...table].join('\n\n')}\n`;
}

/** Returns a line such as `applied: 19 written, 1 conflict`. */
function summary({ command, outcome, targets }: ShownOutcome): string {
  if (targets.length === 0) return command === 'rollback' ? 'nothing to roll back' : 'no changes';
  const words = command === 'rollback' ? outcome.replace('applied', 'rolled back') : outcome;
  const counts = [...Map.groupBy(targets, ({ state }) => state)].map(([state, list]) => `${list.length} ${state}`);
  return `${words}: ${counts.join(', ')}`;
}
