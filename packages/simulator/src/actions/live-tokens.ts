/** Tokens of live requests: what has to be found out about them before a decision. */
import type { ProfileSwitches, Sample } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import { keyOfTokens, readToken, type TokenClaims } from './authentication.ts';
import { type ActionConfig, SIDES, stringOr, stringsOf, valueAt } from './effect.ts';

/** What a policy asks of the tokens of a request. */
export interface TokenCheck {
  /** What {@link verdictKey} takes with a token. */
  readonly key: string;
  readonly places: readonly { readonly header: string; readonly prefix: string }[];
  readonly issuers: readonly string[];
  /** Undefined if all are accepted. */
  readonly audiences: readonly string[] | undefined;
  readonly algorithms: readonly string[];
  /** URLs of key sets in addition to those of the issuers. */
  readonly keySets: readonly string[];
}

/** Returns what a token says if it may be valid; undefined if it is refused without a look at its signature. */
export function plausibleToken({ algorithms, issuers, audiences }: TokenCheck, text: string): TokenClaims | undefined {
  const token = readToken(text);
  if (token?.algorithm === undefined || token.issuer === undefined || !algorithms.includes(token.algorithm))
    return undefined;
  const isMeant = audiences?.some(one => token.audiences.includes(one)) ?? true;
  return isMeant && issuers.includes(token.issuer) ? token : undefined;
}

/** Returns what a configuration asks of tokens. It has to be one that {@link unvalidatedTokens} finds nothing in. */
export function tokenCheckOf(config: ActionConfig): TokenCheck {
  const listed = (list: Sample | undefined) =>
    listIn(list, 'allow_list')?.map(entry => stringOr(valueAt(entry, 'value'), ''));
  return {
    key: keyOfTokens(config),
    places: (listIn(config.http, 'tokens') ?? []).map(token => ({
      header: stringOr(valueAt(token, 'name'), '').toLowerCase(),
      prefix: stringOr(valueAt(token, 'prefix'), ''),
    })),
    issuers: listed(config.issuer) ?? [],
    audiences: listed(config.audience),
    algorithms: stringsOf(valueAt(config.jws, 'allowed_algorithms')),
    keySets: keySetsIn(config),
  };
}

function listIn(value: Sample | undefined, key: string): readonly Sample[] | undefined {
  const list = valueAt(value, key);
  return Array.isArray(list) ? list : undefined;
}

function keySetsIn({ jws }: ActionConfig): readonly string[] {
  return stringsOf(valueAt(jws, 'keys', 'sources', 'additional_jkus'));
}

/** Tokens that are not validated before a decision; completes "… are not validated by a server". */
export interface Unvalidated {
  readonly tokens: string;
  readonly range: Range;
}

/** Returns the tokens that a policy asks for and that cannot be validated before it decides. */
export function unvalidatedTokens(
  { rules }: Policy,
  { interpolationEscape }: Pick<ProfileSwitches, 'interpolationEscape'>,
): readonly Unvalidated[] {
  return Object.entries(rules).flatMap(([phase, list]) => {
    const added = new Set<string>();
    if (SIDES[phase as keyof typeof SIDES] === 'response') return [];
    return list.flatMap(({ actions }) =>
      actions.flatMap(({ type, config }): readonly Unvalidated[] => {
        if (type.value === 'add-headers')
          for (const name of Object.keys(config.headers ?? {})) added.add(name.toLowerCase());
        if (type.value !== 'jwt-validation') return [];
        const isComputed = interpolationEscape !== 'none' && JSON.stringify(config).includes('${');
        const tokens = isComputed ? 'tokens with computed settings' : faultIn(config, added);
        return tokens === undefined ? [] : [{ tokens, range: type.range }];
      }),
    );
  });
}

/** @param added headers that earlier actions add, in lower case */
function faultIn(config: ActionConfig, added: ReadonlySet<string>): string | undefined {
  if (listIn(config.http, 'tokens')?.some(token => valueAt(token, 'method') === 'body') === true)
    return 'tokens in bodies';
  const { algorithms, keySets, places } = tokenCheckOf(config);
  // The keys in a set are public; with a shared one, everybody could sign who can verify.
  const symmetric = algorithms.find(one => one.startsWith('HS'));
  if (symmetric !== undefined) return `tokens signed with \`${symmetric}\``;
  const claims = listIn(valueAt(config.jws, 'keys', 'identification'), 'token_claims') ?? ['kid'];
  const other = claims.find(one => one !== 'kid');
  if (other !== undefined) return `tokens whose key is found by \`${other}\``;
  const odd = keySets.find(url => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''));
  if (odd !== undefined) return `tokens with keys at \`${odd}\``;
  const changed = places.find(({ header }) => added.has(header));
  return changed && `tokens in a header that \`add-headers\` has set (\`${changed.header}\`)`;
}
