import { lintDocument } from '@tollgate/core/linting';
import type { Diagnostic } from '@tollgate/diagnostics';
import { type Linter, lintTests } from '@tollgate/lint';
import { type ExpressionCache, findingsInFile, type Rule, readEdgeDocument } from '@tollgate/policy';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** What lint rules say about a snapshot. */
export interface Linted {
  /** The findings of lint rules, without those of the analysis. */
  readonly findings: readonly Diagnostic[];
  /** Diagnostics of the analysis as settings and comments change them. */
  readonly analysis: readonly Diagnostic[];
  /** Findings that comments suppress. */
  readonly suppressed: readonly Diagnostic[];
}

/** What linting needs besides the snapshot. */
interface LintInput {
  readonly today: string;
  readonly expressions: ExpressionCache;
  /** The rules of the policy that policy tests name. */
  readonly rules: readonly Rule[] | undefined;
}

const NOTHING: Linted = { findings: [], analysis: [], suppressed: [] };

/** Runs lint rules on a snapshot, as `tollgate lint` does on the file. Never throws because of its content. */
export function lintSnapshot(snapshot: Snapshot, linter: Linter, input: LintInput): Linted {
  const { kind, source, diagnostics } = snapshot;
  if (kind === 'tests') return lintPolicyTests(snapshot, linter, input);
  if (kind === 'carrier') return lintCarrier(snapshot, linter, input);
  if (kind !== 'policy' && kind !== 'edge') return { ...NOTHING, analysis: diagnostics };
  const { target } = snapshot;
  if (!target) return NOTHING;
  const { today, expressions } = input;
  if (kind === 'policy') {
    const { comments, policies } = snapshot;
    const analysis = {
      policies: policies.map(one => one.policy),
      diagnostics,
      comments,
      environments: target.environments,
    };
    return joined([lintDocument({ source, target }, linter, { today, expressions, analysis })], snapshot);
  }
  const edge = readEdgeDocument(source);
  const results = (edge?.policies ?? []).map(({ part }) =>
    lintDocument({ source, target, part }, linter, { today, expressions, ...(edge && { edge }) }),
  );
  return joined(results, snapshot);
}

function lintCarrier(snapshot: Snapshot, linter: Linter, { today, expressions }: LintInput): Linted {
  const results = snapshot.embedded.flatMap(({ embedded, snapshot: { target, source } }) => {
    if (!target) return [];
    const result = lintDocument({ source, target, part: embedded.part }, linter, { today, expressions });
    return [{ ...result, diagnostics: findingsInFile(embedded, result.diagnostics), suppressed: [] }];
  });
  return joined(results, snapshot);
}

function lintPolicyTests(snapshot: Snapshot, linter: Linter, { today, rules }: LintInput): Linted {
  const target = snapshot.project.targetOf(snapshot.source);
  if (target instanceof Error) return { ...NOTHING, analysis: snapshot.diagnostics };
  return joined([lintTests(snapshot.source, { ...target, today, rules }, linter)], snapshot);
}

type Result = Pick<ReturnType<typeof lintTests>, 'diagnostics' | 'suppressed'>;

function joined(results: readonly Result[], { diagnostics: analysed }: Snapshot): Linted {
  const keys = new Set(analysed.map(keyOf));
  const all = results.flatMap(one => one.diagnostics);
  return {
    findings: all.filter(one => !keys.has(keyOf(one))),
    analysis: all.filter(one => keys.has(keyOf(one))),
    suppressed: results.flatMap(one => one.suppressed.map(two => two.diagnostic)),
  };
}

/** Identifies a diagnostic in its document. */
export function keyOf({ code, range }: Diagnostic): string {
  return `${code} ${range.start} ${range.end}`;
}
