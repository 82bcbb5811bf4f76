import type { ValueRole } from '@tollgate/catalog';
import { parseIp } from '@tollgate/cel/tooling';
import { ADDRESS_KEY } from '../theory/strings.ts';
import type { Universe, Vocabulary } from '../theory/vocabulary.ts';
import { INT64 } from '../values/int-set.ts';
import { type Language, patternLanguage, sizeLanguage } from '../values/language.ts';

/** Visible characters; a field value may also have blanks inside. */
const VISIBLE = '!-~\\x{a1}-\\x{d7ff}\\x{e000}-\\x{10ffff}';

const HOST = "(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]*)?";

/** What well-formed traffic has, as RE2 patterns for whole values; the README of this package says why. */
const FORMS: Partial<Record<ValueRole, string>> = {
  method: "[!#$%&'*+.^_`|~0-9A-Za-z-]+",
  scheme: 'https?',
  host: HOST,
  path: '/(?s:.*)',
  url: `https?://${HOST}/[!"$-~]*`,
  'request-headers': `(?:[${VISIBLE}](?:[\\t ${VISIBLE}]*[${VISIBLE}])?)?`,
  'response-headers': `(?:[${VISIBLE}](?:[\\t ${VISIBLE}]*[${VISIBLE}])?)?`,
};

/** Ordinary values; addresses and names are those that RFC 5737, 3849 and 2606 reserve for documentation. */
const PREFERRED: Partial<Record<ValueRole, readonly string[]>> = {
  method: ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'],
  scheme: ['https', 'http'],
  host: ['example.com', 'www.example.com'],
  path: ['/', '/index.html'],
  url: ['https://example.com/', 'http://example.com/'],
  'client-address': ['198.51.100.7', '203.0.113.7', '192.0.2.7', '2001:db8::7'],
  'country-code': ['DE', 'US', 'FR', ''],
  'request-headers': ['1', 'a', ''],
  'response-headers': ['1', 'a', ''],
  'query-parameters': ['1', 'a', ''],
  'tls-version': ['TLS 1.3', 'TLS 1.2', 'tls1.3', 'tls1.2'],
};

/** Ordinary values as RE2 patterns: on hosts that RFC 2606 reserves, and with characters that need no encoding. */
const ORDINARY: Partial<Record<ValueRole, readonly string[]>> = {
  host: ['(?:[a-z0-9-]+[.])*example[.]com'],
  path: ['/[a-z0-9._/-]*', '/[A-Za-z0-9._/-]*'],
  url: [
    'https://example[.]com/[a-z0-9._/-]*',
    'https://example[.]com/.*',
    'https?://(?:[a-z0-9-]+[.])*example[.]com/.*',
  ],
};

const STATUSES = Array.from({ length: 500 }, (_, at) => `${at + 100}`);

/** Which traffic proofs are about: well-formed traffic, or any with a valid client address. */
export type Traffic = 'well-formed' | 'any';

/**
 * Returns what well-formed traffic has in values of a role, or in the elements of lists of that role. For any traffic, that is only what is
 * tried first.
 */
export function universes(
  vocabulary: Vocabulary,
  traffic: Traffic,
): (role: ValueRole | undefined, steps: Universe['preferred'] | readonly (string | number)[]) => Universe {
  const known = new Map<string, Universe>();
  return (role, steps) => {
    const usual = (universe: Universe) => (traffic === 'any' ? { ...universe, isUsual: true } : universe);
    if (role === undefined) {
      const lengths = LENGTHS[String(steps.at(-1))];
      return lengths === undefined ? ANYTHING : usual(lengths);
    }
    if (role === 'request-cookies' || role === 'response-cookies') return cookieField(vocabulary, String(steps.at(-1)));
    let universe = known.get(role);
    if (universe === undefined) {
      universe = universeOf(vocabulary, role);
      if (role !== 'client-address') universe = usual(universe);
      // Without one, it is a slash.
      if (role === 'path')
        universe = { ...universe, always: sizeLanguage(vocabulary.language.bind(vocabulary), [[1n, INT64[1]]]) };
      known.set(role, universe);
    }
    return universe;
  };
}

/** What the edge passes on of cookies, whatever it receives (RFC 6265, section 4.1.1, with blanks and commas). */
const COOKIE_FORMS: Readonly<Record<string, readonly [form: string, preferred: string]>> = {
  name: ["[!#$%&'*+.^_`|~0-9A-Za-z-]+", 'a'],
  value: ['[ !#-:<-\\[\\]-~]*', '1'],
};

function cookieField(vocabulary: Vocabulary, field: string): Universe {
  const [form, preferred] = COOKIE_FORMS[field.toLowerCase()] ?? [];
  if (form === undefined || preferred === undefined) return ANYTHING;
  const language = patternLanguage(vocabulary.language.bind(vocabulary), `\\A(?:${form})\\z`);
  return language === undefined ? ANYTHING : { language, preferred: [preferred] };
}

const ANYTHING: Universe = { preferred: [] };
/** Of bodies, by the name of the variable: in the oldest profile, -1 stands for an unknown one. */
const LENGTHS: Readonly<Partial<Record<string, Universe>>> = {
  ContentLength: { integers: [[-1n, 2n ** 63n - 1n]], preferred: ['0', '1'] },
  content_length: { integers: [[0n, 2n ** 63n - 1n]], preferred: ['0', '1'] },
};

function universeOf(vocabulary: Vocabulary, role: ValueRole): Universe {
  const preferred = PREFERRED[role] ?? [];
  if (role === 'status') return { domain: STATUSES, integers: [[100n, 599n]], preferred: ['200', '404', '500'] };
  if (role === 'client-address') return { language: addresses(vocabulary), preferred };
  const form = FORMS[role];
  if (form === undefined) return { preferred };
  const language = patternLanguage(vocabulary.language.bind(vocabulary), `\\A(?:${form})\\z`);
  const ordinary = (ORDINARY[role] ?? []).flatMap(
    one => patternLanguage(vocabulary.language.bind(vocabulary), `\\A(?:${one})\\z`) ?? [],
  );
  return language === undefined ? { preferred } : { language, preferred, ordinary };
}

function addresses(vocabulary: Vocabulary): Language {
  return vocabulary.language(ADDRESS_KEY, () => ({
    test: text => parseIp(text) !== undefined,
    samples: [],
  }));
}
