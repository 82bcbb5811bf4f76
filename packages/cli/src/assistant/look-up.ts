// Finds what the catalog and the code pages know of a name or of words.

import {
  type ActionFact,
  type FunctionFact,
  MODERN,
  PROFILES,
  type Profile,
  type VariableFact,
} from '@tollgate/catalog';
import type { CodePage } from '@tollgate/reports';
import { CODE_PAGES } from '../output/code-table.ts';
import { type Answer, clip } from './answers.ts';

/** What an entry is about. */
export type EntryKind = 'variable' | 'function' | 'action' | 'code';

/** An entry, and the words by which it is found. */
interface Entry {
  readonly kind: EntryKind;
  readonly name: string;
  readonly text: string;
  /** Others should be used instead. */
  readonly isDeprecated?: boolean;
  readonly shown: () => Answer;
}

/** The largest number of entries in an answer. */
const MAX_ENTRIES = 5;

/** Returns the entries that a query finds, the best first. New policies are written for the modern profile, so that is the default. */
export function lookUp(query: string, kind: EntryKind | undefined, profileName: string | undefined): Answer {
  const profile = PROFILES.find(({ name }) => name === profileName) ?? MODERN;
  const entries = entriesOf(profile).filter(entry => kind === undefined || entry.kind === kind);
  const words = wordsIn(query);
  const ranked = entries
    .map(entry => ({ entry, score: scoreOf(entry, query.trim().toLowerCase(), words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  return {
    total: ranked.length,
    entries: ranked.slice(0, MAX_ENTRIES).map(({ entry: { kind, name, shown } }) => ({ kind, name, ...shown() })),
  };
}

function entriesOf(profile: Profile): readonly Entry[] {
  return [
    ...profile.variables.map(variableEntry),
    ...profile.functions.map(functionEntry),
    ...profile.actions.map(actionEntry),
    ...CODE_PAGES.map(codeEntry),
  ];
}

function variableEntry({ path, type, doc, phases, example, absent, deprecated }: VariableFact): Entry {
  const missing =
    absent === undefined
      ? ''
      : ` Absent when ${absent.when}${absent.value === undefined ? '; reading it then fails' : `; then ${absent.value}`}.`;
  const old =
    deprecated === undefined ? '' : ` Deprecated${deprecated.use === undefined ? '' : `: use ${deprecated.use}`}.`;
  return {
    kind: 'variable',
    name: path,
    text: doc,
    isDeprecated: deprecated !== undefined,
    shown: () => ({ type, phases, text: `${doc}${missing}${old}`, example: example.expression }),
  };
}

function functionEntry({ name, member, params, result, doc, phases, examples }: FunctionFact): Entry {
  const [target, ...rest] = params.map(param => `${param.name}: ${param.type}`);
  const type = member
    ? `(${target}).${name}(${rest.join(', ')}) -> ${result}`
    : `${name}(${[target, ...rest].filter(one => one !== undefined).join(', ')}) -> ${result}`;
  const [example] = examples;
  return {
    kind: 'function',
    name,
    text: doc,
    shown: () => ({
      type,
      phases,
      text: doc,
      ...(example && { example: `${example.expression} is ${example.value}` }),
    }),
  };
}

function actionEntry({ type, doc, outcome, config, phases }: ActionFact): Entry {
  return {
    kind: 'action',
    name: type,
    text: doc,
    shown: () => ({
      phases,
      text: `${doc} ${outcome}`,
      fields: config.map(field => `${field.name}${field.required ? ' (required)' : ''}: ${clip(field.doc)}`),
    }),
  };
}

function codeEntry({ code, summary, rationale, good, ...page }: CodePage): Entry {
  const remedy = 'remedy' in page && typeof page.remedy === 'string' ? ` ${page.remedy}` : '';
  return {
    kind: 'code',
    name: code,
    text: `${summary} ${rationale}`,
    shown: () => ({ text: `${summary}. ${rationale}${remedy}`, ...(good && { example: good.text }) }),
  };
}

/** Words of a name or text, also of `client_ip` and `ClientIP`. */
function wordsIn(text: string): readonly string[] {
  const parts = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return parts ?? [];
}

/** A name is worth most, then words of names, then words of texts. Zero unless every word is found. */
function scoreOf({ kind, name, text, isDeprecated }: Entry, query: string, words: readonly string[]): number {
  if (name.toLowerCase() === query) return 1000;
  // Taking texts apart costs most; any word that counts has its first letters in them.
  const all = `${name} ${text}`.toLowerCase();
  if (!words.every(word => all.includes(word.slice(0, 4)))) return 0;
  const [inName, inText] = [wordsIn(name), wordsIn(text)];
  let score = name.toLowerCase().includes(query) ? 100 : 0;
  for (const word of words) {
    const begins = (other: string) =>
      other.startsWith(word) || (word.length > 3 && word.startsWith(other) && other.length > 3);
    if (inName.includes(word)) score += 20;
    else if (inName.some(begins)) score += 10;
    else if (inText.some(begins)) score += 2;
    else return 0;
  }
  const isLess = isDeprecated || kind === 'code';
  // Of several, the shorter name is the more general one.
  return (isLess ? score / 2 : score) - name.length / 100;
}
