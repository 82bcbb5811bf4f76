import {
  type EndpointKind,
  type EvaluationContext,
  extendProfile,
  type Phase,
  type Profile,
  phasesAt,
} from '@tollgate/catalog';
import type { TypedAst } from '@tollgate/cel';
import type { Diagnostic, SourceText } from '@tollgate/diagnostics';
import { type DocumentNode, entryOf, maxDiagnostics, Reporter } from '../document/document-node.ts';
import { checkCondition, type ExpressionContext, reportExpression } from '../expressions/check-expression.ts';
import { createPhaseEnvironments, onceInCatalog } from '../expressions/phase-environment.ts';
import type { Policy, Rule } from '../rules/policy.ts';
import { findTestedRule, OUTCOMES } from './policy-tests.ts';
import {
  CLAIMS,
  type Invariants,
  invariantFaults,
  type ParsedSettings,
  rangeAt,
  readSettings,
  type WrittenInvariant,
} from './read-settings.ts';
import type { Fault } from './shape-faults.ts';
import { INVARIANTS_FIELDS } from './shapes.ts';

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

/** An invariant without errors. */
export interface Invariant {
  readonly name: string;
  readonly claim: Claim;
}

/** What an invariant claims of all traffic. */
export type Claim =
  /** The condition is true for no request. */
  | { readonly kind: 'never'; readonly typed: TypedAst }
  /** The condition is true for each request; an evaluation error is not. */
  | { readonly kind: 'always'; readonly typed: TypedAst }
  /** Where the first condition is true, the second is true as well. */
  | { readonly kind: 'implies'; readonly when: TypedAst; readonly typed: TypedAst }
  | { readonly kind: 'unreachable'; readonly rule: Rule }
  | { readonly kind: 'never_fails'; readonly rule: Rule };

/** What an invariant can say about the decision, in addition to the variables of requests. */
export const DECISION_VARIABLES = [
  {
    path: 'decision.reachesUpstream',
    type: 'bool',
    doc: 'Whether the upstream receives the request.',
  },
  {
    path: 'decision.outcome',
    type: 'string',
    doc: `How the request ends: ${Object.keys(OUTCOMES)
      .map(one => `\`${one}\``)
      .join(', ')}.`,
  },
  {
    path: 'decision.status',
    type: 'int',
    doc: 'Status code that the client receives; 0 if the connection is closed without a response.',
  },
  { path: 'decision.action', type: 'string', doc: 'Action that caused the outcome; empty for traffic that passes.' },
  { path: 'decision.actions', type: 'list(string)', doc: 'Types of all actions that run, in order.' },
  {
    path: 'decision.rules',
    type: 'list(string)',
    doc: 'Rules that match, in order: phase and number of each, as in `inbound 2`.',
  },
  { path: 'decision.names', type: 'list(string)', doc: 'Names of the rules that match and have one.' },
  {
    path: 'decision.failed',
    type: 'list(string)',
    doc: 'Rules that are skipped because an expression fails, as in `decision.rules`.',
  },
] as const;

/** In order of preference. */
const REQUEST_PHASES: readonly Phase[] = ['inbound', 'on_http_request', 'on_tcp_connect'];

/**
 * Returns the context in which expressions of invariants are checked and evaluated: the variables of requests as received, and the decision.
 */
export function invariantContext(profile: Profile, endpoint: EndpointKind): ExpressionContext {
  return contextAt(profile, endpoint);
}

const contextAt = onceInCatalog((profile, endpoint): ExpressionContext => {
  const extended = extendProfile(profile, { variables: DECISION_VARIABLES });
  const phases = phasesAt(profile, endpoint);
  const phase = REQUEST_PHASES.find(one => phases.includes(one)) ?? phases[0]!;
  const place: EvaluationContext = { endpoint, phase };
  return { profile: extended, place, environment: createPhaseEnvironments(extended, endpoint)[phase] };
});
