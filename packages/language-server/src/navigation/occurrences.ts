import { dirname, join } from 'node:path';
import { ownValue, type Range } from '@tollgate/diagnostics';
import {
  type Action,
  type DocumentNode,
  entryOf,
  type MapNode,
  type Rule,
  rangeInFile,
  type ScalarNode,
} from '@tollgate/policy';
import { inStrings } from '../snapshot/embedded-at.ts';
import { invariantsIn, RULE_KEYS } from '../snapshot/invariants-snapshot.ts';
import type { EmbeddedSnapshot, Snapshot } from '../snapshot/snapshot.ts';
import { occurrencesInExpression } from './expression-occurrences.ts';
import type { NamedFile, Occurrence } from './occurrence.ts';

/** Returns every name in a document that stands for something, also in the policies in its strings, in no particular order. */
export function occurrencesIn(snapshot: Snapshot): readonly Occurrence[] {
  const ignored = suppressionsIn(snapshot);
  switch (snapshot.kind) {
    case 'policy':
    case 'edge':
      return [...ignored, ...inPolicies(snapshot)];
    case 'carrier':
      return [...ignored, ...inPolicies(snapshot), ...inStrings(snapshot).flatMap(inString)];
    case 'tests':
      return [...ignored, ...inTests(snapshot)];
    case 'invariants':
      return [...ignored, ...inInvariants(snapshot)];
    case 'project':
      return [...ignored, ...inProject(snapshot)];
    case 'other':
      return [];
  }
}

/** Ranges are those of the file. */
function inString(policy: EmbeddedSnapshot): readonly Occurrence[] {
  return occurrencesIn(policy.snapshot).map(one => ({
    ...one,
    range: rangeInFile(policy.embedded, one.range),
    inside: { policy, range: one.range },
  }));
}

function inPolicies({ policies, path }: Snapshot): readonly Occurrence[] {
  return policies.flatMap(({ policy, address }) => {
    const file = { path, address };
    return Object.values(policy.rules).flatMap(rules => rules.flatMap(rule => inRule(rule, file)));
  });
}

/** A policy as the keys of names contain it. */
function scopeOf({ path, address }: NamedFile): string {
  return address ? `${path}#${address}` : path;
}

/** Returns the names in one rule. */
function inRule(rule: Rule, file: NamedFile): readonly Occurrence[] {
  const { name, phase, index, range } = rule;
  const label = `${phase} ${index + 1}`;
  // Tests may name a file without saying which of its policies they mean.
  const scopes = [...new Set([scopeOf(file), file.path])];
  const written = name ? [name.value, label] : [label];
  const own: Occurrence = {
    kind: 'rule',
    keys: scopes.flatMap(scope => written.map(one => `rule ${scope}\n${one}`)),
    range: name?.range ?? { start: range.start, end: range.start },
    isDefinition: true,
    name: name?.value ?? label,
  };
  const scope = scopeOf(file);
  const conditions = rule.expressions.flatMap(({ typed, text }) =>
    typed ? occurrencesInExpression({ typed, text, offset: 0, scope }) : [],
  );
  return [own, ...conditions, ...rule.actions.flatMap(action => inAction(action, scope))];
}

function inAction(action: Action, scope: string): readonly Occurrence[] {
  const { type, expressions, configNode, fact } = action;
  const own: Occurrence = {
    kind: 'action',
    keys: [`action ${type.value}`],
    range: type.range,
    isDefinition: false,
    name: type.value,
  };
  const inside = expressions.flatMap(({ typed, text, offset }) =>
    typed ? occurrencesInExpression({ typed, text, offset, scope }) : [],
  );
  const sets = fact?.config
    .filter(field => field.role === 'variables')
    .map(({ name }) => configNode && entryOf(configNode, name)?.value);
  const set = (sets ?? [])
    .flatMap(node => (node ? keysIn(node) : []))
    .map(
      ({ key, range }): Occurrence => ({
        kind: 'variable',
        keys: [`variable ${scope} ${key}`],
        range,
        isDefinition: true,
        name: key,
      }),
    );
  return [own, ...inside, ...set, ...(configNode ? groupsIn(configNode, scope) : [])];
}

function keysIn(node: DocumentNode): readonly { readonly key: string; readonly range: Range }[] {
  if (node.kind === 'list') return node.items.flatMap(keysIn);
  return node.kind === 'map' ? node.entries.map(({ key, keyRange }) => ({ key, range: keyRange })) : [];
}

/** Groups of the pattern in `from`, and what `to` makes of them. */
function groupsIn(config: MapNode, scope: string): readonly Occurrence[] {
  const [from, to] = ['from', 'to'].map(key => entryOf(config, key)?.value);
  if (!isString(from) || !isString(to)) return [];
  const prefix = `group ${scope} ${config.range.start}`;
  const at = (node: ScalarNode, index: number, length: number): Range => {
    // Exact for strings without escapes, which patterns usually are.
    const start = node.range.start + (node.style === 'plain' ? 0 : 1) + index;
    return { start, end: start + length };
  };
  const groups = [...String(from.value).matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?[^P<])/g)].filter(
    ([found]) => found === '(',
  );
  const defined = groups.map(({ index }, number): Occurrence => {
    const name = String(number + 1);
    return { kind: 'group', keys: [`${prefix} ${name}`], range: at(from, index, 1), isDefinition: true, name };
  });
  const used = [...String(to.value).matchAll(/\$(\d+)/g)].map(
    ({ index, 1: name = '' }): Occurrence => ({
      ...{ kind: 'group', keys: [`${prefix} ${name}`], isDefinition: false, name },
      range: at(to, index, name.length + 1),
    }),
  );
  return [...defined, ...used];
}

