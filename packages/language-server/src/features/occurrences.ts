import type { TypedAst } from '@tollgate/cel';
import { ownValue, type Range } from '@tollgate/diagnostics';
import {
  type Action,
  type DocumentNode,
  documentRange,
  entryOf,
  type MapNode,
  type MappedText,
  type Policy,
  type Rule,
  rangeInFile,
  type ScalarNode,
} from '@tollgate/policy';
import { isOperator, visitWritten } from '../cursor/expression-place.ts';
import { pathOf } from '../cursor/partial-expression.ts';
import { pathFrom } from '../paths.ts';
import { type EmbeddedSnapshot, inStrings, invariantsIn, movedSince, RULE_KEYS, type Snapshot } from '../snapshot.ts';

/** What a name stands for. */
type SymbolKind =
  | 'rule'
  | 'test'
  | 'variable'
  | 'local'
  | 'input'
  | 'function'
  | 'action'
  | 'group'
  | 'file'
  | 'lint-rule';

/** A place where something is named. */
export interface Occurrence {
  readonly kind: SymbolKind;
  /** Occurrences with a common key stand for the same thing, in any document. */
  readonly keys: readonly string[];
  /** Without quotes. */
  readonly range: Range;
  readonly isDefinition: boolean;
  /** The name as it is meant, without quotes and escapes. */
  readonly name: string;
  /** The file that it names, or that has the rule that it names. */
  readonly file?: NamedFile;
  /** The policy in a string of the document that it is in, and its range there. */
  readonly inside?: { readonly policy: EmbeddedSnapshot; readonly range: Range };
}

/** A file, or a policy in it. */
export interface NamedFile {
  readonly path: string;
  /** What follows `#`. */
  readonly address: string | undefined;
}

/** Kinds of things that can be renamed. */
export const RENAMEABLE: ReadonlySet<SymbolKind> = new Set(['rule', 'test', 'variable', 'local']);

/** Returns every name in a document that stands for something, also in the policies in its strings, in no particular order. */
export function occurrencesIn(snapshot: Snapshot): readonly Occurrence[] {
  const { lastGood } = snapshot;
  if (!lastGood) return occurrencesRead(snapshot);
  return occurrencesRead(lastGood.snapshot).flatMap(one => {
    const range = movedSince(lastGood, one.range);
    return range ? { ...one, range } : [];
  });
}

function occurrencesRead(snapshot: Snapshot): readonly Occurrence[] {
  const ignored = suppressionsIn(snapshot);
  switch (snapshot.kind) {
    case 'policy':
    case 'edge':
      return [...ignored, ...inPolicies(snapshot)];
    case 'embedding':
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
    typed ? occurrencesInExpression(typed, text, 0, scope) : [],
  );
  return [own, ...conditions, ...rule.actions.flatMap(action => inAction(action, scope))];
}

function inAction(action: Action, scope: string): readonly Occurrence[] {
  const { type, expressions, configNode } = action;
  const own: Occurrence = {
    kind: 'action',
    keys: [`action ${type.value}`],
    range: type.range,
    isDefinition: false,
    name: type.value,
  };
  const inside = expressions.flatMap(({ typed, text, offset }) =>
    typed ? occurrencesInExpression(typed, text, offset, scope) : [],
  );
  const set = namesSetBy(action).map(
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

/** Returns the names that actions of policies give to variables. */
export function setVariables(policies: readonly Policy[]): readonly string[] {
  const actions = policies.flatMap(({ rules }) =>
    Object.values(rules).flatMap(list => list.flatMap(one => one.actions)),
  );
  return [...new Set(actions.flatMap(namesSetBy).map(({ key }) => key))];
}

function namesSetBy({ fact, configNode }: Action): ReturnType<typeof keysIn> {
  const fields = fact?.config.filter(field => field.role === 'variables') ?? [];
  return fields.flatMap(({ name }) => {
    const value = configNode && entryOf(configNode, name)?.value;
    return value ? keysIn(value) : [];
  });
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
      kind: 'group',
      keys: [`${prefix} ${name}`],
      isDefinition: false,
      name,
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
  const ids = new Set<string>(project.rules().map(({ id }) => id));
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
  const ids = new Set<string>(project.rules().map(({ id }) => id));
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
  const target = pathFrom(path, name);
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

/**
 * Returns the names in an expression: inputs, functions, variables that actions set, and those that macros bind.
 *
 * @param scope identifies the policy
 */
function occurrencesInExpression(
  typed: TypedAst,
  text: MappedText,
  offset: number,
  scope: string,
): readonly Occurrence[] {
  const found: Occurrence[] = [];
  const place = ({ start, end }: Range) => documentRange(text, { start: start + offset, end: end + offset });
  const add = (one: Omit<Occurrence, 'range' | 'isDefinition'>, range: Range, isDefinition = false) =>
    found.push({ ...one, range: place(range), isDefinition });
  const bound = boundNames(typed);
  const origin = `${scope} ${text.range.start} ${offset}`;
  visitWritten(typed.ast, node => {
    if (node.kind === 'call' && !isOperator(node))
      add({ kind: 'function', keys: [`function ${node.function}`], name: node.function }, node.functionRange);
    if (node.kind === 'call' && node.function === '_[_]') {
      const [operand, index] = node.args;
      if (
        operand?.kind === 'ident' &&
        operand.name === 'vars' &&
        index?.kind === 'literal' &&
        index.literal.type === 'string'
      )
        add(
          { kind: 'variable', keys: [`variable ${scope} ${index.literal.value}`], name: index.literal.value },
          { start: index.range.start + 1, end: index.range.end - 1 },
        );
    }
    if (node.kind === 'ident') {
      const local = bound.find(
        one => one.name === node.name && one.range.start <= node.range.start && node.range.end <= one.range.end,
      );
      if (local)
        add(
          { kind: 'local', keys: [`local ${origin} ${local.range.start} ${node.name}`], name: node.name },
          node.range,
          local.declared === node.range.start,
        );
      else add({ kind: 'input', keys: [`input ${node.name}`], name: node.name }, node.range);
    }
    if (node.kind === 'select') {
      const steps = pathOf(node);
      const [first] = steps ?? [];
      if (!steps || bound.some(one => one.name === first)) return;
      if (first === 'vars' && steps.length === 2)
        add({ kind: 'variable', keys: [`variable ${scope} ${node.field}`], name: node.field }, node.fieldRange);
      else add({ kind: 'input', keys: [`input ${steps.join('.')}`], name: node.field }, node.fieldRange);
    }
  });
  return found;
}

interface Bound {
  readonly name: string;
  /** Where the name is declared. */
  readonly declared: number;
  /** The macro call. */
  readonly range: Range;
}

/** Returns the names that macros bind: their first arguments if these are identifiers. Inner ones first. */
function boundNames({ ast }: TypedAst): readonly Bound[] {
  const found: Bound[] = [];
  for (const call of ast.macroCalls.values()) {
    const names = call.args.slice(0, call.args.length > 2 ? 2 : 1);
    for (const one of call.function === 'has' ? [] : names)
      if (one.kind === 'ident') found.push({ name: one.name, declared: one.range.start, range: argumentsRange(call) });
  }
  return found.toSorted((a, b) => b.range.start - a.range.start);
}

/** The receiver of a macro does not see its variable. */
function argumentsRange({ functionRange, range }: { readonly functionRange: Range; readonly range: Range }): Range {
  return { start: functionRange.end, end: range.end };
}
