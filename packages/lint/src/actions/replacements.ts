import { type Interpolation, PARAMETER_PREFIX, REPLACEMENT_VARIABLES } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import { type Action, documentRange } from '@tollgate/policy';
import { memoize } from '../primitives/memoize.ts';
import { groupName, type PatternTree } from '../regex/pattern-tree.ts';
import { textOfRole, type WrittenText } from './action-parts.ts';

/** A `$name` in a replacement. */
export interface Reference {
  readonly name: string;
  /** In the text. */
  readonly range: Range;
  /** `group`: of the match, by number or name; `variable`: of the request; undefined when it is neither. */
  readonly kind: 'group' | 'variable' | undefined;
}

/** A rewrite or redirect: what of a URL is replaced, and by what. */
export interface Replacement {
  readonly action: Action;
  /** Undefined where all of the URL is replaced, and where the pattern is made of expressions. */
  readonly from: WrittenText | undefined;
  /** Its structure; undefined where that is not known. Found out when it is first asked for. */
  readonly tree: PatternTree | undefined;
  readonly to: WrittenText;
  readonly references: readonly Reference[];
  /** Whether `$args` and its like are known. */
  readonly hasVariables: boolean;
  readonly hasExpressions: boolean;
}

const VARIABLES: ReadonlySet<string> = new Set(REPLACEMENT_VARIABLES.map(({ name }) => name));

/** The replacement of URLs that an action makes, if it does. Undefined for one that is broken. */
export function readReplacement(
  action: Action,
  patternTreeOf: (pattern: string) => PatternTree | undefined,
): Replacement | undefined {
  const to = textOfRole(action, 'url-replacement');
  if (!to) return undefined;
  const interpolation = action.fact!.config.find(field => field.role === 'url-replacement')?.interpolation;
  const hasVariables = interpolation?.includes('request') ?? false;
  const hasExpressions = interpolation?.includes('expressions') ?? false;
  const from = textOfRole(action, 'url-pattern');
  const known = from && !(hasExpressions && from.value.includes('${')) ? from : undefined;
  const treeOf = memoize(() => known && patternTreeOf(known.value));
  const references = referencesIn(to.value, { interpolation, known, treeOf });
  return new LazyReplacement({ action, from: known, to, references, hasVariables, hasExpressions }, treeOf);
}

class LazyReplacement implements Replacement {
  readonly action: Action;
  readonly from: WrittenText | undefined;
  readonly to: WrittenText;
  readonly references: readonly Reference[];
  readonly hasVariables: boolean;
  readonly hasExpressions: boolean;
  readonly #treeOf: () => PatternTree | undefined;

  constructor(plain: Omit<Replacement, 'tree'>, treeOf: () => PatternTree | undefined) {
    this.action = plain.action;
    this.from = plain.from;
    this.to = plain.to;
    this.references = plain.references;
    this.hasVariables = plain.hasVariables;
    this.hasExpressions = plain.hasExpressions;
    this.#treeOf = treeOf;
  }

  get tree(): PatternTree | undefined {
    return this.#treeOf();
  }
}

/** Where a part of a text stands. */
export function placeIn({ node, place }: WrittenText, part: Range): Range {
  return node.text ? documentRange(node.text, part) : place;
}

interface Naming {
  readonly interpolation: Interpolation | undefined;
  readonly known: WrittenText | undefined;
  readonly treeOf: () => PatternTree | undefined;
}

/** Of a text that is ASCII, the same: the letters of all scripts take 0.5 ms to load. */
const IN_ASCII = /\$\$|\$(\w+)|\$\{(\w+)\}/g;
const inAnyScript = () => /\$\$|\$([\p{L}\p{Nd}_]+)|\$\{([\p{L}\p{Nd}_]+)\}/gu;

/** As Go's `Expand` reads them: the longest run of word characters is the name, `$$` a dollar sign. */
function referencesIn(text: string, naming: Naming): readonly Reference[] {
  if (!text.includes('$')) return [];
  const hasBraces = !naming.interpolation?.includes('expressions');
  const found: Reference[] = [];
  for (const match of text.matchAll(/[\u0080-\uffff]/.test(text) ? inAnyScript() : IN_ASCII)) {
    const name = match[1] ?? (hasBraces ? match[2] : undefined);
    if (name === undefined) continue;
    found.push({ name, range: { start: match.index, end: match.index + match[0].length }, kind: kindOf(name, naming) });
  }
  return found;
}

function kindOf(name: string, { interpolation, known, treeOf }: Naming): Reference['kind'] {
  if (/^\d+$/.test(name)) return 'group';
  const isVariable = VARIABLES.has(name) || (name.startsWith(PARAMETER_PREFIX) && name !== PARAMETER_PREFIX);
  if (isVariable && interpolation?.includes('request')) return 'variable';
  const tree = treeOf();
  if (known && !tree) return 'group';
  return tree?.groups.some(group => groupName(known!.value, group) === name) ? 'group' : undefined;
}

/** The groups of the pattern that the replacement names, as indices; undefined when that is not known. */
export function namedGroups({ references, from, tree }: Replacement): ReadonlySet<number> | undefined {
  if (!from || !tree) return undefined;
  const names = tree.groups.map(group => groupName(from.value, group));
  return new Set(
    references
      .filter(({ kind }) => kind === 'group')
      .map(({ name }) => (/^\d+$/.test(name) ? Number(name) - 1 : names.indexOf(name))),
  );
}
