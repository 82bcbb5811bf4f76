/** The effect of each action of the catalog; of those that an environment adds; and of actions whose effect is always the same. */
import { terminationOf } from '@tollgate/catalog';
import { ownValue } from '@tollgate/diagnostics';
import { ANSWER_EFFECTS } from './answers.ts';
import { basicAuth, jwtValidation } from './authentication.ts';
import { BODY_EFFECTS, compressResponse } from './body-actions.ts';
import { restrictIps, terminateTls } from './connection-actions.ts';
import {
  type ActionConfig,
  type ActionContext,
  answered,
  type Effects,
  entriesOf,
  type PrepareAction,
  stringsOf,
} from './effect.ts';
import { HEADER_EFFECTS } from './header-actions.ts';
import { LIMIT_EFFECTS } from './limits.ts';
import { log, setVars } from './log.ts';
import { OPAQUE_EFFECTS } from './opaque-actions.ts';
import { URL_EFFECTS } from './url-actions.ts';
import { verifyLiveWebhook, verifyWebhook } from './webhook-signatures.ts';

/** The effects of all actions in the catalog. */
export const EFFECTS: Effects = {
  ...ANSWER_EFFECTS,
  ...BODY_EFFECTS,
  ...HEADER_EFFECTS,
  ...LIMIT_EFFECTS,
  ...OPAQUE_EFFECTS,
  ...URL_EFFECTS,
  'basic-auth': basicAuth,
  'compress-response': compressResponse,
  'jwt-validation': jwtValidation,
  log,
  'restrict-ips': restrictIps,
  'set-vars': setVars,
  'terminate-tls': terminateTls,
  'verify-webhook': verifyWebhook,
};

/** What actions do instead where requests are live. */
export const LIVE_EFFECTS: Effects = { 'verify-webhook': verifyLiveWebhook };

/** Actions of the catalog that may do something that no exchange shows. */
const OPAQUE: ReadonlySet<string> = new Set([
  ...Object.keys(OPAQUE_EFFECTS),
  ...['jwt-validation', 'restrict-ips', 'terminate-tls', 'verify-webhook'],
]);

/** Returns true if an action may do something that no exchange shows, so that it can be assumed. */
export function mayBeAssumed(type: string): boolean {
  return OPAQUE.has(type) || !Object.hasOwn(EFFECTS, type);
}

/** Opaque: of an action that an extension adds, only its termination is known. */
export const addedAction: PrepareAction = (config, context) => {
  const { fact } = context;
  const { type } = fact;
  const termination = terminationOf({ fact, config });
  if (termination === 'never') return state => ({ kind: 'continues', state });
  const answer = { kind: 'refused', status: undefined, action: type } as const;
  if (termination === 'always') return state => ({ kind: 'ends', ending: answered(state, answer, context) });
  const needs = [`what \`${type}\` does`];
  const notes = [{ kind: 'opaque', reason: 'an extension adds it' }] as const;
  return state => ({ kind: 'may-end', ending: answered(state, answer, context), state, needs, notes });
};

/** An action with a constant effect: it always fires, and always either continues or ends the evaluation in the same way. */
export interface ConstantEffect {
  readonly ends: boolean;
  /** What later conditions may find changed, as variables of the catalog. */
  readonly writes: readonly Written[];
}

/** A variable with everything below it, or one header in a map of headers. */
export interface Written {
  readonly path: string;
  readonly key?: string;
}

type Describe = (config: ActionConfig, context: ActionContext) => ConstantEffect | undefined;

const ENDS: Describe = () => ({ ends: true, writes: [] });

const CONSTANT_EFFECTS: Readonly<Record<string, Describe>> = {
  'close-connection': ENDS,
  deny: ENDS,
  'custom-response': (_, { side, switches }) =>
    // Rules for responses may run on the edge's response instead of the recorded one.
    side === 'request' && switches.responsePhaseAfterAnswer === 'run' ? undefined : { ends: true, writes: [] },
  log: (_, context) => ({ ends: false, writes: leftBehind(context) }),
  'add-headers': (config, context) =>
    withHeaders(
      entriesOf(config.headers).map(([name]) => name),
      context,
    ),
  'remove-headers': (config, context) => withHeaders(stringsOf(config.headers), context),
  'set-vars': (_, context) => ({ ends: false, writes: [{ path: 'vars' }, ...leftBehind(context)] }),
};

/** Returns the constant effect of an action; undefined if it depends on the traffic. */
export function constantEffect(type: string, config: ActionConfig, context: ActionContext): ConstantEffect | undefined {
  return ownValue(CONSTANT_EFFECTS, type)?.(config, context);
}

function leftBehind({ results: { prefix } }: ActionContext): readonly Written[] {
  return prefix === undefined ? [] : [{ path: prefix }];
}

/** Headers that other variables than the header map are derived from. */
const WITH_VARIABLES: ReadonlySet<string> = new Set([
  ...['content-encoding', 'content-length', 'content-type', 'cookie', 'host', 'location', 'set-cookie'],
  ...['transfer-encoding', 'user-agent'],
]);

function withHeaders(names: readonly string[], context: ActionContext): ConstantEffect | undefined {
  if (names.some(name => WITH_VARIABLES.has(name.toLowerCase()))) return undefined;
  const { dialect, side } = context;
  const path = side === 'request' ? dialect.names.requestHeaders : dialect.names.responseHeaders;
  const headers = names.map(name => ({ path, key: dialect.headerKey(name) }));
  return { ends: false, writes: [...headers, ...leftBehind(context)] };
}
