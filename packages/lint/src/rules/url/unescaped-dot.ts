import type { AST } from '@eslint-community/regexpp';
import type { ValueRole } from '@tollgate/catalog';
import { checkPatterns, patternTreeOf } from '../../analyses/patterns.ts';
import { visitNodes } from '../../readers/pattern-tree.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Inputs in which a dot between words is meant literally. */
const DOTTED: ReadonlySet<ValueRole> = new Set(['url', 'path', 'path-and-query', 'host']);

/** Inputs that may contain a domain: email addresses, origins, names in certificates. */
const OTHER_DOTTED: ReadonlySet<ValueRole | undefined> = new Set([
  undefined,
  'request-headers',
  'query-parameters',
] as const);
const DOMAIN = /\w\.(?:com|org|net|io|dev|app|co|edu|gov|info|biz|eu|uk|de|fr|internal|local|example|test)\b/i;

/** Reports `req.Host.matches('^shop.example.com$')`. */
export const UNESCAPED_DOT: LintRule = {
  id: 'url/unescaped-dot',
  severity: 'warning',
  summary: 'unescaped `.` in a pattern for a host or path',
  rationale:
    'An unescaped dot matches any character: `shop.example.com` also matches `shop-example.com`, which someone else may own. Write ' +
    '`[.]` to match a dot.',
  bad: {
    policy: `\
inbound:
  - name: shop hosts only
    expressions: ["!req.Host.matches('^(shop|pay)[.]example«.»com$')"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: shop hosts only
    expressions: ["!req.Host.matches('^(shop|pay)[.]example[.]com$')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended'],
  check: checkPatterns(({ pattern, subject, call, rangeOf, edit }, context) => {
    if (!/\.[\w(]/.test(pattern)) return;
    const isDotted = subject !== undefined && DOTTED.has(subject);
    if (!isDotted && !(call && OTHER_DOTTED.has(subject) && DOMAIN.test(pattern))) return;
    const tree = patternTreeOf(pattern, context.file);
    if (!tree) return;
    const dots: AST.AnyCharacterSet[] = [];
    visitNodes(tree.root, node => {
      if (node.type !== 'CharacterSet' || node.kind !== 'any') return;
      if (isMeantLiterally(node, isDotted ? subject : undefined)) dots.push(node);
    });
    const [first] = dots;
    if (!first) return;
    const edits = edit(dots, '[.]');
    const isOne = dots.length === 1;
    const problem = isOne ? 'unescaped `.` matches' : `${dots.length} unescaped dots match`;
    context.report({
      range: rangeOf(first),
      message: `${problem} any character; write \`[.]\` to match a dot`,
      fixes:
        edits.length > 0 ? [{ title: `match only ${isOne ? 'a dot' : 'dots'}`, applicability: 'unsafe', edits }] : [],
    });
  }),
};

/**
 * True for a dot between words, in a number such as `1.0`, before the extension of a file, before a hidden name such as `/.git`, and before
 * each further part of a host. A dot that is repeated is not; `subject` is undefined for inputs that need not be URLs.
 */
function isMeantLiterally(node: AST.AnyCharacterSet, subject: ValueRole | undefined): boolean {
  if (node.parent?.type !== 'Alternative') return false;
  const { elements } = node.parent;
  const at = elements.indexOf(node);
  const [before, after] = [elements.slice(0, at), elements.slice(at + 1)];
  if (subject !== undefined && isExtension(after)) return true;
  if (isDigit(before.at(-1)) && isDigit(after[0])) return true;
  if (!beginsWithWord(after)) return false;
  const last = before.at(-1);
  if (endsWithWord(before)) return true;
  return subject === 'host' ? last?.type === 'Quantifier' : subject !== undefined && last?.raw === '/';
}

/** True if a sequence begins with two word characters, or with alternatives that do. */
function beginsWithWord([first, second]: readonly AST.Element[]): boolean {
  const inner = alternativesOf(first);
  return inner ? inner.every(one => beginsWithWord(one.elements)) : isWord(first) && isWord(second);
}

function endsWithWord(elements: readonly AST.Element[]): boolean {
  const inner = alternativesOf(elements.at(-1));
  return inner ? inner.every(one => endsWithWord(one.elements)) : isWord(elements.at(-1)) && isWord(elements.at(-2));
}

function alternativesOf(node: AST.Element | undefined): readonly AST.Alternative[] | undefined {
  return node?.type === 'Group' || node?.type === 'CapturingGroup' ? node.alternatives : undefined;
}

const EXTENSION =
  /^(?:php\d?|html?|[aj]spx?|cgi|env|git|sql|bak|ini|json|xml|ya?ml|[jt]sx?|mjs|css|map|png|jpe?g|gif|svg|webp|ico|woff2?|txt|pdf|zip|gz)$/;

/** True if the characters up to the end, or up to an assertion, are a usual extension of files; also for alternatives, and for `html?`. */
function isExtension(after: readonly AST.Element[]): boolean {
  const [first, next] = after;
  const inner = alternativesOf(first);
  if (inner) return isEnd(next) && inner.every(one => isExtension(one.elements));
  const found = after.findIndex(one => !isWord(one));
  const end = found < 0 ? after.length : found;
  const word = after
    .slice(0, end)
    .map(one => one.raw)
    .join('');
  const optional = optionalCharacter(after[end]);
  return optional === undefined
    ? EXTENSION.test(word) && isEnd(after[end])
    : EXTENSION.test(word) && EXTENSION.test(word + optional) && isEnd(after[end + 1]);
}

function isEnd(node: AST.Element | undefined): boolean {
  return node === undefined || node.type === 'Assertion';
}

/** Returns `l` for `l?`. */
function optionalCharacter(node: AST.Element | undefined): string | undefined {
  const isOptional = node?.type === 'Quantifier' && node.min === 0 && node.max === 1 && isWord(node.element);
  return isOptional ? node.element.raw : undefined;
}

function isDigit(node: AST.Element | undefined): boolean {
  return node?.type === 'Character' && /^\d$/.test(String.fromCodePoint(node.value));
}

function isWord(node: AST.Node | undefined): boolean {
  return node?.type === 'Character' && /^\w$/.test(String.fromCodePoint(node.value));
}
