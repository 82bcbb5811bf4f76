import type { Range } from '@tollgate/diagnostics';
import type { Action } from '@tollgate/policy';
import type { Condition, Unsupported } from './condition.ts';
import { readsOf } from './inputs.ts';

/** Returns the first input that an earlier action may have changed, or that only actions set. */
export function readAfter(changes: readonly Action[], condition: Condition, range: Range): Unsupported | undefined {
  for (const { input, key } of readsOf(condition)) {
    const { path } = input;
    const change = changes.find(action => isWithin(path, action.fact?.changes ?? []) && mayChange(action, path, key));
    if (change !== undefined) return { construct: `\`${path}\` after \`${change.type.value}\``, range };
    if (isWithin(path, ['actions', 'vars'])) return { construct: `\`${path}\``, range };
  }
  return undefined;
}

function isWithin(path: string, inputs: readonly string[]): boolean {
  return inputs.some(input => path === input || path.startsWith(`${input}.`));
}

/** Whether an action on headers may change what is read of an input. */
function mayChange(action: Action, path: string, key: string | undefined): boolean {
  const names = headersOf(action);
  if (names === undefined) return true;
  if (OF_TARGET.test(path)) return false;
  const header = key ?? HEADERS[path.toLowerCase().replaceAll(/[._]/g, '')];
  return header === undefined || names.includes(header.toLowerCase());
}

/** Parts of the URL that no header contributes to. */
const OF_TARGET = /^req[.]url[.](?:path|raw_path|query|uri|query_params)$/;

/** The only header that contributes to an input, by its path in lower case without dots and underscores. */
const HEADERS: Readonly<Record<string, string>> = {
  ...{ reqhost: 'host', requrl: 'host', reqcontentlength: 'content-length', requseragent: 'user-agent' },
  ...{ reqcontenttype: 'content-type', reqcontentencoding: 'content-encoding' },
};

/** Returns the names, in lower case, of the headers that an action sets or removes; undefined if it does something else. */
function headersOf({ type, config }: Action): readonly string[] | undefined {
  if (type.value !== 'add-headers' && type.value !== 'remove-headers') return undefined;
  const { headers } = config;
  const names = Array.isArray(headers) ? headers.map(String) : Object.keys((headers ?? {}) as object);
  return names.some(name => name.includes('$')) ? undefined : names.map(name => name.toLowerCase());
}
