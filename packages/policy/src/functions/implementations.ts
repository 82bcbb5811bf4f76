import type { FunctionFact, Profile } from '@tollgate/catalog';
import { EvaluationError, type Implementation, type ImplementationFunction, Unknown } from '@tollgate/cel';
import { HASHES, hashString } from './hashes.ts';
import { hosted } from './hosted.ts';
import { decodeJson, encodeJson, isJson } from './json.ts';
import { escapeQuery, unescapeString } from './percent-coding.ts';
import { decodeQuery, encodeQuery } from './query-string.ts';
import { isUrl, parseUrl } from './url.ts';

const NOT_ESCAPED = new EvaluationError('eval/bad-escape', 'the string has a `%` without two hexadecimal digits');

/** The characters that Go's `unicode.IsSpace` accepts. */
const WHITE_SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

function total(call: ImplementationFunction): Implementation {
  return { call, total: true };
}

function partial(call: ImplementationFunction): Implementation {
  return { call, total: false };
}

/** The catalog's functions without a body in CEL, by overload id. */
export const IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  ...hashes(),
  json_decode_string: partial(decodeJson),
  json_encode_dyn: { call: encodeJson, total: false, needsContext: true },
  string_is_json: total(isJson),
  query_string_decode_string: partial(decodeQuery as ImplementationFunction),
  query_string_encode_map: partial(encodeQuery),
  string_is_query_string: total((text: string) => !(decodeQuery(text) instanceof EvaluationError)),
  url_escape_string: total(escapeQuery),
  url_unescape_string: partial((text: string) => unescapeString(text, true) ?? NOT_ESCAPED),
  url_parse_string: partial(parseUrl),
  string_is_url: total(isUrl),
  string_lower: total((text: string) => text.toLowerCase()),
  string_upper: total((text: string) => text.toUpperCase()),
  string_split: total((text: string) => text.split(WHITE_SPACE).filter(part => part !== '')),
};

function hashes(): Record<string, Implementation> {
  const rows = Object.entries(HASHES).flatMap(([name, digest]): [string, Implementation][] => [
    [`hash_${name}_string`, total((text: string) => hashString(digest, text, 'hex') as string)],
    [`hash_${name}_string_string`, partial((text: string, format: string) => hashString(digest, text, format))],
  ]);
  return Object.fromEntries(rows);
}

/** Returns the implementations of a profile's functions. Opaque ones return an unknown with the reason. */
export function implementationsOf(profile: Profile): Readonly<Record<string, Implementation>> {
  const opaque = profile.functions.flatMap(fact =>
    fact.opaque === undefined ? [] : [[fact.overloadId, unknown(fact)]],
  );
  const added = profile.functions.flatMap(fact => (fact.implementation ? [[fact.overloadId, hosted(fact)]] : []));
  return { ...IMPLEMENTATIONS, ...Object.fromEntries(opaque), ...Object.fromEntries(added) };
}

function unknown({ name, opaque }: FunctionFact): Implementation {
  const value = new Unknown([`\`${name}()\`, because ${opaque}`]);
  return partial(() => value);
}
