import { type Phase, STRING_KEY } from '@tollgate/catalog';
import { readsOf, type TypedAst } from '@tollgate/cel';
import { foldConstants, inlineBodies } from '@tollgate/cel/tooling';
import { ownValue } from '@tollgate/diagnostics';
import type { Action, Policy, Rule } from '@tollgate/policy';
import type { Exchange } from '@tollgate/traffic';
import { NO_HEADER_KNOWN, TLS_UNKNOWN } from '@tollgate/traffic';
import { type Dialect, dialectOf } from '../message/dialect.ts';
import { type ActionScope, type Preparation, prepareAction } from '../preparation/prepare-policy.ts';
import { Session } from '../session/session.ts';
import { initialState } from '../state/recorded-state.ts';
import { compileExpression, readExpression } from '../values/compile-expression.ts';

/** What a rule needs of a recording, with the names of inputs in reports: `req.Method`, `req.Headers["X-Key"]`. */
export interface RuleRequirements {
  readonly phase: Phase;
  /** Zero-based, within its phase. */
  readonly index: number;
  readonly name: string | undefined;
  /** Inputs of its conditions. */
  readonly conditions: readonly string[];
  /** Inputs of its actions, and what else decides their effect. */
  readonly actions: readonly { readonly type: string; readonly needs: readonly string[] }[];
}

/** Returns what each rule of a policy may need of an exchange. The policy must have no errors. */
export function policyRequirements(policy: Policy, preparation: Preparation): readonly RuleRequirements[] {
  const { profile, environments } = preparation;
  return profile.phases.flatMap(phase => {
    const environment = environments[phase];
    const at: ActionScope = { profile, environment, place: { endpoint: policy.endpoint, phase } };
    return policy.rules[phase].map(rule => requirementsOf(rule, at));
  });
}

function requirementsOf({ phase, index, name, expressions, actions }: Rule, at: ActionScope): RuleRequirements {
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

/** The string member of a variable that is a string and has fields. */
const TEXT_FIELD = `.${STRING_KEY}`;

/** Results of actions are not inputs. */
function inputsOf(typed: TypedAst, { environment }: ActionScope): readonly string[] {
  // Folding turns header names that an expression lowercases into constants.
  return readsOf(foldConstants(typed, environment))
    .filter(({ variable }) => variable !== 'vars' && variable !== 'actions')
    .map(({ text }) => text.replace(TEXT_FIELD, ''));
}

/** Returns the inputs of the expressions in the configuration, and what the effect depends on if nothing is known. */
function needsOf(action: Action, at: ActionScope): readonly string[] {
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

/** Inputs that actions read in addition to those of their expressions, without ending the evaluation. */
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
