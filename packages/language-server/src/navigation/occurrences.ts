import { dirname, join } from 'node:path';
import { ownValue, type Range } from '@tollgate/diagnostics';
import { type Action, type DocumentNode, entryOf, type MapNode, type Rule, type ScalarNode } from '@tollgate/policy';
import { invariantsIn, RULE_KEYS } from '../snapshot/invariants-snapshot.ts';
import type { AnalysedPolicy, Snapshot } from '../snapshot/snapshot.ts';
import { occurrencesInExpression } from './expression-occurrences.ts';
import type { Occurrence } from './occurrence.ts';

/** Returns every name in a document that stands for something, in no particular order. */
export function occurrencesIn(snapshot: Snapshot): readonly Occurrence[] {
  const ignored = suppressionsIn(snapshot);
  switch (snapshot.kind) {
    case 'policy':
    case 'edge':
    case 'carrier':
      return [...ignored, ...snapshot.policies.flatMap(one => inPolicy(one, snapshot.path))];
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

function inPolicy({ policy }: AnalysedPolicy, path: string): readonly Occurrence[] {
  return Object.values(policy.rules).flatMap(rules => rules.flatMap(rule => inRule(rule, path)));
}

/** Returns the names in one rule. */
function inRule(rule: Rule, path: string): readonly Occurrence[] {
  const { name, phase, index, range } = rule;
  const named: readonly Occurrence[] = name
    ? [{ kind: 'rule', key: `rule ${path}\n${name.value}`, range: name.range, isDefinition: true, name: name.value }]
    : [];
  const start = { start: range.start, end: range.start };
  const label = `${phase} ${index + 1}`;
  const numbered: Occurrence = {
    kind: 'rule',
    key: `rule ${path}\n${label}`,
    range: name?.range ?? start,
    isDefinition: true,
    name: label,
  };
  const conditions = rule.expressions.flatMap(({ typed, text }) =>
    typed ? occurrencesInExpression({ typed, text, offset: 0, path }) : [],
  );
  return [...named, numbered, ...conditions, ...rule.actions.flatMap(action => inAction(action, path))];
}

function inAction(action: Action, path: string): readonly Occurrence[] {
  const { type, expressions, configNode, fact } = action;
  const own: Occurrence = {
    kind: 'action',
    key: `action ${type.value}`,
    range: type.range,
    isDefinition: false,
    name: type.value,
  };
  const inside = expressions.flatMap(({ typed, text, offset }) =>
    typed ? occurrencesInExpression({ typed, text, offset, path }) : [],
  );
  const sets = fact?.config
    .filter(field => field.role === 'variables')
    .map(({ name }) => configNode && entryOf(configNode, name)?.value);
  const set = (sets ?? [])
    .flatMap(node => (node ? keysIn(node) : []))
    .map(
      ({ key, range }): Occurrence => ({
        kind: 'variable',
        key: `variable ${path} ${key}`,
        range,
        isDefinition: true,
        name: key,
      }),
    );
  return [own, ...inside, ...set, ...(configNode ? groupsIn(configNode, path) : [])];
}

function keysIn(node: DocumentNode): readonly { readonly key: string; readonly range: Range }[] {
  if (node.kind === 'list') return node.items.flatMap(keysIn);
  return node.kind === 'map' ? node.entries.map(({ key, keyRange }) => ({ key, range: keyRange })) : [];
}

/** Groups of the pattern in `from`, and what `to` makes of them. */
function groupsIn(config: MapNode, path: string): readonly Occurrence[] {
  const [from, to] = ['from', 'to'].map(key => entryOf(config, key)?.value);
  if (!isString(from) || !isString(to)) return [];
  const prefix = `group ${path} ${config.range.start}`;
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
    return { kind: 'group', key: `${prefix} ${name}`, range: at(from, index, 1), isDefinition: true, name };
  });
  const used = [...String(to.value).matchAll(/\$(\d+)/g)].map(
    ({ index, 1: name = '' }): Occurrence => ({
      ...{ kind: 'group', key: `${prefix} ${name}`, isDefinition: false, name },
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
  const tested = file[0]?.key.slice('file '.length);
  const tests = entryOf(root, 'tests')?.value;
  const items = tests?.kind === 'list' ? tests.items : [];
  return [...file, ...items.flatMap(item => (item.kind === 'map' ? inTest(item, path, tested) : []))];
}

function inInvariants({ root, path }: Snapshot): readonly Occurrence[] {
  if (root?.kind !== 'map') return [];
  const policy = entryOf(root, 'policy')?.value;
  const file = isString(policy) ? [fileOccurrence(policy, path)] : [];
  const tested = file[0]?.key.slice('file '.length);
  const rules = invariantsIn(root).flatMap(node => {
    const values = RULE_KEYS.map(key => (node.kind === 'map' ? entryOf(node, key)?.value : undefined));
    return values.flatMap((one): readonly Occurrence[] => {
      if (!isString(one) || tested === undefined) return [];
      const name = String(one.value);
      return [{ kind: 'rule', key: `rule ${tested}\n${name}`, range: contentOf(one), isDefinition: false, name }];
    });
  });
  return [...file, ...rules];
}

function inTest(test: MapNode, path: string, tested: string | undefined): readonly Occurrence[] {
  const name = entryOf(test, 'name')?.value;
  const own: readonly Occurrence[] = isString(name)
    ? [
        {
          kind: 'test',
          key: `test ${path} ${name.value}`,
          range: contentOf(name),
          isDefinition: true,
          name: String(name.value),
        },
      ]
    : [];
  const expect = entryOf(test, 'expect')?.value;
  const rules = expect?.kind === 'map' ? entryOf(expect, 'rules')?.value : undefined;
  const entries = rules?.kind === 'map' && tested !== undefined ? rules.entries : [];
  const named = entries.map(
    ({ key, keyRange }): Occurrence => ({
      ...{ kind: 'rule', key: `rule ${tested}\n${key}`, range: keyRange, isDefinition: false, name: key },
    }),
  );
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
  return { kind: 'lint-rule', key: `lint-rule ${id}`, range, isDefinition: false, name: id };
}

function fileOccurrence(node: ScalarNode, path: string): Occurrence {
  const [name = ''] = String(node.value).split('#');
  const target = name.startsWith('/') ? name : join(dirname(path), name);
  return { kind: 'file', key: `file ${target}`, range: contentOf(node), isDefinition: false, name };
}

function contentOf({ range, style }: ScalarNode): Range {
  return style === 'double' || style === 'single' ? { start: range.start + 1, end: range.end - 1 } : range;
}

/** Returns the innermost name at an offset. */
export function occurrenceAt(found: readonly Occurrence[], offset: number): Occurrence | undefined {
  return found
    .filter(({ range }) => range.start <= offset && offset <= range.end && range.end > range.start)
    .toSorted(
      (a, b) =>
        a.range.end - a.range.start - (b.range.end - b.range.start) ||
        Number(/ \d+$/.test(a.key)) - Number(/ \d+$/.test(b.key)),
    )[0];
}
