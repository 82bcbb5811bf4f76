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
    const isDotted = subject !== undefined && DOTTED.has(subject);
    if (!/[\w)\]+*?}]\.\w/.test(pattern) || !(isDotted || (call && OTHER_DOTTED.has(subject) && DOMAIN.test(pattern))))
      return;
    const tree = patternTreeOf(pattern, context.file);
    if (!tree) return;
    visitNodes(tree.root, node => {
      if (node.type !== 'CharacterSet' || node.kind !== 'any' || !isBetweenWords(node)) return;
      const edits = edit(node, '[.]');
      context.report({
        range: rangeOf(node),
        message: 'unescaped `.` matches any character; write `[.]` to match a dot',
        fixes: edits.length > 0 ? [{ title: 'match only a dot', applicability: 'unsafe', edits }] : [],
      });
    });
  }),
};

/** True if there are at least two word characters on each side, or the name of a file and its extension. A dot that is repeated is not. */
function isBetweenWords(node: AST.AnyCharacterSet): boolean {
  if (node.parent?.type !== 'Alternative') return false;
  const { elements } = node.parent;
  const at = elements.indexOf(node);
  if (!isWord(elements[at + 1]) || !isWord(elements[at + 2])) return false;
  return (
    (isWord(elements[at - 1]) && isWord(elements[at - 2])) || (isName(elements[at - 1]) && isExtension(elements, at))
  );
}

/** True for `[a-z]+` and `\w*`: the varying part of a file name. */
function isName(node: AST.Element | undefined): boolean {
  if (node?.type !== 'Quantifier') return false;
  const { element } = node;
  return element.type === 'CharacterClass'
    ? !element.negate
    : element.type === 'CharacterSet' && element.kind === 'word';
}

const EXTENSION =
  /^(?:php\d?|html?|aspx?|jspx?|cgi|env|git|sql|bak|ini|json|xml|ya?ml|js|css|png|jpe?g|gif|svg|ico|txt|pdf|zip)$/;

/** True if the characters up to the end, or up to an assertion, are a usual extension of files. */
function isExtension(elements: readonly AST.Element[], at: number): boolean {
  const after = elements.slice(at + 1);
  const end = after.findIndex(one => !isWord(one));
  const word = (end < 0 ? after : after.slice(0, end)).map(one => one.raw).join('');
  return EXTENSION.test(word) && (end < 0 || after[end]!.type === 'Assertion');
}

function isWord(node: AST.Element | undefined): boolean {
  return node?.type === 'Character' && /^\w$/.test(String.fromCodePoint(node.value));
}
