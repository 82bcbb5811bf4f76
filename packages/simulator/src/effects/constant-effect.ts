import { ownValue } from '@tollgate/diagnostics';
import { entriesOf, stringsOf } from './model/config.ts';
import type { ActionConfig, ActionContext } from './model/effect.ts';

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
