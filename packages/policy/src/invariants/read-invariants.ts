import type { EndpointKind, Profile } from '@tollgate/catalog';
import type { TypedAst } from '@tollgate/cel';
import type { Diagnostic, SourceText } from '@tollgate/diagnostics';
import { maxDiagnostics } from '../document/model/document-limits.ts';
import { type DocumentNode, entryOf } from '../document/model/document-node.ts';
import { Reporter } from '../document/model/reporter.ts';
import { checkCondition, type ExpressionContext } from '../expression/check-expression.ts';
import { reportExpression } from '../expression/report-expression.ts';
import type { Policy } from '../model/policy.ts';
import { CLAIMS, invariantFaults } from '../settings/invariant-faults.ts';
import type { Invariants, WrittenInvariant } from '../settings/invariants.ts';
import { INVARIANTS_FIELDS } from '../settings/invariants-shape.ts';
import { type ParsedSettings, rangeAt, readSettings } from '../settings/read-settings.ts';
import type { Fault } from '../settings/shape-faults.ts';
import { findTestedRule } from '../testing/find-tested-rule.ts';
import type { Claim, Invariant } from './claim.ts';
import { invariantContext } from './decision-facts.ts';

/** Reads invariants in YAML or JSON. {@link checkInvariant} checks their expressions and the names of rules. */
export function readInvariants(source: SourceText): ParsedSettings<Invariants> {
  return readSettings(source, INVARIANTS_FIELDS, ({ invariants }: Invariants) =>
    invariantFaults(invariants, ['invariants']),
  );
}

/** What invariants are checked against. */
export interface InvariantTarget {
  readonly policy: Policy;
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
}

/** Where an invariant is written. */
export interface InvariantLocation {
  readonly source: SourceText;
  readonly root: DocumentNode;
  readonly path: Fault['path'];
}

/** An invariant without errors, or diagnostics. */
export interface CheckedInvariant {
  /** Undefined if it has an error. */
  readonly invariant: Invariant | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks the expressions of an invariant, or that the policy has the rule that it names. */
export function checkInvariant(
  written: WrittenInvariant,
  { source, root, path }: InvariantLocation,
  { policy, profile, endpoint }: InvariantTarget,
): CheckedInvariant {
  const reporter = new Reporter(source.uri, maxDiagnostics(profile));
  const rules = profile.phases.flatMap(phase => policy.rules[phase]);
  const checker: Checker = {
    ...{ document: source.text, root, reporter, rules },
    context: invariantContext(profile, endpoint),
  };
  const claim = claimOf(written, path, checker);
  return { invariant: claim && { name: written.name, claim }, diagnostics: reporter.finish() };
}

interface Checker {
  readonly document: string;
  readonly root: DocumentNode;
  readonly reporter: Reporter;
  readonly rules: Policy['rules'][keyof Policy['rules']];
  readonly context: ExpressionContext;
}

function claimOf(written: WrittenInvariant, path: Fault['path'], checker: Checker): Claim | undefined {
  const kind = CLAIMS.find(key => written[key] !== undefined)!;
  switch (kind) {
    case 'never':
    case 'always': {
      const typed = conditionAt(checker, [...path, kind]);
      return typed && { kind, typed };
    }
    case 'implies': {
      const [when, typed] = [conditionAt(checker, [...path, 'when']), conditionAt(checker, [...path, kind])];
      return when && typed && { kind, when, typed };
    }
    default: {
      const found = findTestedRule(written[kind]!, checker.rules);
      if (typeof found === 'number') return { kind, rule: checker.rules[found]! };
      const range = rangeAt(checker.root, { path: [...path, kind] });
      checker.reporter.report({ code: 'prove/unknown-rule', message: found.message, range, args: {} });
      return undefined;
    }
  }
}

function conditionAt({ document, root, reporter, context }: Checker, path: Fault['path']): TypedAst | undefined {
  const node = nodeAt(root, path);
  if (node?.kind !== 'scalar' || node.text === undefined) return undefined;
  const { typed, diagnostics } = checkCondition(node.text.value, context, { what: 'an invariant' });
  for (const diagnostic of diagnostics) reportExpression(diagnostic, node.text, { document, reporter });
  return typed;
}

function nodeAt(root: DocumentNode, path: Fault['path']): DocumentNode | undefined {
  let node: DocumentNode | undefined = root;
  for (const step of path) {
    if (node?.kind === 'map') node = entryOf(node, String(step))?.value;
    else node = node?.kind === 'list' ? node.items[Number(step)] : undefined;
  }
  return node;
}