function isString(node: DocumentNode | undefined): node is ScalarNode {
  return node?.kind === 'scalar' && typeof node.value === 'string';
}

function inTests({ root, path }: Snapshot): readonly Occurrence[] {
  if (root?.kind !== 'map') return [];
  const policy = entryOf(root, 'policy')?.value;
  const file = isString(policy) ? [fileOccurrence(policy, path)] : [];
  const tested = file[0]?.file;
  const tests = entryOf(root, 'tests')?.value;
  const items = tests?.kind === 'list' ? tests.items : [];
  return [...file, ...items.flatMap(item => (item.kind === 'map' ? inTest(item, path, tested) : []))];
}

function inInvariants({ root, path }: Snapshot): readonly Occurrence[] {
  if (root?.kind !== 'map') return [];
  const policy = entryOf(root, 'policy')?.value;
  const file = isString(policy) ? [fileOccurrence(policy, path)] : [];
  const tested = file[0]?.file;
  const rules = invariantsIn(root).flatMap(node => {
    const values = RULE_KEYS.map(key => (node.kind === 'map' ? entryOf(node, key)?.value : undefined));
    return values.flatMap((one): readonly Occurrence[] => {
      if (!isString(one) || tested === undefined) return [];
      return [ruleOf(tested, String(one.value), contentOf(one))];
    });
  });
  return [...file, ...rules];
}

function ruleOf(file: NamedFile, name: string, range: Range): Occurrence {
  return { kind: 'rule', keys: [`rule ${scopeOf(file)}\n${name}`], range, isDefinition: false, name, file };
}

function inTest(test: MapNode, path: string, tested: NamedFile | undefined): readonly Occurrence[] {
  const name = entryOf(test, 'name')?.value;
  const own: readonly Occurrence[] = isString(name)
    ? [
        {
          kind: 'test',
          keys: [`test ${path} ${name.value}`],
          range: contentOf(name),
          isDefinition: true,
          name: String(name.value),
        },
      ]
    : [];
  const expect = entryOf(test, 'expect')?.value;
  const rules = expect?.kind === 'map' ? entryOf(expect, 'rules')?.value : undefined;
  const entries = rules?.kind === 'map' ? rules.entries : [];
  const named = tested ? entries.map(({ key, keyRange }) => ruleOf(tested, key, keyRange)) : [];
  return [...own, ...named];
}

/** Keys of a project file whose values are files. */
const FILES: Readonly<Record<string, true>> = { env: true, load: true, extends: true };

function inProject({ root, path, project }: Snapshot): readonly Occurrence[] {
  const found: Occurrence[] = [];
  const ids = new Set<string>(project.rules.map(({ id }) => id));
  const walk = (node: DocumentNode, key: string) => {
    if (node.kind === 'list') for (const item of node.items) walk(item, key);
    if (node.kind === 'map')
      for (const entry of node.entries) {
        if (ids.has(entry.key)) found.push(lintOccurrence(entry.key, entry.keyRange));
        walk(entry.value, entry.key);
      }
    const isFile = isString(node) && ownValue(FILES, key) && /^\.{0,2}\/|\.\w+$/.test(String(node.value));
    if (isFile && isString(node)) found.push(fileOccurrence(node, path));
  };
  if (root) walk(root, '');
  return found;
}

function suppressionsIn({ comments, source, project }: Snapshot): readonly Occurrence[] {
  const ids = new Set<string>(project.rules.map(({ id }) => id));
  return comments.flatMap(({ start, end }) => {
    const text = source.text.slice(start, end);
    if (!text.includes('tollgate-ignore')) return [];
    return [...text.matchAll(/[a-z]+\/[\w-]+/g)].flatMap(({ index, 0: id }) =>
      ids.has(id) ? [lintOccurrence(id, { start: start + index, end: start + index + id.length })] : [],
    );
  });
}

function lintOccurrence(id: string, range: Range): Occurrence {
  return { kind: 'lint-rule', keys: [`lint-rule ${id}`], range, isDefinition: false, name: id };
}

function fileOccurrence(node: ScalarNode, path: string): Occurrence {
  const [name = '', address] = String(node.value).split('#');
  const target = name.startsWith('/') ? name : join(dirname(path), name);
  const file = { path: target, address };
  return { kind: 'file', keys: [`file ${target}`], range: contentOf(node), isDefinition: false, name, file };
}

function contentOf({ range, style }: ScalarNode): Range {
  return style === 'double' || style === 'single' ? { start: range.start + 1, end: range.end - 1 } : range;
}

/** Returns the innermost name at an offset. */
export function occurrenceAt(found: readonly Occurrence[], offset: number): Occurrence | undefined {
  return found
    .filter(({ range }) => range.start <= offset && offset <= range.end && range.end > range.start)
    .toSorted((a, b) => a.range.end - a.range.start - (b.range.end - b.range.start))[0];
}

/** Returns true if two names stand for the same thing. */
export function isSameThing(a: Occurrence, b: Occurrence): boolean {
  return a.kind === b.kind && a.keys.some(key => b.keys.includes(key));
}
