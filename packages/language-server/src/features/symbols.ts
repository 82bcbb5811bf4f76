import type { Range, SourceText } from '@tollgate/diagnostics';
import { type DocumentNode, entryOf, type Rule } from '@tollgate/policy';
import {
  type DocumentLink,
  type DocumentSymbol,
  type SymbolInformation,
  SymbolKind,
} from 'vscode-languageserver-types';
import type { DocumentKind } from '../host.ts';
import { uriOfPath } from '../paths.ts';
import { pageOf, toRange } from '../protocol.ts';
import type { Snapshot } from '../snapshot.ts';
import { occurrencesIn } from './occurrences.ts';

/** Maximum number of symbols of a document: outlines of editors stall with more. */
const MAX_SYMBOLS = 5000;

/** Returns the outline of a document: phases with their rules and actions, tests, or keys. */
export function documentSymbols(snapshot: Snapshot): readonly DocumentSymbol[] {
  const { kind, policies, root, source } = snapshot;
  if (kind === 'policy' || kind === 'edge' || kind === 'carrier')
    return policies.flatMap(({ policy, target }) =>
      target.profile.phases.flatMap(phase =>
        phaseSymbol(phase, policy.rules[phase], snapshot, entryOf(policy.node, phase)?.keyRange),
      ),
    );
  return root?.kind === 'map'
    ? root.entries.map(({ key, keyRange, value }) => keySymbol(key, keyRange, value, source))
    : [];
}

function phaseSymbol(
  name: string,
  rules: readonly Rule[],
  { source }: Snapshot,
  key: Range | undefined,
): readonly DocumentSymbol[] {
  const [first] = rules;
  const last = rules.at(-1);
  if (!first || !last || !key) return [];
  const shown = rules.slice(0, MAX_SYMBOLS);
  const children = shown.map(rule => ruleSymbol(rule, source));
  const detail =
    rules.length > MAX_SYMBOLS ? `${rules.length} rules, of which ${MAX_SYMBOLS} are shown` : `${rules.length} rules`;
  return [
    {
      ...symbol(name, SymbolKind.Namespace, source, [
        { start: key.start, end: Math.max(last.range.end, key.end) },
        key,
      ]),
      detail,
      children,
    },
  ];
}

function ruleSymbol({ name, index, range, actions }: Rule, source: SourceText): DocumentSymbol {
  const label = name?.value.trim() ? name.value : `rule ${index + 1}`;
  const at = name?.range ?? { start: range.start, end: range.start };
  const children = actions.map(({ type, range: whole }) =>
    symbol(type.value || '?', SymbolKind.Function, source, [spanning(whole, type.range), type.range]),
  );
  return { ...symbol(label, SymbolKind.Class, source, [spanning(range, at), at]), children };
}

function keySymbol(name: string, key: Range, value: DocumentNode, source: SourceText): DocumentSymbol {
  const whole = { start: key.start, end: Math.max(value.range.end, key.end) };
  const items = (name === 'tests' || name === 'invariants') && value.kind === 'list' ? value.items : [];
  const children = items.slice(0, MAX_SYMBOLS).map((item, index) => {
    const named = item.kind === 'map' ? entryOf(item, 'name')?.value : undefined;
    const label =
      named?.kind === 'scalar' && typeof named.value === 'string' && named.value
        ? named.value
        : `${name.slice(0, -1)} ${index + 1}`;
    return symbol(label, SymbolKind.Method, source, [
      item.range,
      named ? named.range : { start: item.range.start, end: item.range.start },
    ]);
  });
  return { ...symbol(name || '?', SymbolKind.Key, source, [whole, key]), children };
}

function symbol(
  name: string,
  kind: SymbolKind,
  source: SourceText,
  [range, selection]: readonly [Range, Range],
): DocumentSymbol {
  return { name, kind, range: toRange(source, range), selectionRange: toRange(source, selection) };
}

function spanning(a: Range, b: Range): Range {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** Returns the outline as a list, for clients that cannot show a tree. */
export function flatSymbols(
  { uri }: Pick<Snapshot, 'uri'>,
  symbols: readonly DocumentSymbol[],
  containerName?: string,
): readonly SymbolInformation[] {
  return symbols.flatMap(({ name, kind, range, children = [] }) => [
    { name, kind, location: { uri, range }, ...(containerName !== undefined && { containerName }) },
    ...flatSymbols({ uri }, children, name),
  ]);
}

/** Returns the rules, tests and phases among symbols whose name contains the characters of a query in order. */
export function matchingSymbols(symbols: readonly SymbolInformation[], query: string): readonly SymbolInformation[] {
  const wanted = query.toLowerCase();
  return symbols
    .filter(({ name, kind }) => kind !== SymbolKind.Function && containsInOrder(name.toLowerCase(), wanted))
    .slice(0, MAX_SYMBOLS);
}

function containsInOrder(name: string, wanted: string): boolean {
  let at = 0;
  for (const character of wanted) {
    const found = name.indexOf(character, at);
    if (found < 0) return false;
    at = found + character.length;
  }
  return true;
}

/** What a client can show about a document as a whole. */
interface DocumentSummary {
  readonly kind: DocumentKind;
  /** What its policies are checked against, without duplicates. */
  readonly targets: readonly { readonly profile: string; readonly endpoint: string }[];
  /** The project file; null if there is none. */
  readonly project: string | null;
  /** Why settings could not be loaded, and which modules were not loaded because nobody trusts them. */
  readonly failures: readonly string[];
}

/** Returns what a document is, and what is in force for it. */
export function summarize({ kind, project, target, embedded, policies }: Snapshot): DocumentSummary {
  const found = [target, ...policies.map(one => one.target), ...embedded.map(one => one.snapshot.target)];
  const targets = found.flatMap(one => (one ? [{ profile: one.profile.name, endpoint: one.endpoint }] : []));
  const distinct = new Map(targets.map(one => [`${one.profile} ${one.endpoint}`, one]));
  return { kind, targets: [...distinct.values()], project: project.file ?? null, failures: project.failures };
}

/** Returns links to the files that a document names, and to the pages of lint rules. */
export function documentLinks(snapshot: Snapshot): readonly DocumentLink[] {
  return occurrencesIn(snapshot).flatMap(({ kind, file, name, range }): readonly DocumentLink[] => {
    if (kind === 'file' && file) return [{ range: toRange(snapshot.source, range), target: uriOfPath(file.path) }];
    return kind === 'lint-rule'
      ? [{ range: toRange(snapshot.source, range), target: pageOf(name), tooltip: name }]
      : [];
  });
}
