import { type Phase, STRING_KEY } from '@tollgate/catalog';
import { readsOf, type TypedAst } from '@tollgate/cel';
import { foldConstants, inlineBodies } from '@tollgate/cel/tooling';
import { ownValue } from '@tollgate/diagnostics';
import type { Action, Policy, Rule } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { NO_HEADER_KNOWN, TLS_UNKNOWN } from '@tollgate/traffic';
import { type Dialect, dialectOf } from '../message/dialect.ts';
import { type ActionPlace, type Preparation, prepareAction } from '../preparation/prepare-policy.ts';
import { Session } from '../session/session.ts';
import { initialState } from '../state/recorded-state.ts';
import { compileExpression, readExpression } from '../values/compile-expression.ts';

/** What a rule needs of a recording, by the names that reports have for inputs: `req.Method`, `req.Headers["X-Key"]`. */
export interface RuleRequirements {
  readonly phase: Phase;
  /** Zero-based, in its phase. */
  readonly index: number;
  readonly name: string | undefined;
  /** What its conditions read. */
  readonly conditions: readonly string[];
  /** What its actions read, and what else decides about them. */
  readonly actions: readonly { readonly type: string; readonly needs: readonly string[] }[];
}

/** Tells what each rule of a policy may need of an exchange. The policy must be one without errors. */
export function policyRequirements(policy: Policy, preparation: Preparation): readonly RuleRequirements[] {
  const { profile, environments } = preparation;
  return profile.phases.flatMap(phase => {
    const environment = environments[phase];
    const at: ActionPlace = { profile, environment, place: { endpoint: policy.endpoint, phase } };
    return policy.rules[phase].map(rule => requirementsOf(rule, at));
  });
}

function requirementsOf({ phase, index, name, expressions, actions }: Rule, at: ActionPlace): RuleRequirements {
  const conditions = expressions.flatMap(({ typed }) =>
    typed ? inputsOf(inlineBodies(typed, at.environment), at) : [],
  );
  return {
    phase,
    index,
    name: name?.value,
    conditions: sorted(conditions),
    actions: actions.map(action => ({ type: action.type.value, needs: sorted(needsOf(action, at)) })),
  };
}

function sorted(inputs: readonly string[]): readonly string[] {
  return [...new Set(inputs)].sort();
}

/** The text of what is a text and has fields. */
const TEXT_FIELD = `.${STRING_KEY}`;

/** What actions leave behind is no input. */
function inputsOf(typed: TypedAst, { environment }: ActionPlace): readonly string[] {
  // Names of headers that expressions make small are constants then.
  return readsOf(foldConstants(typed, environment))
    .filter(({ variable }) => variable !== 'vars' && variable !== 'actions')
    .map(({ text }) => text.replace(TEXT_FIELD, ''));
}

/** What the expressions in its configuration read, and what it hangs on where nothing is known. */
function needsOf(action: Action, at: ActionPlace): readonly string[] {
  const inputs: string[] = [];
  const run = prepareAction(action, {
    ...at,
    compile: (source, context, as) => {
      inputs.push(...inputsOf(readExpression(source, context, as).typed, at));
      return compileExpression(source, context, as);
    },
  });
  const dialect = dialectOf(at.profile);
  const session = new Session();
  session.begin(NOTHING_KNOWN);
  const effect = run(initialState(NOTHING_KNOWN, { dialect, assumptions: {} }), { session, needs: [] });
  const open = effect.kind === 'may-end' ? effect.needs : [];
  return [...inputs, ...open, ...(ownValue(READS, action.type.value)?.(dialect) ?? [])];
}

const TIME = 'the time of the exchange';

/** What actions read beside their expressions without ending anything by it. */
const READS: Readonly<Record<string, (dialect: Dialect) => readonly string[]>> = {
  redirect: ({ names }) => [names.url],
  'url-rewrite': ({ names }) => [names.url],
  'rate-limit': () => [TIME],
  'circuit-breaker': ({ names }) => [TIME, names.status],
  'compress-response': ({ names, headerKey }) => [
    `${names.requestHeaders}["${headerKey('accept-encoding')}"]`,
    `${names.responseHeaders}["${headerKey('content-encoding')}"]`,
  ],
};

const NOTHING_KNOWN: Exchange = {
  place: { file: '', number: 1, unit: 'entry' },
  time: undefined,
  clientIp: undefined,
  tls: TLS_UNKNOWN,
  method: undefined,
  target: undefined,
  url: undefined,
  protocol: undefined,
  requestHeaders: NO_HEADER_KNOWN,
  response: undefined,
};
