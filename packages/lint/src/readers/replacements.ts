import { type Interpolation, PARAMETER_PREFIX, REPLACEMENT_VARIABLES } from '@tollgate/catalog';
import { once, type Range } from '@tollgate/diagnostics';
import { type Action, documentRange } from '@tollgate/policy';
import { type StringNode, stringOfRole } from './actions.ts';
import { groupName, type PatternTree } from './pattern-tree.ts';

/** A `$name` in a replacement string. */
export interface Reference {
  readonly name: string;
  /** Range in the string. */
  readonly range: Range;
  /** `group`: a capture group, by number or name; `variable`: a variable of the request; undefined if it is unknown. */
  readonly kind: 'group' | 'variable' | undefined;
}

/** How a rewrite or a redirect replaces the URL or a part of it. */
export interface Replacement {
  readonly action: Action;
  /** Undefined if the whole URL is replaced, or the pattern contains expressions. */
  readonly from: StringNode | undefined;
  /** The parsed pattern; undefined if it cannot be analysed. Parsed on first use. */
  readonly tree: PatternTree | undefined;
  readonly to: StringNode;
  readonly references: readonly Reference[];
  /** True if the profile knows variables such as `$args`. */
  readonly hasVariables: boolean;
  readonly hasExpressions: boolean;
}

const VARIABLES: ReadonlySet<string> = new Set(REPLACEMENT_VARIABLES.map(({ name }) => name));

/** Returns how an action replaces the URL; undefined if it does not, or its configuration is invalid. */
export function readReplacement(
  action: Action,
  patternTreeOf: (pattern: string) => PatternTree | undefined,
): Replacement | undefined {
  const to = stringOfRole(action, 'url-replacement');
  if (!to) return undefined;
  const interpolation = action.fact!.config.find(field => field.role === 'url-replacement')?.interpolation;
  const hasVariables = interpolation?.includes('request') ?? false;
  const hasExpressions = interpolation?.includes('expressions') ?? false;
  const from = stringOfRole(action, 'url-pattern');
  const known = from && !(hasExpressions && from.value.includes('${')) ? from : undefined;
  const treeOf = once(() => known && patternTreeOf(known.value));
  const references = referencesIn(to.value, { interpolation, known, treeOf });
  const plain = { action, from: known, to, references, hasVariables, hasExpressions };
  return {
    ...plain,
    get tree() {
      return treeOf();
    },
  };
}

/** Returns the range of a part of a string in the document. */
export function placeIn({ node, place }: StringNode, part: Range): Range {
  return node.text ? documentRange(node.text, part) : place;
}

interface ReferenceContext {
  readonly interpolation: Interpolation | undefined;
  readonly known: StringNode | undefined;
  readonly treeOf: () => PatternTree | undefined;
}

/** The same for ASCII strings: loading the Unicode tables takes 0.5 ms. */
const ASCII_REFERENCES = /\$\$|\$(\w+)|\$\{(\w+)\}/g;
const unicodeReferences = () => /\$\$|\$([\p{L}\p{Nd}_]+)|\$\{([\p{L}\p{Nd}_]+)\}/gu;

/** Reads references as Go's `Expand` does: the longest run of word characters is the name, and `$$` is a dollar sign. */
function referencesIn(text: string, context: ReferenceContext): readonly Reference[] {
  if (!text.includes('$')) return [];
  const hasBraces = !context.interpolation?.includes('expressions');
  const found: Reference[] = [];
  for (const match of text.matchAll(/[\u0080-\uffff]/.test(text) ? unicodeReferences() : ASCII_REFERENCES)) {
    const name = match[1] ?? (hasBraces ? match[2] : undefined);
    if (name === undefined) continue;
    found.push({
      name,
      range: { start: match.index, end: match.index + match[0].length },
      kind: kindOf(name, context),
    });
  }
  return found;
}

function kindOf(name: string, { interpolation, known, treeOf }: ReferenceContext): Reference['kind'] {
  if (/^\d+$/.test(name)) return 'group';
  const isVariable = VARIABLES.has(name) || (name.startsWith(PARAMETER_PREFIX) && name !== PARAMETER_PREFIX);
  if (isVariable && interpolation?.includes('request')) return 'variable';
  const tree = treeOf();
  if (known && !tree) return 'group';
  return tree?.groups.some(group => groupName(known!.value, group) === name) ? 'group' : undefined;
}

/** Returns the indices of the capture groups that the replacement refers to; undefined if the pattern cannot be analysed. */
export function namedGroups({ references, from, tree }: Replacement): ReadonlySet<number> | undefined {
  if (!from || !tree) return undefined;
  const names = tree.groups.map(group => groupName(from.value, group));
  return new Set(
    references
      .filter(({ kind }) => kind === 'group')
      .map(({ name }) => (/^\d+$/.test(name) ? Number(name) - 1 : names.indexOf(name))),
  );
}
